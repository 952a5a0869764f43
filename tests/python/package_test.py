#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Python package gives what the program gives. PYTHONPATH has the package, KERNBENCH is the program."""

import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import unittest

import kernbench

from in_a_folder import ROOT, InAFolder

# A system of two SIPs with two cubes each, whose simulation takes a moment.
SMALL_KEYS = {"sip__cube_mesh__w": 2, "sip__cube_mesh__h": 1}
SMALL = [f"--set=topology.{key.replace('__', '.')}={value}" for key, value in SMALL_KEYS.items()]


class Topologies(InAFolder):
    def test_has_the_nodes_and_edges_of_the_exported_graph(self):
        file = self.folder / "graph.json"
        subprocess.run([os.environ["KERNBENCH"], "topology", "export", "-o", file], check=True, stdout=subprocess.DEVNULL)
        graph = kernbench.read_report(file).data
        topology = kernbench.load()
        nodes, edges = topology.nodes, topology.edges
        self.assertEqual([list(row) for row in nodes[["name", "kind", "x_mm", "y_mm", "overhead_ps"]].itertuples(index=False)],
                         [[node[key] for key in ("name", "kind", "x_mm", "y_mm", "overhead_ps")] for node in graph["nodes"]])
        names = list(nodes["name"])
        self.assertEqual([(names[row.source], names[row.target], row.kind, row.bw_gbs, row.length_nm / 1e6)
                          for row in edges.itertuples()],
                         [(edge["from"], edge["to"], edge["kind"], edge["bw_gbs"], edge["length_mm"]) for edge in graph["edges"]])

    def test_names_place_and_hint_of_each_error(self):
        text = (ROOT / "configs/topology.yaml").read_text().replace("clock_ghz:", "clok_ghz:", 1)
        file = self.folder / "wrong.yaml"
        file.write_text(text)
        with self.assertRaises(kernbench.BadInput) as caught:
            kernbench.load(file)
        line = next(number for number, words in enumerate(text.split("\n"), 1) if "clok_ghz:" in words)
        unknown = [error for error in caught.exception.errors if error.message == "unknown key 'clok_ghz'"]
        self.assertEqual([(error.file, error.line, error.hint) for error in unknown],
                         [(str(file), line, "did you mean 'clock_ghz'?")])
        self.assertIn(f"{file}:{line}:", str(caught.exception))

    def test_settings_are_checked_as_the_file_is(self):
        with self.assertRaisesRegex(kernbench.BadInput, "^--set topology.pe.clok_ghz=2: error: unknown key 'clok_ghz'\n"
                                                        "  hint: did you mean 'clock_ghz'\\?$"):
            kernbench.load(pe__clok_ghz=2)


class Runs(InAFolder):
    def test_takes_the_time_of_the_program(self):
        data = self.report("run", "gemm", "--set=m=256", "--set=n=256", "--set=k=256",
                           "--set=topology.pe.clock_ghz=2").data
        result = kernbench.load(pe__clock_ghz=2).run("gemm", m=256, n=256, k=256)
        self.assertEqual((result.end_ps, result.operations, result.flit_hops),
                         (data["end_ps"], data["operations"], data["flit_hops"]))
        self.assertEqual(list(result.regions["name"]), [region["name"] for region in data["regions"]])
        self.assertEqual(result.wrong, [])
        for column in result.launches:
            self.assertEqual(list(result.launches[column]), [launch[column] for launch in data["launches"]], column)

    def test_checks_numbers_when_it_is_asked_to(self):
        self.assertEqual(kernbench.load().run("vector-add", rows=64, columns=64, verify=True).wrong, [])

    def test_says_what_is_wrong(self):
        topology = kernbench.load()
        with self.assertRaisesRegex(ValueError, "^unknown bench 'gemmm'; did you mean 'gemm'\\?$"):
            topology.run("gemmm")
        with self.assertRaisesRegex(ValueError, "^bench 'vector-add' has no parameter 'row'"):
            topology.run("vector-add", row=1)
        with self.assertRaisesRegex(ValueError, "^parameter 'columns' is too large: "):
            topology.run("vector-add", rows=1, columns=1 << 40)
        with self.assertRaisesRegex(kernbench.RunFailed, "^simulated time reached 5.000 us$"):
            topology.run("vector-add", time_limit_us=5)

    def test_lets_other_threads_run(self):
        topology, runs = kernbench.load(), []
        thread = threading.Thread(target=lambda: runs.append(topology.run("attention", queries=2048, keys=2048)))
        thread.start()
        steps = 0
        while thread.is_alive():
            steps += 1
            time.sleep(0.001)
        self.assertEqual(len(runs), 1)
        self.assertGreater(steps, 20)

    def test_names_benches_with_their_defaults(self):
        self.assertEqual(kernbench.benches()["vector-add"], {"rows": "1024", "columns": "256"})


