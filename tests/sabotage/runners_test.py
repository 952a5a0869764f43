#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that the scripts that judge fail when there is nothing to judge: no tests, no files, a tool that says nothing."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path += [str(ROOT / "scripts"), str(ROOT / "formal"), str(ROOT / "tests/sabotage")]


def module(path):
    spec = importlib.util.spec_from_file_location(path.stem.replace("-", "_"), path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "bin").mkdir()

    def tool(self, name, text):
        """Puts a tool in front of those of the machine."""
        path = self.folder / "bin" / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return path

    def run_script(self, *command, text=""):
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        return subprocess.run([str(word) for word in command], cwd=self.folder, input=text, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=os.environ | {"PATH": path})

    def fails(self, code, message, *command, text=""):
        done = self.run_script(*command, text=text)
        self.assertEqual(done.returncode, code, done.stdout)
        self.assertIn(message, done.stdout)
        self.assertNotIn("Traceback", done.stdout)


class Ctest(InAFolder):
    def build(self, text):
        (self.folder / "build").mkdir()
        (self.folder / "build/CTestTestfile.cmake").write_text(text)
        return ROOT / "scripts/run-ctest.py", self.folder / "build", "1"

    def test_without_tests_fails(self):
        done = self.run_script(*self.build(""))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("FAIL  no test ran", done.stdout)

    def test_a_filter_that_matches_nothing_fails(self):
        script = self.build('add_test(one "/bin/true")\n')
        done = self.run_script(*script, "-R", "two")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("FAIL  no test ran", done.stdout)
        self.assertEqual(self.run_script(*script).returncode, 0)

    def test_a_program_without_cases_fails_and_skipped_cases_are_named(self):
        script = self.build('add_test(one "/bin/true")\n')
        cases = self.folder / "build/reports/cases"
        cases.mkdir(parents=True)
        (cases / "one.xml").write_text('<testsuites tests="1"><testsuite><testcase classname="A" name="B" '
                                       'result="skipped"/></testsuite></testsuites>')
        done = self.run_script(*script)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("not tested, 1 cases skipped: A.B", done.stdout)
        self.assertIn("FAIL  one ran no case", done.stdout)


class Tidy(InAFolder):
    def test_without_sources_is_refused(self):
        (self.folder / "compile_commands.json").write_text("[]")
        self.tool("clang-tidy", "echo version")
        self.fails(2, "names no source of the repository", ROOT / "scripts/tidy.py", self.folder, self.folder / "stamps")


class Spread(InAFolder):
    def test_without_commands_is_refused(self):
        self.fails(2, "there are no commands", ROOT / "scripts/spread.py", text="\n")

    def test_tasks_that_leave_no_result_are_refused(self):
        program = self.tool("program", 'echo > "$(dirname "$3")/results"; : > "$(dirname "$3")/results"')
        self.fails(2, "1 of 1 tasks left no result", ROOT / "scripts/spread.py", "--kernbench", program, "--work",
                   self.folder / "work", "--engine", "slurm", text="true\n")


class Structure(InAFolder):
    def test_a_silent_tool_fails(self):
        self.tool("verilator", "exit 1")
        self.fails(1, "lint: ", ROOT / "scripts/check_structure.py", "lint")
        self.tool("iverilog", "exit 1")
        self.fails(1, "icarus: ", ROOT / "scripts/check_structure.py", "icarus")
        self.tool("yosys", "exit 0")
        done = self.run_script(ROOT / "scripts/check_structure.py", "synth")
        self.assertNotEqual(done.returncode, 0, done.stdout)

    def test_a_filter_that_matches_nothing_fails(self):
        self.fails(1, "no configuration has 'nothing'", ROOT / "scripts/check_structure.py", "synth", "--only", "nothing")


