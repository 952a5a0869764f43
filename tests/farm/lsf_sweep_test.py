#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sweeps by configs/engines/lsf.yaml, with stand-ins for the commands of LSF. KERNBENCH is the program."""

import signal
import sqlite3
import sys
import unittest

sys.dont_write_bytecode = True
from waiting import finish  # noqa: E402
from stand_ins import BEST, OnStandIns  # noqa: E402


class OverLsf(OnStandIns):
    engine = "lsf"
    commands = ("bsub", "bjobs", "bkill")

    def test_has_the_bytes_of_a_sweep_without_cluster(self):
        self.assertEqual(self.sweep("--output", "local.db"), (0, BEST + "PASS  12 points (12 exact); wrote local.db and local.csv\n", ""))
        self.assertEqual(self.sweep("--engine", "lsf.yaml:partition=normal", "--output", "farm.db", LSF_STAND_IN_DEAF="2"),
                         (0, BEST + "PASS  12 points (12 exact); wrote farm.db and farm.csv\n", ""))
        self.assertEqual((self.folder / "farm.csv").read_bytes(), (self.folder / "local.csv").read_bytes())

    def test_gives_a_point_up_after_three_lost_tasks_and_names_node_and_log(self):
        code, out, err = self.sweep("--engine", "lsf.yaml", "--output", "farm.db", LSF_STAND_IN_DIES="--set=rows=128")
        self.assertEqual((code, err), (1, ""))
        self.assertRegex(out, r"^" + BEST + r"first failed point: bench.rows=128 \(internal-error\): the task of the point ended early 3 times; "
                              r"the last: exit code 1, node hostA, log '.*/farm.db.jobs/\d+/\d+.log'\n"
                              r"FAIL  12 points \(11 exact\), 1 internal-error; wrote farm.db and farm.csv\n$")

    def test_ends_when_no_task_starts_a_point(self):
        code, out, err = self.sweep("--engine", "lsf.yaml", "--output", "farm.db", LSF_STAND_IN_EMPTY="1")
        self.assertEqual((code, out), (2, ""))
        self.assertRegex(err, r"^error: 10 tasks in a row ended before their first point; the last: exit code 1, node hostA, "
                              r"log '.*/farm.db.jobs/\d/\d.log'\n$")
        # The points of the first tasks have their rows.
        with sqlite3.connect(self.folder / "farm.db") as database:
            self.assertEqual(database.execute("select count(*) from points").fetchone(), (4,))

    def test_goes_on_when_only_a_task_that_was_quicker_than_the_polls_shows_that_a_node_works(self):
        self.assertEqual(self.sweep("--engine", "lsf.yaml", "--output", "farm.db", LSF_STAND_IN_BROKEN="16", LSF_STAND_IN_DEAF="6"),
                         (0, BEST + "PASS  12 points (12 exact); wrote farm.db and farm.csv\n", ""))

    def test_has_its_tasks_cancelled_also_when_the_cluster_is_slower_than_the_end_of_the_program(self):
        process = self.start("--engine", "lsf.yaml", "--output", "farm.db", LSF_STAND_IN_PENDS="1")
        jobs = self.folder / "farm.db.jobs"
        self.wait_for(jobs / "1/job.array")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(finish(process), (
            130, "interrupted with 0 of 12 points in 'farm.db'; the same command continues the sweep\n", ""))
        # The note stays: the next sweep waits until the tasks are gone.
        self.assertEqual([str(path.relative_to(jobs)) for path in jobs.rglob("*") if path.is_file()], ["1/job.array"])
        (self.folder / "state/release").touch()
        self.wait_for(self.folder / "state/killed")

    def test_says_what_the_cluster_refuses(self):
        code, out, err = self.sweep("--engine", "lsf.yaml:partition=fast", "--output", "farm.db")
        self.assertEqual((code, out), (2, ""))
        self.assertEqual(err, "error: the cluster refused the tasks: fast: No such queue. Job not submitted.\n")
        self.assertFalse((self.folder / "farm.db").exists())

    def test_knows_its_engines(self):
        self.assertEqual(self.sweep("--engine", "slrm"), (2, "", "error: --engine: 'slrm' is not one of local, lsf, slurm, ssh and not a "
                                                              "YAML file; did you mean 'slurm'?\n"))
        self.assertEqual(self.sweep("--engine", "local:partition=a"),
                         (2, "", "error: --engine: local has no settings, but 'partition=a' is given\n"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