class Studies(InAFolder):
    def test_of_a_server_have_the_data_of_the_program(self):
        words = ("--set=layers=1", "--prompt=4", "--output=2", "--seconds=0.01", "--loads=0.5", "--check=0", *SMALL)
        served = kernbench.load(**SMALL_KEYS).serve(loads=[0.5], prompt=4, output=2, seconds=0.01, checks=0, layers=1)
        expected = self.report("serve", *words)
        self.assertEqual((served.kind, served.outcome, served.data), (expected.kind, expected.outcome, expected.data))
        with self.assertRaisesRegex(ValueError, "^--set batch: the queue decides"):
            kernbench.load().serve(batch=2)
        with self.assertRaisesRegex(kernbench.BadInput, "no request arrives at load 0"):
            kernbench.load().serve(loads=[0.0], layers=1)

    def test_of_collectives_have_the_data_of_the_program(self):
        evaluated = kernbench.load(**SMALL_KEYS).evaluate("all-reduce", quick=True)
        expected = self.report("evaluate", "all-reduce", "--quick", *SMALL)
        self.assertEqual((evaluated.kind, evaluated.outcome, evaluated.data), (expected.kind, expected.outcome, expected.data))
        evaluated = kernbench.load(sip__cube_mesh__w=2, sip__cube_mesh__h=2).evaluate("topologies", quick=True)
        expected = self.report("evaluate", "topologies", "--quick", "--set=topology.sip.cube_mesh.w=2", "--set=topology.sip.cube_mesh.h=2")
        self.assertEqual((evaluated.kind, evaluated.outcome, evaluated.data), (expected.kind, expected.outcome, expected.data))
        with self.assertRaisesRegex(ValueError, "'gem' is not one of gemm, all-reduce, collectives, topologies"):
            kernbench.load().evaluate("gem")

    def test_explain_has_the_critical_paths_of_the_program(self):
        result = kernbench.load().run("gemm", m=256, n=256, k=256, explain=True)
        expected = self.report("run", "gemm", "--set=m=256", "--set=n=256", "--set=k=256", "--explain")
        self.assertEqual(result.data, expected.data)


class Builds(unittest.TestCase):
    def test_of_the_program_leave_the_package_out(self):
        build = pathlib.Path(kernbench.__file__).parents[2]

        def inputs(target):
            return [file for file in subprocess.run(["ninja", "-C", build, "-t", "inputs", target], check=True, text=True,
                                                    capture_output=True).stdout.splitlines()
                    if file.startswith("python/") or file.startswith(f"{ROOT}/python/")]

        self.assertEqual(inputs("kernbench"), [])
        self.assertNotEqual(inputs("package_files"), [])


class Probes(InAFolder):
    def test_has_the_latencies_of_the_program(self):
        data = self.report("probe").data
        sizes = sorted({result["bytes"] for case in data["cases"] for result in case["results"]})
        frame = kernbench.load().probe(sizes, jobs=2)
        self.assertGreater(len(frame), 100)
        keys = ["family", "case", "source", "target", "bytes", "latency_ps", "bottleneck_gbs"]
        self.assertEqual(set(frame[keys].itertuples(index=False, name=None)),
                         {(case["family"], case["case"], case["path"][0], case["path"][-1], result["bytes"],
                           result["actual_ps"], result["bottleneck_gbs"])
                          for case in data["cases"] for result in case["results"]})


