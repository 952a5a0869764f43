#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sweeps on a real Slurm cluster.

KERNBENCH is the program. Exit code 77 if Slurm is not installed or the user is not root.
"""

import os
import pathlib
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
import slurm_cluster  # noqa: E402

KERNBENCH = os.environ["KERNBENCH"]
PLAN = """\
command: [run, --bench, vector-add]
parameters:
  bench.rows: {from: 64, to: 640, step: 64}
  bench.columns: [256, 512, 1024, 2048]
targets:
  data.end_ps: min
"""


class OnACluster(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = slurm_cluster.SlurmCluster(4)
        cls.cluster.start()
        cls.addClassCleanup(cls.cluster.stop)

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kernbench-sweep-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.folder.chmod(0o755)
        (self.folder / "plan.yaml").write_text(PLAN)
        self.engine = (pathlib.Path(__file__).resolve().parents[2] / "configs/engines/slurm.yaml").read_text()
        self.engine += "poll_s: 0.5\nlate_files_s: 1\n"  # all nodes are this host
        (self.folder / "slurm.yaml").write_text(self.engine)

    def start(self, *words):
        return subprocess.Popen([KERNBENCH, "sweep", *words], cwd=self.folder, env=self.cluster.environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)

    def sweep(self, *words):
        process = self.start(*words)
        out, err = process.communicate(timeout=120)
        return process.returncode, out, err

    def expected(self):
        """The CSV of the same sweep without a cluster."""
        code, _, err = self.sweep("plan.yaml", "--out", "local.db")
        self.assertEqual(code, 0, err)
        return (self.folder / "local.csv").read_bytes()

    def rows(self, name):
        with sqlite3.connect(f"file:{self.folder / name}?mode=ro", uri=True) as database:
            return database.execute("select count(*) from points").fetchone()[0]

    def wait_for_rows(self, name, count, limit=60):
        end = time.monotonic() + limit
        while time.monotonic() < end:
            try:
                if self.rows(name) >= count:
                    return
            except sqlite3.Error:
                pass
            time.sleep(0.05)
        self.fail(f"{name} has not {count} rows after {limit} s")

    def test_has_the_bytes_of_a_sweep_without_cluster(self):
        code, out, err = self.sweep("plan.yaml", "--engine", "slurm", "--out", "farm.db", "--partition", "short",
                                    "--time", "10", "--mem", "100", "--submit-option=--nice=1")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out, "PASS  40 points; wrote farm.db and farm.csv\n")
        self.assertEqual((self.folder / "farm.csv").read_bytes(), self.expected())
        self.assertFalse((self.folder / "farm.db.jobs").exists())

    def test_loses_nothing_with_a_node(self):
        process = self.start("plan.yaml", "--engine", "slurm.yaml", "--out", "farm.db", "--chunk-seconds", "0.3")
        self.wait_for_rows("farm.db", 1)
        self.cluster.kill_node("node2")
        try:
            out, err = process.communicate(timeout=120)
        finally:
            self.cluster.restart_node("node2")
        self.assertEqual((process.returncode, err), (0, ""))
        self.assertEqual(out, "PASS  40 points; wrote farm.db and farm.csv\n")
        self.assertEqual((self.folder / "farm.csv").read_bytes(), self.expected())

    def test_continues_after_a_kill_and_leaves_no_task(self):
        process = self.start("plan.yaml", "--engine", "slurm.yaml", "--out", "farm.db")
        self.wait_for_rows("farm.db", 1)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        before = self.rows("farm.db")
        self.assertLess(before, 40)
        code, out, err = self.sweep("plan.yaml", "--engine", "slurm.yaml", "--out", "farm.db")
        self.assertEqual((code, err), (0, ""))
        kept = int(re.match(r"(\d+) of 40 points are in 'farm.db' already\n", out)[1])
        self.assertGreaterEqual(kept, before)
        self.assertEqual((self.folder / "farm.csv").read_bytes(), self.expected())
        self.assertEqual(self.cluster.run("squeue", "--noheader").stdout, "")

    def test_cancels_its_tasks_when_it_is_interrupted(self):
        process = self.start("plan.yaml", "--engine", "slurm.yaml", "--out", "farm.db")
        self.wait_for_rows("farm.db", 1)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertRegex(out, r"interrupted with \d+ of 40 points in 'farm.db'; the same command continues the sweep\n")
        self.assertEqual(self.cluster.run("squeue", "--noheader").stdout, "")

    def test_ends_when_its_tasks_are_cancelled_on_the_cluster(self):
        process = self.start("plan.yaml", "--engine", "slurm.yaml", "--out", "farm.db")
        self.wait_for_rows("farm.db", 6)  # four come from the first tasks; most points are still to run
        self.cluster.run("scancel", "--me")
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (130, ""))
        self.assertRegex(out, r"interrupted with \d+ of 40 points in 'farm.db'; the same command continues the sweep\n")

    def test_says_what_the_cluster_refuses(self):
        code, out, err = self.sweep("plan.yaml", "--engine", "slurm.yaml", "--out", "farm.db", "--partition", "fast")
        self.assertEqual((code, out), (2, ""))
        self.assertRegex(err, "^error: the cluster refused the tasks: sbatch: error: .*invalid partition specified: fast|"
                              "^error: the cluster refused the tasks: sbatch: error: Batch job submission failed: Invalid partition")
        self.assertFalse((self.folder / "farm.db").exists())

    def test_says_that_nodes_do_not_share_the_folder(self):
        # On this node the folder of the jobs is another file system, as on a node that does not mount it.
        (self.folder / "apart.yaml").write_text(self.engine.replace("exec {kernbench}", "exec unshare --mount sh -c 'mount -t tmpfs none \"$1\" && shift && \"$@\"' sh {folder} {kernbench}"))
        code, out, err = self.sweep("plan.yaml", "--engine", "apart.yaml", "--out", "farm.db")
        self.assertEqual((code, out), (2, ""))
        self.assertRegex(err, "^error: a first task ended and left no file '.*/farm.db.jobs/1/1.results': the nodes must share the "
                              "folders '.*/farm.db.jobs' and '.*' and the program '.*/kernbench' "
                              r"\(exit code 2, node node[1-4], log '.*/farm.db.jobs/1/1.log'\)\n$")


def main():
    missing = slurm_cluster.missing_packages()
    if os.geteuid() != 0 or missing:
        print("skipped: " + (f"not installed: {' '.join(missing)}" if missing else "only root can start the daemons"))
        return 77
    unittest.main(verbosity=2)
    return 0


if __name__ == "__main__":
    sys.exit(main())
