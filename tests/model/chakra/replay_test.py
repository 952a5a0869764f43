#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kernbench replay of traces and run --export-chakra, on traces that are written with python3-protobuf.

KERNBENCH is the program, CHAKRA_MODULES the folder of the generated message classes.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import traces  # noqa: E402
from traces import (ALL_GATHER, ALL_REDUCE, BARRIER, COLLECTIVE, COMPUTE, LOAD, METADATA, RECEIVE, SEND, STORE,  # noqa: E402
                    attribute, chakra, content, delimited, metadata, node)

ROOT = pathlib.Path(__file__).resolve().parents[3]
PS = 1_000_000  # of a microsecond


class Replay(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.prefix = self.folder / "t"

    sips = 4

    def call(self, *arguments, command="replay"):
        """kernbench on a system of SIPs of one cube each."""
        sizes = (("system.sips.count", self.sips), ("sip.cube_mesh.w", 1), ("sip.cube_mesh.h", 1))
        settings = [part for key, value in sizes for part in ("--set", f"topology.{key}={value}")]
        return subprocess.run([os.environ["KERNBENCH"], command, *settings, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True,
                              check=False)

    def write(self, *ranks, compress=False, head=None):
        for file in self.folder.glob("*.et"):
            file.unlink()
        traces.write(self.prefix, ranks, compress, head)

    def replay(self, *ranks, options=(), head=None, compress=False):
        """The data of the report, and what the program printed."""
        if ranks:
            self.write(*ranks, compress=compress, head=head)
        done = self.call(f"{self.prefix}.et", "--json", self.folder / "report.json", *options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads((self.folder / "report.json").read_text())["data"], done.stdout

    def end(self, *ranks, **how):
        return self.replay(*ranks, **how)[0]["end_ps"]

    def kinds(self, data):
        return {one["kind"]: (one["nodes"], one["busy_ps"], one["waited_ps"]) for one in data["kinds"] if one["nodes"]}

    def fails(self, *ranks, code=2, head=None, options=()):
        """The messages of the program about traces, with PREFIX for their folder and name."""
        if ranks:
            self.write(*ranks, head=head)
        done = self.call(f"{self.prefix}.et", "--json", self.folder / "none.json", *options)
        self.assertEqual((done.returncode, done.stdout), (code, ""))
        self.assertFalse((self.folder / "none.json").exists())
        return done.stderr.replace(str(self.prefix), "PREFIX")


class Times(Replay):
    def test_a_chain_takes_the_sum_of_its_durations(self):
        data, _ = self.replay([node(0, COMPUTE, micros=3), node(1, COMPUTE, after=[0], micros=4), node(2, COMPUTE, data=[1], duration_ps=5)])
        self.assertEqual(data["end_ps"], 7 * PS + 5)
        self.assertEqual(self.kinds(data), {"computation": (3, 7 * PS + 5, 0)})
        self.assertEqual(data["computations"], {"by_duration": 3, "by_operations": 0, "without_time": 0})

    def test_the_host_computes_beside_the_rank(self):
        data, _ = self.replay([node(0, COMPUTE, micros=3), node(1, COMPUTE, micros=5, is_cpu_op=True), node(2, COMPUTE, after=[0, 1], micros=1)])
        self.assertEqual(data["end_ps"], 6 * PS)
        self.assertEqual((data["ranks"][0]["computing_ps"], data["ranks"][0]["on_host_ps"]), (4 * PS, 5 * PS))

    def test_nodes_that_are_ready_at_once_run_by_their_ids(self):
        for nodes in ([9, 4], [4, 9]):
            data, _ = self.replay([node(number, COMPUTE, micros=number) for number in nodes] + [node(10, COMPUTE, after=[4], micros=1)])
            self.assertEqual(self.kinds(data), {"computation": (3, 14 * PS, 4 * PS + 9 * PS)})

    def test_operations_take_their_time_on_the_engines_of_the_rank(self):
        # 10 us of eight PEs with 4096 multiply-adds a cycle, two operations each, and of the 1024 GB/s of the HBM.
        by_engine, by_memory = 10_000 * 8 * 4096 * 2, 10 * 1_024_000
        nodes = [node(0, COMPUTE, micros=1, num_ops=by_engine), node(1, COMPUTE, after=[0], num_ops=8, tensor_size=by_memory)]
        recorded = self.replay(nodes)[0]
        both = self.replay(nodes, options=["--compute", "ops"])[0]
        self.assertEqual(recorded["computations"], {"by_duration": 1, "by_operations": 1, "without_time": 0})
        self.assertEqual(both["computations"], {"by_duration": 0, "by_operations": 2, "without_time": 0})
        self.assertEqual((recorded["end_ps"], both["end_ps"]), (1 * PS + 10 * PS, 10 * PS + 10 * PS))

    def test_computations_without_any_time_are_reported(self):
        self.write([node(0, COMPUTE)])
        done = self.call(f"{self.prefix}.et")
        self.assertEqual(done.stderr, "warning: 1 computation took no time: neither duration, num_ops nor tensor_size is given\n")

    def test_memory_traffic_takes_longer_with_more_bytes(self):
        times = [self.kinds(self.replay([node(0, kind, tensor_size=size)])[0])[name][1]
                 for kind, name in ((LOAD, "load"), (STORE, "store")) for size in (0, 65536, 1 << 20)]
        self.assertEqual(times, [0, 565_192, 1_566_338, 0, 610_384, 1_835_530])

    def test_a_timeline_has_tracks_of_each_rank(self):
        nodes = [node(0, COMPUTE, "one", micros=3), node(1, COMPUTE, "two", micros=5, is_cpu_op=True), node(2, LOAD, "three", after=[0], tensor_size=65536)]
        for detail, more in (("operations", False), ("hops", True)):
            self.replay(nodes, options=["--trace", self.folder / "trace.json", "--trace-detail", detail])
            events = json.loads((self.folder / "trace.json").read_text())["traceEvents"]
            tracks = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name"}
            slices = {(tracks[event["tid"]], event["name"]): event for event in events if event["ph"] == "X"}
            one, two, three = (slices[key] for key in (("rank 0 computation", "one"), ("rank 0 host", "two"), ("rank 0 memory", "three")))
            self.assertEqual((one["dur"], two["dur"], two["ts"]), (3, 5, one["ts"]))
            self.assertAlmostEqual(three["ts"], one["ts"] + 3, 9)
            self.assertEqual(any(track.startswith("sip0.") for track in tracks.values()), more)

    def test_memory_traffic_shares_the_stream_of_its_rank(self):
        data, _ = self.replay([node(0, LOAD, tensor_size=65536), node(1, LOAD, tensor_size=65536)])
        count, busy, waited = self.kinds(data)["load"]
        self.assertEqual((count, waited), (2, busy // 2))
        self.assertEqual(data["end_ps"], busy)


class Communication(Replay):
    def test_every_comm_type_runs(self):
        for kind in range(10):
            size = {} if kind == BARRIER else {"comm_size": 4096}
            data, printed = self.replay(*[[node(5, COLLECTIVE, comm_type=kind, **size)] for _ in range(4)])
            self.assertEqual(self.kinds(data)["collective"][0], 4)
            self.assertEqual(data["collectives"][0]["calls"], 1)
            self.assertGreater(data["collectives"][0]["longest_ps"], 500_000)
            self.assertIn(data["collectives"][0]["collective"], printed)

    def test_a_collective_begins_with_its_last_member(self):
        ranks = [[node(0, COMPUTE, duration_ps=10 * PS * rank), node(1, COLLECTIVE, after=[0], comm_type=ALL_REDUCE, comm_size=4096)] for rank in range(4)]
        data, _ = self.replay(*ranks)
        alone = self.end(*[[node(1, COLLECTIVE, comm_type=ALL_REDUCE, comm_size=4096)] for _ in range(4)])
        self.assertEqual(data["end_ps"], 30 * PS + alone)
        self.assertEqual(self.kinds(data)["collective"][2], (30 + 20 + 10) * PS)
        self.assertEqual(data["ranks"][0]["exposed_ps"], data["ranks"][0]["end_ps"])

    def test_computations_hide_communication(self):
        data, _ = self.replay(*[[node(0, COLLECTIVE, comm_type=ALL_REDUCE, comm_size=4096), node(1, COMPUTE, micros=500)] for _ in range(4)])
        self.assertEqual(data["end_ps"], 500 * PS)
        self.assertEqual([rank["exposed_ps"] for rank in data["ranks"]], [0] * 4)

    def test_groups_are_those_of_the_metadata_or_of_the_callers(self):
        def call(group):
            return [node(0, COLLECTIVE, comm_type=ALL_GATHER, comm_size=4096, pg_name=group)]
        listed, printed = self.replay(call("a:b"), call("c"), call("a:b"), call("c"), head=metadata(groups={"a:b": [2, 0], "c": [1, 3]}))
        self.assertEqual({one["group"] for one in listed["collectives"]}, {"a:b", "c"})
        self.assertIn("all-gather of 4096 bytes of group 'a:b': 1 call,", printed)
        found, _ = self.replay(call("a:b"), call("c"), call("a:b"), call("c"))
        self.assertEqual([one["calls"] for one in found["collectives"]], [1, 1])

    def test_groups_of_the_same_ranks_share_their_links_and_times(self):
        ranks = [[node(0, COLLECTIVE, comm_type=BARRIER, pg_name="a"), node(1, COLLECTIVE, after=[0], comm_type=BARRIER, pg_name="b"),
                  node(2, COLLECTIVE, after=[1], comm_type=BARRIER)] for _ in range(4)]
        data, _ = self.replay(*ranks)
        self.assertEqual(sorted(one["group"] for one in data["collectives"]), ["", "a", "b"])
        self.assertEqual(data["operations"], {"simulated": 1, "reused": 2, "overlapping": 0})

    def test_a_group_of_one_rank_costs_nothing(self):
        for kind in range(10):
            size = {} if kind == BARRIER else {"comm_size": 4096}
            data, _ = self.replay([node(0, COLLECTIVE, comm_type=kind, **size), node(1, COMPUTE, after=[0], micros=1)])
            self.assertEqual((data["end_ps"], data["collectives"][0]["calls"]), (PS, 1))
            self.assertEqual(data["operations"], {"simulated": 0, "reused": 0, "overlapping": 0})

    def test_the_call_of_the_host_is_a_computation_of_the_host(self):
        ranks = [[node(0, COLLECTIVE, micros=3, is_cpu_op=True), node(1, COLLECTIVE, after=[0], comm_type=BARRIER, is_cpu_op=False)]
                 for _ in range(4)]
        data, _ = self.replay(*ranks)
        self.assertEqual([rank["on_host_ps"] for rank in data["ranks"]], [3 * PS] * 4)
        self.assertEqual((self.kinds(data)["computation"][0], self.kinds(data)["collective"][0]), (4, 4))

    def test_messages_find_each_other_by_their_tags(self):
        sender = [node(0, SEND, comm_dst=1, comm_tag=7, comm_size=1000), node(1, SEND, after=[0], comm_dst=1, comm_tag=8, comm_size=2000)]
        receiver = [node(0, RECEIVE, comm_src=0, comm_tag=8, comm_size=2000), node(1, RECEIVE, after=[0], comm_src=0, comm_tag=7, comm_size=1000)]
        data, _ = self.replay(sender, receiver)
        self.assertEqual([self.kinds(data)[kind][0] for kind in ("send", "receive")], [2, 2])
        self.assertEqual(data["operations"]["simulated"], 2)

    def test_two_ranks_may_send_before_they_receive(self):
        ranks = [[node(0, SEND, comm_src=rank, comm_dst=1 - rank, comm_size=1 << 20),
                  node(1, RECEIVE, after=[0], comm_src=1 - rank, comm_dst=rank, comm_size=1 << 20)] for rank in range(2)]
        self.assertGreater(self.end(*ranks), 0)


class Messages(Replay):
    """Where nothing contends, messages take their latency and their bytes at 64 GB/s."""
    sips = 8
    BYTES = 1 << 20

    def one(self):
        return self.end([node(0, SEND, comm_dst=1, comm_size=self.BYTES)], [node(0, RECEIVE, comm_src=0, comm_size=self.BYTES)])

    def assert_close(self, took, expected):
        self.assertLess(abs(took / expected - 1), 0.05, (took, expected))

    def test_one_message(self):
        self.assert_close(self.one(), self.BYTES / 64e9 * 1e12 + 350_000)

    def test_a_rank_sends_while_it_receives(self):
        ranks = [[node(0, SEND, comm_dst=1 - rank, comm_size=self.BYTES), node(1, RECEIVE, comm_src=1 - rank, comm_size=self.BYTES)]
                 for rank in range(2)]
        self.assert_close(self.end(*ranks), self.one())

    def test_a_shift_takes_as_long_as_one_message(self):
        ranks = [[node(0, SEND, comm_dst=(rank + 1) % 8, comm_size=self.BYTES), node(1, RECEIVE, comm_src=(rank + 7) % 8, comm_size=self.BYTES)]
                 for rank in range(8)]
        self.assert_close(self.end(*ranks), self.one())
        self.assert_close(self.end(*ranks, options=("--reuse", "off")), self.one())

    def test_a_pipeline_of_four_stages_and_eight_batches(self):
        stages = []
        for rank in range(4):
            nodes = []
            for batch in range(8):
                first = 3 * batch
                if rank > 0:
                    nodes.append(node(first, RECEIVE, comm_src=rank - 1, comm_tag=batch, comm_size=self.BYTES))
                nodes.append(node(first + 1, COMPUTE, after=[first] if rank > 0 else [], micros=20))
                if rank < 3:
                    nodes.append(node(first + 2, SEND, after=[first + 1], comm_dst=rank + 1, comm_tag=batch, comm_size=self.BYTES))
            stages.append(nodes)
        self.assert_close(self.end(*stages), 11 * 20 * PS + 3 * self.one())

    def test_a_ring_of_eight_ranks(self):
        """14 steps of 128 KiB: in each a rank sends to the next and receives from the one before."""
        size = 131072
        ranks = []
        for rank in range(8):
            nodes = []
            for step in range(14):
                after = [2 * step - 1] if step else []
                nodes.append(node(2 * step, SEND, after=after, comm_dst=(rank + 1) % 8, comm_tag=step, comm_size=size))
                nodes.append(node(2 * step + 1, RECEIVE, after=after, comm_src=(rank + 7) % 8, comm_tag=step, comm_size=size))
            ranks.append(nodes)
        one = self.end([node(0, SEND, comm_dst=1, comm_size=size)], [node(0, RECEIVE, comm_src=0, comm_size=size)])
        self.assert_close(self.end(*ranks), 14 * one)

    def test_reuse_changes_no_time_where_operations_do_not_overlap(self):
        def steps(rank):
            for step in range(5):
                first = 4 * step
                yield node(first, COMPUTE, after=[first - 1] if step else [], micros=20 + (rank * 7 + step * 3) % 11)
                yield node(first + 1, COLLECTIVE, after=[first], comm_type=ALL_REDUCE, comm_size=65536)
                yield node(first + 2, COLLECTIVE, after=[first + 1], comm_type=BARRIER)
                yield node(first + 3, COMPUTE, after=[first + 2], micros=3)
        on, _ = self.replay(*map(list, map(steps, range(4))))
        off, _ = self.replay(options=["--reuse", "off"])
        self.assertEqual(on["operations"], {"simulated": 2, "reused": 8, "overlapping": 0})
        self.assertEqual(off["operations"], {"simulated": 10, "reused": 0, "overlapping": 0})
        self.assertEqual(on["end_ps"], off["end_ps"])
        self.assertEqual(on["ranks"], off["ranks"])

    def test_operations_that_overlap_a_reused_one_are_counted(self):
        def pair(group, first, micros):
            return [node(0, COLLECTIVE, comm_type=ALL_GATHER, comm_size=65536, pg_name=group),
                    node(1, COMPUTE, after=[0], micros=first), node(2, COLLECTIVE, after=[1], comm_type=ALL_GATHER, comm_size=65536, pg_name=group),
                    node(3, COMPUTE, after=[2], micros=micros)]
        data, printed = self.replay(pair("a", 100, 1), pair("a", 100, 1), pair("b", 101, 1), pair("b", 101, 1))
        self.assertEqual(data["operations"], {"simulated": 3, "reused": 1, "overlapping": 1})
        self.assertIn("\noperations that do not meet the traffic of others in flight, because of reuse: 1\n", printed)


class Format(Replay):
    def test_compressed_files_are_read(self):
        nodes = [node(number, COMPUTE, after=[number - 1] if number else [], micros=1) for number in range(1000)]
        reports = []
        for compress in (False, True):
            self.replay(nodes, compress=compress)
            reports.append({**json.loads((self.folder / "report.json").read_text()), "command": ""})
        self.assertEqual(reports[0], reports[1])
        self.assertEqual(reports[0]["data"]["end_ps"], 1000 * PS)
        self.replay(nodes[:-1] + [node(999, COMPUTE, "other", after=[998], micros=1)])
        self.assertNotEqual(json.loads((self.folder / "report.json").read_text())["config_hash"], reports[0]["config_hash"])

    def test_a_number_may_have_any_numeric_type(self):
        for field in ("double", "float", "int32", "int64", "uint32", "uint64", "sint32", "sint64", "fixed32", "fixed64", "sfixed32", "sfixed64"):
            data, _ = self.replay([node(0, COMPUTE, duration_ps=(4096, f"{field}_val"))])
            self.assertEqual((field, data["end_ps"]), (field, 4096))
            ranks = [[node(0, COLLECTIVE, comm_type=BARRIER, pg_name="g")] for _ in range(2)]
            head = metadata()
            head.attr.append(attribute("process_group:g", [1, 0], f"{field}_list"))
            self.assertEqual(self.replay(*ranks, head=head)[0]["collectives"][0]["calls"], 1)
        data, _ = self.replay([node(0, COMPUTE, is_cpu_op=(1, "int32_val"), micros=1)])
        self.assertEqual(data["ranks"][0]["on_host_ps"], PS)

    def test_dependencies_need_not_be_packed(self):
        last = node(2, COMPUTE, micros=4).SerializeToString() + bytes([4 << 3, 0, 4 << 3, 1])
        data = content([node(0, COMPUTE, micros=1), node(1, COMPUTE, micros=2)]) + bytes([len(last)]) + last
        (self.folder / "t.0.et").write_bytes(data)
        self.assertEqual(self.end(), 7 * PS)

    def test_unknown_fields_are_ignored(self):
        last = node(0, COMPUTE, micros=4).SerializeToString() + bytes([(15 << 3) & 0x7F, 1])
        (self.folder / "t.0.et").write_bytes(content([]) + bytes([len(last)]) + last)
        self.assertEqual(self.end(), 4 * PS)

    def test_unknown_types_and_attributes_are_counted_and_named(self):
        strange = chakra.Node(id=3, name="s", data_deps=[1])
        strange.type = 12
        data, printed = self.replay([node(0, METADATA, tid=1), node(1, COMPUTE, micros=2, tid=1, rf_id=3), strange, node(4, COMPUTE, after=[3], micros=1)],
                                    head=metadata(schema="x"))
        self.assertEqual(data["unknown_types"], [{"type": 12, "nodes": 1}])
        self.assertEqual(data["unknown_attributes"], [{"name": "rf_id", "count": 1}, {"name": "schema", "count": 1}, {"name": "tid", "count": 2}])
        self.assertEqual(data["end_ps"], 3 * PS)
        self.assertIn("\nunknown types of nodes, which took no time: 12 (1)\nattributes without effect: rf_id (1), schema (1), tid (2)\n", printed)


class Mistakes(Replay):
    def test_a_truncated_file_says_where_and_what_was_expected(self):
        whole = content([node(0, COMPUTE, micros=1), node(1, COMPUTE, micros=2)])
        size = len(node(1, COMPUTE, micros=2).SerializeToString())
        (self.folder / "t.0.et").write_bytes(whole[:-3])
        self.assertEqual(self.fails(), f"PREFIX.0.et: error: byte {len(whole) - size - 1}: expected a message of {size} bytes, "
                                       f"but the file ends after {size - 3} of them\n")
        (self.folder / "t.0.et").write_bytes(whole + b"\xff")
        self.assertEqual(self.fails(), f"PREFIX.0.et: error: byte {len(whole)}: the file ends within the length of a message\n")

    def test_a_truncated_compressed_file_is_no_shorter_trace(self):
        self.write([node(number, COMPUTE, micros=number) for number in range(500)], compress=True)
        file = self.folder / "t.0.et"
        file.write_bytes(file.read_bytes()[:-12])
        self.assertRegex(self.fails(), r"^PREFIX.0.et: error: byte \d+: the compressed data end too early\n$")

    def test_a_message_that_is_no_node_is_named(self):
        (self.folder / "t.0.et").write_bytes(content([]) + b"\x03\xff\xff\xff")
        self.assertEqual(self.fails(), "PREFIX.0.et: error: byte 8: expected a Node message, but its 3 bytes are not one\n")
        (self.folder / "t.0.et").write_bytes(content([]) + b"\x05\x08\x01\x12\x01\xff")  # a name that is not UTF-8
        self.assertEqual(self.fails(), "PREFIX.0.et: error: byte 8: expected a Node message, but its 5 bytes are not one\n")

    def test_metadata_come_first(self):
        (self.folder / "t.0.et").write_bytes(delimited(node(0, COMPUTE, micros=1)) + delimited(node(1, COMPUTE, after=[0])))
        self.assertEqual(self.fails(), "PREFIX.0.et: error: byte 0: expected a GlobalMetadata message before the nodes\n")
        (self.folder / "t.0.et").write_bytes(b"")
        self.assertEqual(self.fails(), "PREFIX.0.et: error: byte 0: the file is empty; expected a GlobalMetadata message\n")

    def test_ids_are_unique(self):
        self.assertEqual(self.fails([node(7, COMPUTE, "a"), node(7, COMPUTE, "b")]),
                         "PREFIX.0.et: error: byte 16: node 7 'b' has the id of node 7 'a' at byte 8\n")

    def test_dependencies_on_nodes_that_a_converter_leaves_out_count_as_done(self):
        self.write([node(1, COMPUTE, after=[9], data=[8], micros=2), node(2, COMPUTE, after=[1, 3], micros=1)])
        done = self.call(f"{self.prefix}.et", "--json", self.folder / "report.json")
        self.assertEqual((done.returncode, done.stderr),
                         (0, "warning: 3 dependencies on nodes that are not in the files count as done\n"))
        data = json.loads((self.folder / "report.json").read_text())["data"]
        self.assertEqual((data["end_ps"], data["absent_dependencies"]), (3 * PS, 3))
        self.write([node(1, COMPUTE, after=[9], micros=2)])
        self.assertEqual(self.call(f"{self.prefix}.et").stderr,
                         "warning: 1 dependency on nodes that are not in the files count as done\n")

    def test_metadata_of_converters_have_no_version(self):
        head = metadata(version="", schema="1.0.2-chakra.0.0.4", pid=1, time="x", start_ts=0, finish_ts=5)
        self.assertEqual(self.end([node(0, COMPUTE, micros=2)], head=head), 2 * PS)
        self.assertEqual(self.end([node(0, COMPUTE, micros=2)], head=metadata(version="")), 2 * PS)

    def test_a_circle_is_listed(self):
        self.assertEqual(self.fails([node(1, COMPUTE, "a", data=[3]), node(2, COMPUTE, "b", data=[1]), node(3, COMPUTE, "c", data=[2]),
                                     node(4, COMPUTE, "d", after=[2])]),
                         "PREFIX.0.et: error: dependencies in a circle, where each node waits for the next: node 1 'a', node 3 'c', node 2 'b', "
                         "node 1 'a'\n")

    def test_control_dependencies_that_close_a_circle_are_not_followed(self):
        """As converters of PyTorch write them: a kernel is a child of the call that waits for it."""
        self.write([node(1, COMPUTE, "call", after=[2], micros=1), node(2, COMPUTE, "kernel", data=[1], micros=3)],
                   [node(1, COMPUTE, micros=1), node(2, COMPUTE, after=[1], micros=1)])
        done = self.call(f"{self.prefix}.et", "--json", self.folder / "report.json")
        self.assertEqual((done.returncode, done.stderr),
                         (0, "warning: 1 control dependencies are not followed: with them nodes would wait for each other\n"))
        data = json.loads((self.folder / "report.json").read_text())["data"]
        self.assertEqual((data["end_ps"], data["dropped_dependencies"]), (4 * PS, 1))

    def test_a_rank_without_a_file_is_named(self):
        self.assertEqual(self.fails(), "error: there is no file PREFIX.0.et; traces are PREFIX.RANK.et, one for each rank from 0\n")
        self.write(*[[node(0, COMPUTE, micros=1)]] * 4)
        (self.folder / "t.2.et").unlink()
        self.assertEqual(self.fails(), "PREFIX.2.et: error: the trace of rank 2 is missing; there are files up to rank 3\n")

    def test_more_ranks_than_the_system_has_are_refused(self):
        self.assertEqual(self.fails(*[[node(0, COMPUTE, micros=1)]] * 5), "error: PREFIX.4.et is the trace of rank 4, but the system has 4 ranks\n")

    def test_groups_fit_the_ranks(self):
        ranks = [[node(0, COLLECTIVE, "x", comm_type=BARRIER, pg_name="g")]] * 2
        one, two = "PREFIX.0.et: error: ", "PREFIX.1.et: error: "
        for listed, text in (([0, 0], "group 'g' has rank 0 twice"), ([0, 2], "group 'g' has rank 2, but the ranks are 0 to 1"),
                             ([], "group 'g' has no ranks")):
            self.assertEqual(self.fails(*ranks, head=metadata(groups={"g": listed})), f"{one}{text}\n{two}{text}\n")
        self.assertEqual(self.fails(*ranks, head=metadata(groups={"g": [1]})),
                         f"{one}byte 32: node 0 'x': rank 0 is not in group 'g', whose ranks are 1\n")

    def test_the_ranks_of_a_group_are_a_list(self):
        head = metadata()
        head.attr.append(attribute("process_group:g", 3))
        self.assertEqual(self.fails([node(0, COMPUTE, micros=1)], head=head), "PREFIX.0.et: error: byte 0: attribute 'process_group:g' must be a list of ranks\n")

    def test_a_root_is_a_member(self):
        ranks = [[node(0, COLLECTIVE, "x", comm_type=5, comm_size=8, comm_root=2, pg_name="g")]] * 2 + [[node(0, COMPUTE, micros=1)]]
        self.assertEqual(self.fails(*ranks).splitlines()[0],
                         "PREFIX.0.et: error: byte 8: node 0 'x': the root 2 is not in group 'g', whose ranks are 0, 1")

    def test_nodes_have_what_a_replay_needs(self):
        cases = ((node(0, COLLECTIVE, comm_type=0), "a collective needs the attribute 'comm_size'"),
                 (node(0, COLLECTIVE, comm_size=8), "a collective needs the attribute 'comm_type'"),
                 (node(0, COLLECTIVE, comm_type=10, comm_size=8), "attribute 'comm_type' is 10; the types are 0 to 9"),
                 (node(0, COLLECTIVE, comm_type=-1, comm_size=8), "attribute 'comm_type' is -1; it must be 0 or more"),
                 (node(0, COLLECTIVE, comm_type=0, comm_size=0), "attribute 'comm_size' is 0; it must be 1 or more"),
                 (node(0, COLLECTIVE, comm_type=0, comm_size="big"), "attribute 'comm_size' must be a whole number"),
                 (node(0, LOAD), "a load needs the attribute 'tensor_size'"),
                 (node(0, SEND, comm_dst=1), "a send needs the attribute 'comm_size'"),
                 (node(0, SEND, comm_size=8), "a send needs the attribute 'comm_dst'"),
                 (node(0, SEND, comm_size=8, comm_dst=0), "attribute 'comm_dst' is 0, the rank itself"),
                 (node(0, SEND, comm_size=8, comm_dst=5), "attribute 'comm_dst' is 5, but the ranks are 0 to 1"),
                 (node(0, RECEIVE, comm_size=8, comm_src=1, comm_dst=1), "attribute 'comm_dst' is 1, but the trace is that of rank 0"),
                 (node(0, COMPUTE, micros=2**63), "duration_micros is 9223372036854775808; it must be at most 4611686018427"))
        for wrong, text in cases:
            first = self.fails([wrong], [node(0, COMPUTE, micros=1)]).splitlines()[0]
            self.assertEqual(first, f"PREFIX.0.et: error: byte 8: node 0 'n0': {text}")

    def test_no_damage_crashes_the_reader(self):
        whole = content([node(0, COMPUTE, micros=1), node(1, LOAD, after=[0], tensor_size=4096), node(2, COLLECTIVE, after=[1], comm_type=ALL_REDUCE,
                         comm_size=4096, pg_name="g"), node(3, SEND, after=[2], comm_dst=1, comm_size=64), node(4, COMPUTE, data=[3], num_ops=9)],
                        metadata(groups={"g": [0]}))
        draw, codes = random.Random(1), set()
        traces.write(self.prefix, [[], [node(0, RECEIVE, comm_src=0, comm_size=64)]])
        for _ in range(150):
            damaged = bytearray(whole)
            for _ in range(draw.randrange(1, 4)):
                damaged[draw.randrange(len(damaged))] = draw.randrange(256)
            (self.folder / "t.0.et").write_bytes(damaged[:draw.randrange(1, len(damaged))] if draw.random() < 0.2 else damaged)
            done = self.call(f"{self.prefix}.et", "--time-limit-us", "1000")
            self.assertIn(done.returncode, (0, 2, 3, 4), (damaged, done.stderr))
            codes.add(done.returncode)
        self.assertLessEqual({0, 2}, codes)

    def test_traces_without_nodes_are_vacuous(self):
        self.assertEqual(self.fails([], [], code=1), "error: the traces have no nodes: nothing ran\n")

    def test_what_is_never_reached_is_in_the_list_of_waits(self):
        said = self.fails([node(3, COLLECTIVE, "x", comm_type=ALL_REDUCE, comm_size=64)], [node(0, COMPUTE, micros=1)], [node(0, COMPUTE, micros=1)],
                          code=4)
        self.assertIn("\n  all-reduce, call 1 of all ranks (node 3 'x' of rank 0), waits for ranks 1, 2\n", said)
        said = self.fails([node(3, RECEIVE, "x", comm_src=1, comm_tag=5, comm_size=64)], [node(0, COMPUTE, micros=1)], code=4)
        self.assertIn("\n  node 3 'x' of rank 0 waits for a send of rank 1 with tag 5\n", said)
        said = self.fails([node(3, SEND, "x", comm_dst=1, comm_tag=5, comm_size=64)], [node(0, COMPUTE, micros=1)], code=4)
        self.assertIn("\n  node 3 'x' of rank 0 waits for a receive of rank 1 with tag 5\n", said)

    def test_calls_and_messages_fit_each_other(self):
        self.assertEqual(self.fails([node(1, COLLECTIVE, "x", comm_type=ALL_REDUCE, comm_size=64)], [node(2, COLLECTIVE, "y", comm_type=5, comm_size=64)]),
                         "error: call 1 of all ranks: node 1 'x' of rank 0 is all-reduce of 64 bytes, but node 2 'y' of rank 1 is broadcast "
                         "of 64 bytes with root 0\n")
        self.assertEqual(self.fails([node(1, SEND, "x", comm_dst=1, comm_size=64)], [node(2, RECEIVE, "y", comm_src=0, comm_size=65)]),
                         "error: node 1 'x' of rank 0 sends 64 bytes with tag 0, but node 2 'y' of rank 1 receives 65\n")

    def test_what_a_group_cannot_run_is_refused(self):
        (self.folder / "ccl.yaml").write_text("backend: ahbm\nalgorithms: {reduce_scatter: recursive-halving}\n")
        ranks = [[node(0, COLLECTIVE, comm_type=7, comm_size=1000)]] * 3
        self.assertEqual(self.fails(*ranks, options=["--ccl", self.folder / "ccl.yaml"]),
                         "error: 'recursive-halving' needs a number of members that is a power of two; group 'all' has 3\n")
        self.assertEqual(self.fails(*[[node(0, COLLECTIVE, comm_type=0, comm_size=1 << 50)]] * 2),
                         "error: the tensors of rank 0 do not fit: the HBM slice of sip0.cube0.pe0 is out of memory: 140737488355328 bytes "
                         "asked for, 6442450944 free, 6442450944 in the largest free block\n")

    def test_options_of_benches_and_of_rtl_do_not_apply(self):
        self.write([node(0, COMPUTE, micros=1)])
        self.assertEqual(self.call(f"{self.prefix}.et", "--waves", "off").stderr,
                         "error: --waves goes with a failure or a pin-trace (.json) only\n")
        self.assertEqual(self.call(f"{self.prefix}.et", "--set", "m=3").stderr.splitlines()[0],
                         "error: --set: 'm=3' is not topology.KEY=VALUE")

    def test_one_of_the_files_names_all(self):
        self.write([node(0, COMPUTE, micros=1)], [node(0, COMPUTE, micros=1)])
        self.assertEqual(self.call(f"{self.prefix}.1.et").stdout, self.call(f"{self.prefix}.et").stdout)


class Export(Replay):
    def run_bench(self, bench, *options):
        done = self.call(bench, "--export-chakra", self.prefix, "--json", self.folder / "run.json", *options, command="run")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads((self.folder / "run.json").read_text())["data"]

    def nodes(self, rank):
        data, found = (self.folder / f"t.{rank}.et").read_bytes(), []
        at = 0
        while at < len(data):
            size = shift = 0
            while True:
                byte = data[at]
                at += 1
                size |= (byte & 0x7F) << shift
                shift += 7
                if byte < 0x80:
                    break
            found.append(data[at:at + size])
            at += size
        return [chakra.Node.FromString(one) for one in found[1:]]

    def test_launches_have_their_time_to_the_picosecond(self):
        run = self.run_bench("vector-add")
        launch = run["launches"][0]
        back, _ = self.replay(options=["--trace", self.folder / "trace.json"])
        self.assertEqual(back["ranks"][0]["computing_ps"], launch["end_ps"] - launch["start_ps"])
        # All before the copy to the host has recorded durations.
        self.assertEqual(back["end_ps"] - self.kinds(back)["load"][1], launch["end_ps"])
        self.assertEqual([(one.type, one.name) for one in self.nodes(0)][-2:], [(COMPUTE, "kernel vector-add"), (LOAD, "copy to the host")])
        kernel = self.nodes(0)[-2]
        self.assertEqual(kernel.duration_micros, round((launch["end_ps"] - launch["start_ps"]) / PS))
        self.assertEqual({one.name: one.int64_val for one in kernel.attr if one.name != "is_cpu_op"},
                         {"duration_ps": launch["end_ps"] - launch["start_ps"], "num_ops": 2 * launch["macs"],
                          "tensor_size": launch["read_bytes"] + launch["written_bytes"]})

    def test_collectives_have_type_size_and_group(self):
        self.run_bench("collective", "--set", "collective=all_gather", "--set", "ranks=3,1", "--set", "bytes=4096")
        calls = [one for one in self.nodes(3) if one.type == COLLECTIVE]
        values = {one.name: one.string_val or one.int64_val for one in calls[0].attr}
        self.assertEqual(values, {"comm_type": ALL_GATHER, "comm_size": 4096, "pg_name": "tested"})
        self.assertEqual([one for one in self.nodes(0) if one.type == COLLECTIVE], [])
        back, _ = self.replay()
        self.assertEqual([(one["collective"], one["group"], one["bytes"], one["calls"]) for one in back["collectives"]], [("all-gather", "tested", 4096, 1)])

    def test_initial_copies_are_stores(self):
        self.run_bench("vector-add", "--upload")
        self.assertEqual([one.name for one in self.nodes(0) if one.type == STORE], ["deployment of a tensor"] * 2)

    def test_blocks_of_different_sizes_are_refused(self):
        done = self.call("collective", "--export-chakra", self.prefix, "--set", "collective=all_to_all", "--set", "uneven=1", command="run")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "error: all_to_all of group 'tested' cannot be exported: its blocks have different sizes\n")
        self.assertEqual(list(self.folder.glob("*.et")), [])


if __name__ == "__main__":
    unittest.main()