class Sweeps(InAFolder):
    def test_is_a_frame_in_the_order_of_the_plan(self):
        plan = self.folder / "plan.yaml"
        plan.write_text("command: [run, vector-add]\nparameters:\n  bench.rows: [128, 64]\ntargets:\n  data.end_ps: min\n")
        rows = kernbench.sweep(plan, self.folder / "rows.db", "--jobs", "2")
        self.assertEqual(list(rows["bench.rows"]), [128, 64])
        self.assertEqual(list(rows["outcome"]), ["pass", "pass"])
        topology = kernbench.load()
        self.assertEqual(list(rows["data.end_ps"]), [topology.run("vector-add", rows=n).end_ps for n in (128, 64)])
        self.assertTrue(rows.equals(kernbench.read_sweep(self.folder / "rows.db")))

    def test_takes_a_plan_that_is_a_dictionary(self):
        plan = {"command": ["run", "vector-add"], "parameters": {"bench.rows": [64]}, "targets": {"data.end_ps": "min"}}
        rows = kernbench.sweep(plan, self.folder / "rows.db")
        self.assertEqual(list(rows["data.end_ps"]), [kernbench.load().run("vector-add", rows=64).end_ps])
        with self.assertRaisesRegex(ValueError, "^a plan that is a dictionary needs the name of the database$"):
            kernbench.sweep(plan)
        with self.assertRaisesRegex(kernbench.BadInput, "unknown key 'paramters'"):
            kernbench.sweep({**plan, "paramters": {}}, self.folder / "rows.db")

    def test_ends_the_program_of_a_sweep_with_its_own_process(self):
        program, pid = self.folder / "program", self.folder / "pid"
        program.write_text("#!/bin/sh\necho $$ >pid.new\nmv pid.new pid\nexec sleep 1000\n")
        program.chmod(0o755)
        code = "import kernbench; kernbench.sweep('plan.yaml', 'rows.db')"
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            with subprocess.Popen([sys.executable, "-c", code], cwd=self.folder, env={**os.environ, "KERNBENCH": str(program)},
                                  stderr=subprocess.DEVNULL) as process:
                while not pid.exists():
                    time.sleep(0.01)
                process.send_signal(number)
            state = pathlib.Path("/proc", pid.read_text().strip(), "stat")
            while state.exists() and state.read_text().rpartition(")")[2].split()[0] != "Z":
                time.sleep(0.01)
            pid.unlink()

    def test_names_a_program_that_cannot_be_run(self):
        former = os.environ.get("KERNBENCH")
        os.environ["KERNBENCH"] = str(self.folder / "none")
        try:
            with self.assertRaisesRegex(FileNotFoundError, r"^cannot run the program '.*/none' \(No such file or directory\); "
                                        "name it by KERNBENCH, or add its folder to PATH$"):
                kernbench.sweep(self.folder / "plan.yaml")
        finally:
            del os.environ["KERNBENCH"]
            if former is not None:
                os.environ["KERNBENCH"] = former

    def test_reads_rows_of_any_name_and_refuses_what_is_not_a_database(self):
        plan = {"command": ["run", "vector-add"], "parameters": {"bench.rows": [64]}, "targets": {"data.end_ps": "min"}}
        self.assertEqual(len(kernbench.sweep(plan, self.folder / "a?b#c%20 d.db")), 1)
        (self.folder / "text.db").write_text("no database " * 100)
        with self.assertRaisesRegex(ValueError, "text.db: not the database of a sweep"):
            kernbench.read_sweep(self.folder / "text.db")
        with self.assertRaises(FileNotFoundError):
            kernbench.read_sweep(self.folder / "none.db")

    def test_names_place_and_hint_of_each_error_of_a_plan(self):
        plan = self.folder / "plan.yaml"
        plan.write_text("command: [run, vector-add]\nparamters: {}\ntargets: {data.end_ps: minn}\n")
        with self.assertRaises(kernbench.BadInput) as caught:
            kernbench.sweep(plan, self.folder / "rows.db")
        file, done = str(plan), subprocess.run([os.environ["KERNBENCH"], "sweep", plan], cwd=self.folder, check=False, text=True,
                                               capture_output=True)
        self.assertEqual(str(caught.exception), done.stderr.rstrip("\n"))
        errors = {error.message: error[:3] + error[4:] for error in caught.exception.errors}
        self.assertEqual(errors["unknown key 'paramters'"], (file, 2, 1, "did you mean 'parameters'?"))
        self.assertEqual(len(caught.exception.errors), done.stderr.count("error: "))
        self.assertFalse((self.folder / "rows.db").exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
