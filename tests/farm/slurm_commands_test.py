#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Commands whose parts run on a real Slurm cluster: their reports have the bytes of a run on one machine.

KERNBENCH is the program, KERNBENCH_MODEL a model of TOPO of 4x3 nodes, KERNBENCH_NETWORK one of a network of 4x3.
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
from waiting import finish  # noqa: E402
from on_a_cluster import ROOT, OnACluster, main  # noqa: E402

REGRESSION = """\
name: farm
fabric: {nx: 4, ny: 3}
suites:
  - {name: saturation, seeds: 10, cycles: 20000, traffic: {pattern: all_links, load: 1.0, payload: raw}}
  - {name: stalls, seeds: 10, cycles: 30000, back_pressure: {kind: heavy_tailed, longest: 50}}
  - {name: faults, seeds: 2, cycles: 3000, faults: [{kind: drop}, {kind: duplicate}]}
"""


def without_host(text):
    """A report without the times of this host."""
    text = re.sub(r'"host": \{[^}]*\},?', "", text)
    text = re.sub(r' time="[^"]*"', "", text)  # JUnit
    text = re.sub(r'<td class="n" data-v="\d+\.\d{3}">[^<]*</td></tr>', "</tr>", text)  # HTML, by case
    return re.sub(r"\d+(\.\d+)?( ms| s| min)\b", "", text)  # the verdict


class Base(OnACluster):
    """A regression of the links, with the reference in place of the RTL."""

    def setUp(self):
        super().setUp()
        (self.folder / "farm.yaml").write_text(REGRESSION)
        self.words = ["sim", "farm.yaml", "--model", os.environ["KERNBENCH_MODEL"], "--no-structure", "--report", "out"]

    def files(self):
        return {path.name: without_host(path.read_text()) for path in sorted((self.folder / "out").iterdir()) if path.is_file()}

    def expected(self):
        code, _, err = self.kernbench(*self.words)
        self.assertEqual((code, err), (0, ""))
        files = self.files()
        self.assertEqual(list(files), ["coverage.json", "junit.xml", "report.html", "report.json", "summary.txt"])
        for path in (self.folder / "out").iterdir():
            path.unlink()
        return files

    def same_outputs(self, words, names):
        code, out, err = self.kernbench(*words)
        self.assertEqual((code, err), (0, ""))
        expected = {name: (self.folder / name).read_bytes() for name in names}
        for name in names:
            (self.folder / name).unlink()
        farm = self.kernbench(*words, "--engine=slurm.yaml")
        self.assertEqual(farm, (0, out, ""))
        self.assertEqual({name: (self.folder / name).read_bytes() for name in names}, expected)


class Regressions(Base):
    def test_have_the_same_reports_also_when_a_node_is_lost(self):
        expected = self.expected()
        process = self.start(*self.words, "--engine=slurm.yaml:chunk-seconds=0.3,partition=short,time=10")
        self.wait_until("a case has ended", lambda: list((self.folder / "out").glob("report.json.jobs/*.part")))
        self.cluster.kill_node("node2")
        try:
            code, _, err = finish(process)
        finally:
            self.cluster.restart_node("node2")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(self.files(), expected)
        self.assertFalse((self.folder / "out/report.json.jobs").exists())
        # Until the node has registered again, the controller counts a task that was lost with it as running.
        self.wait_until("no task is left", lambda: self.tasks() == "")

    def test_do_not_need_the_node_whose_disk_is_full(self):
        # On this node no file can be longer than 0 bytes.
        full = '[ "$SLURMD_NODENAME" = node1 ] && ulimit -f 0; trap "" XFSZ; exec {kernbench}'
        (self.folder / "full.yaml").write_text(self.engine.replace("exec {kernbench}", full))
        expected = self.expected()
        code, _, err = self.kernbench(*self.words, "--engine=full.yaml:chunk-seconds=0.3")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(self.files(), expected)


class Commands(Base):
    def test_commands_of_a_job_file(self):
        (self.folder / "job.json").write_text(json.dumps({
            "schema": 1, "kind": "job", "folder": str(self.folder), "results": str(self.folder / "results"),
            "targets": ["data.end_ps"],
            "points": [{"key": str(rows), "attempt": 1, "command": ["run", "vector-add", f"--set=rows={rows}"]}
                       for rows in (64, 128, 192)]}))
        self.assertEqual(self.kernbench("job", "run", "job.json", "--engine=slurm.yaml"), (0, "", ""))
        rows = [json.loads(line) for line in (self.folder / "results").read_text().splitlines()]
        self.assertEqual(sorted(row["key"] for row in rows), ["128", "192", "64"])
        self.assertEqual({row["outcome"] for row in rows}, {"pass"})
        # Again: all of them have their end.
        self.assertEqual(self.kernbench("job", "run", "job.json", "--engine=slurm.yaml"), (0, "", ""))
        self.assertEqual(len((self.folder / "results").read_text().splitlines()), 3)

    def test_commands_of_the_shell(self):
        done = subprocess.run([ROOT / "scripts/spread.py", "--kernbench", os.environ["KERNBENCH"], "--engine", "slurm.yaml",
                               "--work", self.folder / "work"], input="echo one\necho two >&2; exit 3\n", cwd=self.folder,
                              env=self.cluster.environment, text=True, capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "one\ntwo\n", ""))

    def test_a_dry_run_prints_the_script_and_runs_nothing(self):
        for words in (["sim"], ["evaluate", "gemm", "--json", "g.json"],
                      ["cosim"], ["sim", "--packets", "1"]):
            code, out, err = self.kernbench(*words, "--engine=slurm:mem=100,dry-run")
            self.assertEqual((code, err), (0, ""))
            self.assertRegex(out, r"^avoid=''\nsbatch --parsable .*--array=1-1 .*\.jobs/1/%a.log \\\n  \$\{avoid:\+--exclude=\"\$avoid\"\} --mem=100 <<'END'\n#!/bin/sh\n"
                                  r"exec \S+ job run \S+\.jobs/1/\"\$SLURM_ARRAY_TASK_ID\"\.json\nEND\n$")
        self.assert_no_task_is_left()