class Proofs(InAFolder):
    def test_a_task_without_a_result_proves_nothing(self):
        tasks = module(ROOT / "formal/tasks.py")
        task = tasks.Task("empty", [], lambda: [])
        with self.assertRaisesRegex(tasks.NoResult, "empty gave no result"):
            tasks.run_all([task], [], self.folder, 1, lambda *_: None)

    def test_a_kept_result_that_is_empty_is_not_used(self):
        tasks = module(ROOT / "formal/tasks.py")
        (self.folder / "kept.json").write_text("[]")
        self.assertIsNone(tasks.recall(self.folder / "kept.json"))

    def test_a_filter_that_matches_nothing_is_refused(self):
        self.fails(2, "no task has nothing-like-this", ROOT / "formal/prove.py", "--only", "nothing-like-this", "--work",
                   self.folder / "work")

    def test_a_solver_that_prints_nothing_proves_nothing(self):
        solver = module(ROOT / "formal/solver.py")
        self.tool("berkeley-abc", "exit 0")
        circuit = solver.Circuit(self.folder, {"broken": 0})
        path = os.environ["PATH"]
        os.environ["PATH"] = f"{self.folder / 'bin'}:{path}"
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        self.assertEqual(solver.prove_never(circuit, "broken", 1).outcome, "undecided")
        self.assertEqual(solver.reach(circuit, "broken", 1, 1).outcome, "undecided")

    def test_a_report_without_results_fails(self):
        report = module(ROOT / "formal/report.py")

        class Options:
            work, only, slice, rtl = self.folder, ["x"], False, self.folder

        self.assertEqual(report.write([], [], [], Options, "0", 0.0), 1)


class Sabotages(InAFolder):
    def test_a_name_that_is_not_in_the_list_is_refused(self):
        self.fails(2, "no such sabotage is in the list", ROOT / "tests/sabotage/sabotage.py", self.folder, "--only", "none")

    def test_a_program_that_runs_no_test_notices_nothing(self):
        sabotage = module(ROOT / "tests/sabotage/sabotage.py")
        with self.assertRaises(sabotage.BrokenProgram):
            sabotage.first_failure(self.tool("program", "exit 127"))
        self.assertIsNone(sabotage.first_failure(self.tool("program", "exit 0")))
        self.assertEqual(sabotage.first_failure(self.tool("program", "kill -ABRT $$")), "ends with -6")


class NetworkMutants(InAFolder):
    SCRIPT = ROOT / "tests/network_mutants/network_mutants.py"

    def test_a_kind_that_is_not_in_the_list_is_refused(self):
        self.fails(2, "no kind is called 'none'", self.SCRIPT, "--only", "none")

    def test_a_sound_network_must_pass_each_set_of_suites_first(self):
        """A run that fails on sound RTL too would seem to notice every error."""
        for failing in ("multicast-few", ""):
            report = {"data": {"cases": [{"suite": "a", "outcome": "mismatch",
                                          "failures": [{"checker": "lockstep", "message": "port 3 is stuck"}]}]}}
            kernbench = self.tool("kernbench", f'case "$1" in model) exit 0 ;; esac\ncase "$*" in *multicast-few*) quick=1 ;; esac\n'
                                               f'test "{failing}" = "${{quick:+multicast-few}}" || exit 0\n'
                                               f"mkdir -p build/reports; echo '{json.dumps(report)}' > build/reports/report.json; exit 1")
            self.fails(1, "network fails without an error: a: port 3 is stuck", self.SCRIPT, "--kernbench", kernbench,
                       "--slice", "1", "--work", self.folder / "work")

    def test_a_run_that_fails_without_an_error_is_not_a_kill(self):
        kernbench = self.tool("kernbench", 'test "$1" = model || { echo "note: no reason"; exit 1; }')
        self.fails(2, "exit code 1 and no case that failed", self.SCRIPT, "--kernbench", kernbench, "--slice", "1",
                   "--work", self.folder / "work")

    def test_a_run_ends_by_its_processor_time_and_not_by_the_clock(self):
        mutants = module(self.SCRIPT)
        options = types.SimpleNamespace(kernbench=self.tool("kernbench", "while :; do :; done"), cpu_limit=1)
        run = options, (4, 4), ["model"], self.folder / "run", 1, (0, 0, 0, 0), []
        self.assertEqual(mutants.simulate(*run), (False, "time", "no end within 1 s of processor time", []))
        self.tool("kernbench", "exit 0")
        self.assertEqual(mutants.simulate(*run), (True, "", "", []))


