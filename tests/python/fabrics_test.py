#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traffic and co-simulation from Python give the reports of the program. NETWORK_MODELS and REFERENCE_MODEL have models of 4x3."""

import os
import unittest

import kernbench
import numpy
import pandas

from in_a_folder import ROOT, InAFolder

MAZE = ROOT / "tests/cosim/maze-4x3.yaml"
NETWORK = os.path.join(os.environ["NETWORK_MODELS"], "4x3/libnetwork_model.so")


def neighbours(chunks=3, count=40):
    """Every node to the next one, a chunk for each microsecond."""
    for chunk in range(chunks):
        source = numpy.arange(count) % 12
        yield pandas.DataFrame({"time_ps": 1_000_000 * chunk + 5000 * numpy.arange(count), "src": source, "dst": (source + 1) % 12,
                                "bytes": 1 + source, "qos": numpy.where(source == 3, "high", "low")})


class Traffic(InAFolder):
    def test_is_the_report_of_the_program(self):
        for words, topology, settings in (
                (["Mesh2D(4,4)"], "Mesh2D(4,4)", {}),
                (["FlattenedButterfly(4,4)", "--maze", "--pattern", "hotspot", "--hotspot-node", "3", "--hotspot-share", "0.25",
                  "--loads", "0.1,0.2", "--bytes", "5", "--packet-bits", "16", "--warmup", "50", "--cycles", "500", "--seed", "7"],
                 "FlattenedButterfly(4,4)", {"maze": True, "pattern": "hotspot", "hotspot_node": 3, "hotspot_share": 0.25, "loads": [0.1, 0.2],
                                             "bytes": 5, "packet_bits": 16, "warmup": 50, "cycles": 500, "seed": 7}),
                (["Mesh2D(4,4)", "--fabric", "cycle", "--lanes", "2", "--slots", "4", "--stages", "0", "--packet-flits", "3", "--loads", "0.2"],
                 "Mesh2D(4,4)", {"fabric": "cycle", "lanes": 2, "slots": 4, "stages": 0, "packet_flits": 3, "loads": [0.2]}),
                (["--spec", ROOT / "configs/zoo/butterfly.yaml", "--loads", "0.3"], ROOT / "configs/zoo/butterfly.yaml", {"loads": [0.3]})):
            theirs, mine = self.report("traffic", *words), kernbench.traffic(str(topology), **settings)
            self.assertEqual((mine.kind, mine.outcome, mine.seed, mine.data), (theirs.kind, theirs.outcome, theirs.seed, theirs.data))
            self.assertTrue(mine.frame("loads").equals(theirs.frame("loads")))

    def test_says_what_is_wrong(self):
        for error, text, topology, settings in (
                (ValueError, "^pattern 'transpos' is not one of .*; did you mean 'transpose'\\?$", "Mesh2D(4,4)", {"pattern": "transpos"}),
                (ValueError, "^load 1.5 is not between 0 and 1$", "Mesh2D(4,4)", {"loads": [1.5]}),
                (ValueError, "^bytes, packet_bits and cycles are at least 1, ", "Mesh2D(4,4)", {"bytes": 0}),
                (ValueError, "^fabric 'rtl' is not analytic or cycle; `kernbench traffic` also has rtl$", "Mesh2D(4,4)", {"fabric": "rtl"}),
                (ValueError, "^the number of slots is 256, not 1 to 255$", "Mesh2D(4,4)", {"fabric": "cycle", "slots": 256}),
                (ValueError, "FlattenedButterfly topology, not Mesh2D", "Mesh2D(4,4)", {"maze": True}),
                (kernbench.BadInput, "Mesh3D", "Mesh3D(4,4)", {})):
            with self.assertRaisesRegex(error, text):
                kernbench.traffic(topology, **settings)

    def test_of_a_source_takes_the_cycles_of_the_closed_form(self):
        # done = floor(t / period) + N + 3 * (h + 1) for N flits over h links of one stage, with a router of 3 cycles behind each.
        frame = kernbench.play("Mesh2D(4,4)", [[{"time_ps": 2500, "src": 0, "dst": 15, "bytes": 3}],
                                               [{"time_ps": 90000, "src": 5, "dst": 4, "bytes": 1}]])
        self.assertEqual(list(frame["done_ps"]), [(2 + 3 + 3 * 7) * 1000, (90 + 1 + 3 * 2) * 1000])
        self.assertEqual(list(frame.columns), ["time_ps", "src", "dst", "bytes", "qos", "type", "done_ps"])
        self.assertEqual(list(frame["qos"] + frame["type"]), ["lowunicast"] * 2)


