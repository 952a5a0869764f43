#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sweeps by configs/engines/ssh.yaml, with a stand-in for ssh. KERNBENCH is the program."""

import os
import re
import signal
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
from stand_ins import BEST, ONE_CUBE, PLAN, OnStandIns  # noqa: E402
from waiting import HANG_S, finish, wait_until  # noqa: E402


def living_processes():
    """Process and group of each process that has not ended."""
    listed = subprocess.run(["ps", "-eo", "pid=,pgid=,stat="], check=True, text=True, capture_output=True).stdout
    rows = [line.split() for line in listed.splitlines()]
    return [(int(process), int(group)) for process, group, state in rows if not state.startswith("Z")]


class OverSsh(OnStandIns):
    engine = "ssh"
    commands = ("ssh",)

    def setUp(self):
        super().setUp()
        self.variables["KERNBENCH_HOSTS"] = "one two three"

    def test_has_the_bytes_of_a_sweep_on_one_machine(self):
        self.assertEqual(self.sweep("--output", "local.db")[0], 0)
        self.assertEqual(self.sweep("--engine", "ssh.yaml:chunk-seconds=0.1", "--output", "farm.db"),
                         (0, BEST + "PASS  12 points (12 exact); wrote farm.db and farm.csv\n", ""))
        self.assertEqual((self.folder / "farm.csv").read_bytes(), (self.folder / "local.csv").read_bytes())
        self.assertFalse((self.folder / "farm.db.jobs").exists())

    def test_runs_the_points_of_a_machine_that_is_lost_on_the_others(self):
        slow = (self.folder / "ssh.yaml").read_text().replace('"$1" job run', 'sleep 1; "$1" job run')
        (self.folder / "ssh.yaml").write_text(slow)
        process = self.start("--engine", "ssh.yaml", "--output", "farm.db")
        note = self.folder / "farm.db.jobs/2/job.array"
        self.wait_for(note)
        (self.folder / "state/two").touch()
        os.killpg(int(re.search(r"two:(\d+)", note.read_text())[1]), signal.SIGKILL)
        self.assertEqual(finish(process), (0, BEST + "PASS  12 points (12 exact); wrote farm.db and farm.csv\n", ""))

    def test_ends_when_no_machine_is_reached(self):
        for machine in ("one", "two", "three"):
            (self.folder / "state" / machine).touch()
        self.assertEqual(self.sweep("--engine", "ssh.yaml"), (2, "", "error: the cluster refused the tasks: " + "\n".join(
            f"ssh: connect to host {machine} port 22: No route to host" for machine in ("one", "two", "three")) + "\n"))

    def test_cancels_its_tasks_when_it_is_interrupted(self):
        (self.folder / "plan.yaml").write_text(PLAN.replace(f", {ONE_CUBE}", ""))  # its points take longer
        process = self.start("--engine", "ssh.yaml:chunk-seconds=0.1", "--output", "farm.db")
        note = self.folder / "farm.db.jobs/2/job.array"
        self.wait_for(note)
        groups = [int(number) for number in re.findall(r"(?:one|two|three):(\d+)", note.read_text())]
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=HANG_S), 130)
        process.communicate()
        self.assertNotEqual(groups, [])
        # They have got their signal when the sweep ends, and may take a moment to end.
        wait_until(self, "the tasks have ended", lambda: not any(group in groups for _, group in living_processes()))

    def test_needs_the_names_of_machines_and_has_no_options(self):
        del self.variables["KERNBENCH_HOSTS"]
        self.assertEqual(self.sweep("--engine", "ssh.yaml"),
                         (2, "", "error: the cluster refused the tasks: /bin/sh: 3: KERNBENCH_HOSTS: has the names of the machines, "
                                 "separated by blanks\n"))
        self.assertEqual(self.sweep("--engine", "ssh.yaml:partition=a"),
                         (2, "", "error: ssh.yaml: the engine has no option 'partition'; add it under 'options'\n"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