class Fuzz(InAFolder):
    SCRIPT = ROOT / "tests/fuzz/run.sh"

    def program(self, text):
        (self.folder / "tests/fuzz").mkdir(parents=True, exist_ok=True)
        path = self.folder / "tests/fuzz/csv_import_fuzz"
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def test_a_program_without_a_run_fails(self):
        self.program("exit 0")
        self.fails(1, "ended without a run", self.SCRIPT, self.folder, "1", "csv_import_fuzz")
        self.program("echo 'stat::number_of_executed_units: 0'")
        self.fails(1, "ended without a run", self.SCRIPT, self.folder, "1", "csv_import_fuzz")
        self.program("echo 'stat::number_of_executed_units: 7'")
        done = self.run_script(self.SCRIPT, self.folder, "1", "csv_import_fuzz")
        self.assertEqual((done.returncode, done.stdout), (0, "csv_import_fuzz: nothing found in 7 runs\n"))

    def test_a_program_that_is_not_there_or_has_no_seeds_fails(self):
        self.fails(1, "there is no none_fuzz.seeds", self.SCRIPT, self.folder, "1", "none_fuzz")
        self.fails(1, "csv_import_fuzz: failed", self.SCRIPT, self.folder, "1", "csv_import_fuzz")


class Sanitizers(InAFolder):
    SCRIPT = ROOT / "tests/sanitize/run.sh"

    def test_a_filter_that_leaves_no_test_fails(self):
        (self.folder / "tests").mkdir()
        program = self.folder / "tests/some_test"
        program.write_text("#!/bin/sh\nexit 0\n")
        program.chmod(0o755)
        self.fails(1, "no test is left", self.SCRIPT, "run", self.folder, "some_test", "--gtest_filter=None")

    def test_a_fault_that_is_not_seen_fails(self):
        (self.folder / "tests").mkdir()
        program = self.folder / "tests/heap_overflow"
        program.write_text("#!/bin/sh\nexit 0\n")
        program.chmod(0o755)
        self.fails(1, "its fault was not seen", self.SCRIPT, "find", self.folder, "heap_overflow")


class Recomputed(InAFolder):
    def export(self, kind, data):
        path = self.folder / f"{kind}.json"
        path.write_text(json.dumps({"schema": 1, "kind": kind, "config_hash": "0", "data": data}))
        return path

    def test_latencies_of_an_empty_probe_fail(self):
        hbm = {"channels": 1, "interleave": "modulo", "slice_bw_gbs": 1.0}
        export = self.export("topology", {"system": {"flit_bytes": 256, "request_bytes": 16}, "nodes": [], "edges": [],
                                          "components": {"hbm_ctrl": hbm}})
        probe = self.export("probe", {"cases": []})
        self.fails(1, "FAIL  nothing was compared", ROOT / "scripts/recompute-probe.py", export, probe)

    def test_routes_of_an_empty_file_fail(self):
        (self.folder / "routes.txt").write_text("")
        export = self.export("topology", {"nodes": [], "edges": []})
        self.fails(1, "nothing was compared", ROOT / "scripts/recompute-routes.py", export, self.folder / "routes.txt")


class Demonstration(InAFolder):
    def test_a_run_that_finds_nothing_fails(self):
        program = self.tool("kernbench", "exit 0")
        self.fails(1, "the error was not found", ROOT / "scripts/demo.sh", program, self.folder / "demo")


if __name__ == "__main__":
    unittest.main()
