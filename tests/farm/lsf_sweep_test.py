#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sweeps by configs/engines/lsf.yaml, with stand-ins for the commands of LSF. KERNBENCH is the program."""

import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
KERNBENCH = os.environ["KERNBENCH"]
PLAN = """\
command: [run, --bench, vector-add]
parameters:
  bench.rows: {from: 64, to: 768, step: 64}
targets:
  data.end_ps: min
"""


class OnStandIns(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kernbench-lsf-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "plan.yaml").write_text(PLAN)
        engine = (HERE.parents[1] / "configs/engines/lsf.yaml").read_text()
        (self.folder / "lsf.yaml").write_text(engine + "poll_s: 0.2\nlate_files_s: 0.5\n")
        (self.folder / "state").mkdir()
        (self.folder / "bin").mkdir()
        for name in ("bsub", "bjobs", "bkill"):
            (self.folder / "bin" / name).symlink_to(HERE / "lsf_stand_in.py")

    def sweep(self, *words, **environment):
        variables = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}", "LSF_STAND_IN": str(self.folder / "state"),
                     **environment}
        done = subprocess.run([KERNBENCH, "sweep", "plan.yaml", *words], cwd=self.folder, env=variables, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=120)
        return done.returncode, done.stdout, done.stderr

    def test_has_the_bytes_of_a_sweep_without_cluster(self):
        self.assertEqual(self.sweep("--out", "local.db"), (0, "PASS  12 points; wrote local.db and local.csv\n", ""))
        self.assertEqual(self.sweep("--engine", "lsf.yaml", "--partition", "normal", "--out", "farm.db", LSF_STAND_IN_DEAF="2"),
                         (0, "PASS  12 points; wrote farm.db and farm.csv\n", ""))
        self.assertEqual((self.folder / "farm.csv").read_bytes(), (self.folder / "local.csv").read_bytes())

    def test_gives_a_point_up_after_three_lost_tasks_and_names_node_and_log(self):
        code, out, err = self.sweep("--engine", "lsf.yaml", "--out", "farm.db", LSF_STAND_IN_DIES="--set=rows=128")
        self.assertEqual((code, err), (1, ""))
        self.assertRegex(out, r"^first failed point: bench.rows=128 \(internal-error\): the task of the point ended early 3 times; "
                              r"the last: exit code 1, node hostA, log '.*/farm.db.jobs/\d+/\d+.log'\n"
                              r"FAIL  12 points, 1 internal-error; wrote farm.db and farm.csv\n$")

    def test_ends_when_no_task_starts_a_point(self):
        code, out, err = self.sweep("--engine", "lsf.yaml", "--out", "farm.db", LSF_STAND_IN_EMPTY="1")
        self.assertEqual((code, out), (2, ""))
        self.assertRegex(err, r"^error: 10 tasks in a row ended before their first point; the last: exit code 1, node hostA, "
                              r"log '.*/farm.db.jobs/\d/\d.log'\n$")
        # The points of the first tasks have their rows.
        with sqlite3.connect(self.folder / "farm.db") as database:
            self.assertEqual(database.execute("select count(*) from points").fetchone(), (4,))

    def test_says_what_the_cluster_refuses(self):
        code, out, err = self.sweep("--engine", "lsf.yaml", "--partition", "fast", "--out", "farm.db")
        self.assertEqual((code, out), (2, ""))
        self.assertEqual(err, "error: the cluster refused the tasks: fast: No such queue. Job not submitted.\n")
        self.assertFalse((self.folder / "farm.db").exists())

    def test_knows_its_engines(self):
        self.assertEqual(self.sweep("--engine", "slrm"), (2, "", "error: --engine: 'slrm' is not one of local, lsf, slurm, ssh and not a "
                                                              "YAML file; did you mean 'slurm'?\n"))
        self.assertEqual(self.sweep("--partition", "a"), (2, "", "error: --partition needs --engine\n"))


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main(verbosity=2)
