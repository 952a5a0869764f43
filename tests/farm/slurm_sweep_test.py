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
import sys

sys.dont_write_bytecode = True
from waiting import finish  # noqa: E402
from on_a_cluster import OnACluster, main  # noqa: E402
from stand_ins import ONE_CUBE  # noqa: E402

PLAN = """\
command: [run, vector-add]
parameters:
  bench.rows: {from: 64, to: 640, step: 64}
  bench.columns: [256, 512, 1024, 2048]
targets:
  data.end_ps: min
"""
# Where a point may be over soon.
SMALL = PLAN.replace("vector-add]", f"vector-add, {ONE_CUBE}]")


class Sweeps(OnACluster):
    def setUp(self):
        super().setUp()
        (self.folder / "plan.yaml").write_text(PLAN)

    def start(self, *words):
        return super().start("sweep", *words)

    def sweep(self, *words):
        return self.kernbench(*words)

    def expected(self):
        """The CSV of the same sweep without a cluster."""
        code, _, err = self.sweep("plan.yaml", "--output", "local.db")
        self.assertEqual(code, 0, err)
        return (self.folder / "local.csv").read_bytes()

    def rows(self, name):
        with sqlite3.connect(f"file:{self.folder / name}?mode=ro", uri=True) as database:
            return database.execute("select count(*) from points").fetchone()[0]

    def wait_for_rows(self, name, count):
        def has_rows():
            try:
                return self.rows(name) >= count
            except sqlite3.Error:
                return False

        self.wait_until(f"{count} rows in {name}", has_rows)

    def test_has_the_bytes_of_a_sweep_without_cluster(self):
        (self.folder / "plan.yaml").write_text(SMALL)
        code, out, err = self.sweep("plan.yaml", "--engine", "slurm:partition=short,time=10,mem=100,submit=--nice=1",
                                    "--output", "farm.db")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out, "least data.end_ps: 3.78556 us with bench.rows=64, bench.columns=256\n"
                              "PASS  40 points (40 exact); wrote farm.db and farm.csv\n")
        self.assertEqual((self.folder / "farm.csv").read_bytes(), self.expected())
        self.assertFalse((self.folder / "farm.db.jobs").exists())

    def test_of_200_points_loses_nothing_with_a_node(self):
        (self.folder / "plan.yaml").write_text(SMALL.replace("[256, 512, 1024, 2048]", "{from: 64, to: 1280, step: 64}"))
        process = self.start("plan.yaml", "--engine", "slurm.yaml:chunk-seconds=1", "--output", "farm.db")
        self.wait_for_rows("farm.db", 1)
        self.cluster.kill_node("node2")
        try:
            code, out, err = finish(process)
        finally:
            self.cluster.restart_node("node2")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out, "least data.end_ps: 2.82556 us with bench.rows=64, bench.columns=64\n"
                              "PASS  200 points (200 exact); wrote farm.db and farm.csv\n")
        self.assertEqual((self.folder / "farm.csv").read_bytes(), self.expected())

    def test_continues_after_a_kill_and_leaves_no_task(self):
        (self.folder / "plan.yaml").write_text(PLAN.replace("[256, 512, 1024, 2048]", "[256, 512]"))
        process = self.start("plan.yaml", "--engine", "slurm.yaml", "--output", "farm.db")
        self.wait_for_rows("farm.db", 1)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        before = self.rows("farm.db")
        self.assertLess(before, 20)
        code, out, err = self.sweep("plan.yaml", "--engine", "slurm.yaml", "--output", "farm.db")
        self.assertEqual((code, err), (0, ""))
        kept = int(re.match(r"(\d+) of 20 points are in 'farm.db' already\n", out)[1])
        self.assertGreaterEqual(kept, before)
        self.assertEqual((self.folder / "farm.csv").read_bytes(), self.expected())
        self.assert_no_task_is_left()

    def test_of_a_bench_in_python_runs_its_file_and_those_that_it_imports(self):
        if not (pathlib.Path(os.environ["KERNBENCH"]).parents[1] / "python/kernbench/_interpreter.so").exists():
            self.skipTest("built without Python")
        (self.folder / "factors.py").write_text("FACTOR = 2.0\n")
        (self.folder / "mine.py").write_text("""import factors
import kernbench


@kernbench.kernel
def scale(tl, x):
    mine = x.local(tl)
    tl.store(mine, tl.load(mine) * factors.FACTOR if factors.FACTOR == 2.0 else tl.load(mine))


@kernbench.bench("scale", "x = 2 x", rows=1024)
def run(torch, rows):
    torch.launch(scale, torch.tensor(shape=(rows, 64)))
""")
        (self.folder / "plan.yaml").write_text(SMALL.replace("vector-add", "mine.py").replace("  bench.columns: [256, 512, 1024, 2048]\n", ""))
        before = self.expected()
        code, _, err = self.sweep("plan.yaml", "--engine", "slurm.yaml", "--output", "farm.db")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual((self.folder / "farm.csv").read_bytes(), before)
        (self.folder / "factors.py").write_text("FACTOR = 1.0\n")  # decides the keys of the points, and their times
        code, out, err = self.sweep("plan.yaml", "--engine", "slurm.yaml", "--output", "farm.db")
        self.assertEqual((code, err), (0, ""))
        self.assertNotIn("already", out)
        after = (self.folder / "farm.csv").read_bytes()
        self.assertNotEqual(after, before)
        (self.folder / "local.db").unlink()
        self.assertEqual(after, self.expected())

    def test_cancels_its_tasks_when_it_is_interrupted(self):
        process = self.start("plan.yaml", "--engine", "slurm.yaml", "--output", "farm.db")
        self.wait_for_rows("farm.db", 1)
        process.send_signal(signal.SIGINT)
        code, out, _ = finish(process)
        self.assertEqual(code, 130)
        self.assertRegex(out, r"interrupted with \d+ of 40 points in 'farm.db'; the same command continues the sweep\n")
        self.assert_no_task_is_left()

    def test_ends_when_its_tasks_are_cancelled_on_the_cluster(self):
        process = self.start("plan.yaml", "--engine", "slurm.yaml", "--output", "farm.db")
        self.wait_for_rows("farm.db", 6)  # four come from the first tasks; most points are still to run
        self.cluster.run("scancel", "--me")
        code, out, err = finish(process)
        self.assertEqual((code, err), (130, ""))
        self.assertRegex(out, r"interrupted with \d+ of 40 points in 'farm.db'; the same command continues the sweep\n")

    def test_says_what_the_cluster_refuses(self):
        code, out, err = self.sweep("plan.yaml", "--engine", "slurm.yaml:partition=fast", "--output", "farm.db")
        self.assertEqual((code, out), (2, ""))
        self.assertRegex(err, "^error: the cluster refused the tasks: sbatch: error: .*invalid partition specified: fast|"
                              "^error: the cluster refused the tasks: sbatch: error: Batch job submission failed: Invalid partition")
        self.assertFalse((self.folder / "farm.db").exists())

    def test_says_that_nodes_do_not_share_the_folder(self):
        # On this node the folder of the jobs is another file system, as on a node that does not mount it.
        (self.folder / "apart.yaml").write_text(self.engine.replace("exec {kernbench}", "exec unshare --mount sh -c 'mount -t tmpfs none \"$1\" && shift && \"$@\"' sh {folder} {kernbench}"))
        code, out, err = self.sweep("plan.yaml", "--engine", "apart.yaml", "--output", "farm.db")
        self.assertEqual((code, out), (2, ""))
        self.assertRegex(err, "^error: a first task ended and left no file '.*/farm.db.jobs/1/[1-4].results': the nodes must share the "
                              "folders '.*/farm.db.jobs' and '.*' and the program '.*/kernbench' "
                              r"\(exit code 2, node node[1-4], log '.*/farm.db.jobs/1/[1-4].log'\)\n$")


if __name__ == "__main__":
    main()