class Sources(unittest.TestCase):
    def raises(self, text, *chunk):
        with self.assertRaisesRegex(ValueError, text):
            kernbench.play("Mesh2D(2,2)", [list(chunk)])

    def test_say_what_is_wrong_of_each_transfer(self):
        good = {"time_ps": 1000, "src": 0, "dst": 1, "bytes": 1}
        self.raises("^transfer 1: src 4 does not exist in a fabric of 4 nodes; 0 to 3\n"
                    "transfer 2: time_ps 999 is before 1000; transfers are in time order\n"
                    "transfer 3: a transfer cannot have 0 bytes; 1 to 1099511627776\n"
                    "transfer 4: dst -1 does not exist in a fabric of 4 nodes; 0 to 3$",
                    good, {**good, "src": 4}, {**good, "time_ps": 999}, {**good, "bytes": 0}, {**good, "dst": -1})
        self.raises("^qos 'hihg' does not exist; one of low, high$", {**good, "qos": "hihg"})
        self.raises("^type 'all' does not exist; one of unicast, x_multicast, y_multicast, broadcast$", {**good, "type": "all"})
        self.raises("^bytes has values that are not whole numbers$", {**good, "bytes": 1.5})
        self.raises("^a chunk of transfers has the columns time_ps, src, dst, byte; needed are time_ps, src, dst and bytes, ",
                    {"time_ps": 1, "src": 0, "dst": 1, "byte": 1})
        self.raises("^transfer 0 is a multicast; this fabric has no rows and columns of nodes ", {**good, "type": "broadcast"})
        with self.assertRaisesRegex(ValueError, "^the source has no transfers$"):
            kernbench.play("Mesh2D(2,2)", [])

    def test_pass_on_their_own_exceptions(self):
        def fails():
            yield from neighbours(1)
            raise LookupError("own")

        with self.assertRaisesRegex(LookupError, "own"):
            kernbench.load(MAZE).cosim(fails, fabric="cycle")