class Others(Base):
    """Commands that take longer."""

    def test_report_a_case_that_no_node_can_run_with_node_and_log(self):
        # A node kills the process of one case, again and again.
        killer = self.folder / "kill-3"
        killer.write_text('#!/bin/sh\ncase "$*" in *--part=0.3:*) kill -9 $$ ;; esac\nexec "$KERNBENCH_REAL" "$@"\n')
        killer.chmod(0o755)
        self.cluster.environment["KERNBENCH_REAL"] = os.environ["KERNBENCH"]
        patched = self.engine.replace(
            "exec {kernbench}", "sed -i 's#\"folder\"#\"program\": \"'" + str(killer) + "'\", \"folder\"#' {folder}/\"$SLURM_ARRAY_TASK_ID\".json\n  exec {kernbench}")
        (self.folder / "kill.yaml").write_text(patched)
        code, out, _ = self.kernbench(*self.words, "--engine=kill.yaml:chunk-seconds=0.3")
        self.assertEqual(code, 5, out)
        cases = json.loads((self.folder / "out/report.json").read_text())["data"]["cases"]
        failed = [case for case in cases if case["outcome"] != "pass"]
        self.assertEqual((len(cases), len(failed)), (24, 1))
        self.assertEqual(failed[0]["outcome"], "internal-error")
        self.assertRegex(failed[0]["reason"], r"^the task of the point ended early 3 times; the last: exit code 2, node node[1-4], "
                                              r"log '.*/out/report.json.jobs/\d+/\d+.log'$")
        log = pathlib.Path(re.search("log '(.*)'", failed[0]["reason"])[1])
        self.assertIn("the command of point 0.3 left no result; the command was ended by signal 9 (Killed)", log.read_text())

    def test_cancel_their_tasks_when_they_are_interrupted_and_report_what_has_ended(self):
        process = self.start(*self.words, "--engine=slurm.yaml:chunk-seconds=0.3")
        self.wait_until("a case has ended", lambda: list((self.folder / "out").glob("report.json.jobs/*.part")))
        process.send_signal(signal.SIGINT)
        code, _, err = finish(process)
        self.assertEqual(code, 130)
        self.assertRegex(err, r"^error: interrupted after \d+ of 24 cases; the reports have those\n$")
        report = json.loads((self.folder / "out/report.json").read_text())
        self.assertEqual(report["outcome"], "interrupted")
        self.assertGreater(len(report["data"]["cases"]), 0)
        self.assert_no_task_is_left()

    def test_of_the_network_have_the_same_reports(self):
        words = ["sim", "configs/regressions/network.yaml", "--model", os.environ["KERNBENCH_NETWORK"], "--suite", "uniform", "--suite", "resets",
                 "--report", "out"]
        self.assertEqual(self.kernbench(*words)[0], 0)
        expected = self.files()
        self.assertIn("report.json", expected)
        code, _, err = self.kernbench(*words, "--engine=slurm.yaml")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(self.files(), expected)

    def test_of_a_soak_have_the_same_state(self):
        words = ["sim", "chunk.yaml", "--model", os.environ["KERNBENCH_MODEL"], "--packets", "1000000", "--report", "out"]
        (self.folder / "chunk.yaml").write_text("name: chunk\nfabric: {nx: 4, ny: 3}\nsuites:\n  - {name: stalls, cycles: 4000}\n")
        self.assertEqual(self.kernbench(*words)[0], 0)
        expected = self.files()
        for path in (self.folder / "out").iterdir():
            path.unlink()
        code, _, err = self.kernbench(*words, "--engine=slurm.yaml")
        self.assertEqual((code, err), (0, ""))
        self.assertGreater(json.loads(expected["soak.json"])["data"]["chunks"], 4)  # more than the first array
        self.assertEqual(self.files(), expected)

    def test_workloads_of_a_cosimulation(self):
        self.same_outputs(["cosim", "--topology", ROOT / "configs/topology-maze-8x8.yaml", "--fabric", "all", "--set",
                           "topology.sip.cube_mesh.w=4", "--set", "topology.sip.cube_mesh.h=3", "--model",
                           os.environ["KERNBENCH_NETWORK"], "--workload", "uniform_random", "--workload", "bench:all-reduce",
                           "--set", "bytes=512", "--loads", "0.1,0.5", "--cycles", "200",
                           "--json", "a.json", "--html", "a.html"], ["a.json", "a.html"])

    def test_patterns_of_a_calibration(self):
        self.same_outputs(["cosim", "--calibrate", "p.yaml", "--workload", "uniform_random", "--workload", "transpose",
                           "--cycles", "100", "--json", "c.json"], ["p.yaml", "c.json"])

    def test_points_of_an_evaluation(self):
        self.same_outputs(["evaluate", "gemm", "--quick", "--json", "g.json"], ["g.json"])


if __name__ == "__main__":
    main()