class Cosim(InAFolder):
    def same(self, words, workloads, **settings):
        theirs = self.report("cosim", "--topology", str(MAZE), "--jobs", "1", *words)
        mine = kernbench.load(MAZE).cosim(workloads, **settings)
        self.assertEqual((mine.kind, mine.outcome, mine.seed, mine.config_hash), (theirs.kind, theirs.outcome, theirs.seed, theirs.config_hash))
        self.assertEqual(mine.data, theirs.data)
        self.assertEqual(sorted(mine.tables), sorted(theirs.tables))
        for name, table in mine.tables.items():
            self.assertTrue(table.equals(theirs.frame(name)), name)
        return mine

    def test_is_the_report_of_the_program_on_every_fabric(self):
        report = self.same(["--model", NETWORK, "--workload", "uniform_random", "--workload", "multicasts", "--loads", "0.1,0.6",
                            "--cycles", "300", "--bytes", "8", "--seed", "5", "--count", "20"],
                           ["uniform_random", "multicasts"], model=NETWORK, loads=[0.1, 0.6], cycles=300, bytes=8, seed=5, count=20)
        self.assertEqual(list(report.frame("workloads.runs")["fabric"]), ["analytic", "cycle", "rtl"] * 3)
        self.assertEqual(report.outcome, "pass")

    def test_is_the_report_of_the_program_with_ideal_nodes(self):
        model = os.environ["REFERENCE_MODEL"]
        self.same(["--nodes", "ideal", "--model", model, "--loads", "0.5", "--cycles", "200"], "uniform_random",
                  nodes="ideal", model=model, loads=[0.5], cycles=200)

    def test_is_the_report_of_the_program_for_a_bench_and_a_failed_node(self):
        self.same(["--fabric", "cycle", "--workload", "bench:all-reduce", "--set", "bytes=480"], "bench:all-reduce",
                  fabric="cycle", parameters={"bytes": 480})
        report = self.same(["--fabric", "cycle", "--failed-node", "5", "--loads", "0.2"], "uniform_random", fabric="cycle",
                           failed_node=5, loads=[0.2])
        self.assertEqual(report.data["failed_node"], 5)

    def test_carries_the_transfers_of_a_source_as_those_of_a_file(self):
        file = self.folder / "neighbours.csv"
        frame = pandas.concat(neighbours())
        frame["type"] = "unicast"
        frame[["time_ps", "src", "dst", "bytes", "qos", "type"]].to_csv(file, index=False)
        topology = kernbench.load(MAZE)
        mine, theirs = (topology.cosim(workload, model=NETWORK) for workload in (neighbours, file))
        self.assertEqual([one["name"] for one in mine.data["workloads"]], ["neighbours"])
        times = mine.transfers()
        self.assertTrue(times.equals(theirs.transfers()))
        self.assertEqual(len(times), 120)
        self.assertTrue((times["done_ps.rtl"] == times["done_ps.cycle"]).all())
        self.assertTrue((times["done_ps.cycle"] > times["time_ps"]).all())
        # A generator, a list of chunks, and several sources.
        for source in (neighbours(), list(neighbours())):
            self.assertTrue(topology.cosim(source, model=NETWORK).transfers().equals(times))
        both = topology.cosim([neighbours, "all_to_all"], fabric="cycle")
        self.assertEqual(list(both.frame("workloads")["name"]), ["neighbours", "all_to_all"])
        self.assertEqual([len(both.transfers(i)) for i in range(2)], [120, 132])

    def test_says_what_is_wrong(self):
        topology = kernbench.load(MAZE)
        for error, text, workload, settings in (
                (TypeError, "^cosim\\(\\) has no setting load; it has fabric, nodes, ", "transpose", {"load": 1}),
                (ValueError, "^cosim\\(\\) needs at least one workload$", [], {}),
                (kernbench.BadInput, "^error: --fabric: 'cylce' is not one of .*; did you mean 'cycle'\\?$", "transpose", {"fabric": "cylce"}),
                (kernbench.BadInput, "^error: unknown workload 'transpos': ", "transpos", {"fabric": "cycle"})):
            with self.assertRaisesRegex(error, text):
                topology.cosim(workload, **settings)
        with self.assertRaises(kernbench.BadInput) as caught:
            kernbench.load().cosim(fabric="cycle")
        error = caught.exception.errors[0]
        self.assertEqual((error.file, error.message, error.hint),
                         (str(ROOT / "configs/topology.yaml"), "the cubes of this topology are joined by a UCIe mesh",
                          "sip: {inter_cube: maze}, or {inter_cube: {noc: 'Mesh2D(4,4)'}}"))
        self.assertGreater(error.line, 0)
        wrong_size = kernbench.load("configs/topology-maze-8x8.yaml")
        with self.assertRaisesRegex(kernbench.BadInput, "the topology needs a network of 8x8 nodes with 8 data bits; .* has 4x3 nodes"):
            wrong_size.cosim(model=NETWORK)
        trace = self.folder / "wrong.csv"
        trace.write_text("time_ps,src,dst,bytes,qos,type\n0,0,99,1,low,unicast\n")
        with self.assertRaises(kernbench.BadInput) as caught:
            topology.cosim(trace, fabric="cycle")
        self.assertEqual(caught.exception.errors[0][:4], (str(trace), 2, 5, "dst 99 does not exist in a fabric of 12 nodes"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
