#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of slurm_cluster.py: it runs jobs, notices lost nodes, and leaves nothing.

Exit code 77, which ctest shows as skipped, when the Debian packages of a cluster are missing.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

sys.dont_write_bytecode = True
from waiting import HANG_S  # noqa: E402
from slurm_cluster import ClusterError, SlurmCluster, missing_packages  # noqa: E402

PROGRAM = pathlib.Path(__file__).resolve().parent / "slurm_cluster.py"


def eventually(test, condition, describe=lambda: ""):
    """Returns the first true value of a condition."""
    end = time.monotonic() + HANG_S
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    test.fail(f"not within {HANG_S} s: {describe()}")


def processes_of(cluster_folder, text=""):
    """Returns the names of a cluster's processes, jobs included, whose environment has a text."""
    names = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            environment = (process / "environ").read_text(errors="replace")
            if f"={cluster_folder}/" in environment and text in environment:
                names.append((process / "comm").read_text().strip())
        except OSError:  # has ended, or belongs to another user
            pass
    return sorted(names)


class SharedFolder(unittest.TestCase):
    """Has a folder that all nodes see."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def submit(self, cluster, script, *options):
        """Submits a script and returns the identifier of its job. Its output is appended to TASK.log, or `job.log`."""
        (self.folder / "job.sh").write_text("#!/bin/sh\n" + script)
        log = "%a.log" if any(option.startswith("--array") for option in options) else "job.log"
        done = cluster.run("sbatch", "--parsable", f"--chdir={self.folder}", f"--output={log}", "--open-mode=append",
                           *options, self.folder / "job.sh")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.strip()

    def states(self, cluster, job):
        listed = cluster.run("squeue", "--noheader", "--array", "--states=all", f"--jobs={job}", "--Format=State:|").stdout
        return listed.replace("|", " ").split()

    def wait_for(self, cluster, job, *states):
        eventually(self, lambda: sorted(self.states(cluster, job)) == sorted(states), lambda: self.states(cluster, job))

    def files(self, pattern):
        return {path.name: path.read_text() for path in self.folder.glob(pattern)}


class Jobs(SharedFolder):
    @classmethod
    def setUpClass(cls):
        cls.cluster = SlurmCluster(4)
        cls.cluster.start()
        cls.addClassCleanup(cls.cluster.stop)

    def test_an_array_uses_all_nodes_and_leaves_its_files(self):
        job = self.submit(self.cluster, "sleep 1; echo $SLURM_ARRAY_TASK_ID >$SLURMD_NODENAME.$SLURM_ARRAY_TASK_ID\n",
                          "--array=0-7")
        self.wait_for(self.cluster, job, *["COMPLETED"] * 8)
        written = self.files("node*")
        self.assertEqual(sorted(written.values()), [f"{task}\n" for task in range(8)])
        self.assertEqual({name.split(".")[0] for name in written}, {"node1", "node2", "node3", "node4"})
        self.assertEqual(self.files("*.log"), {f"{task}.log": "" for task in range(8)})

    def test_a_killed_node_is_noticed_and_its_task_runs_elsewhere(self):
        job = self.submit(self.cluster, "echo $SLURMD_NODENAME; until [ -e go ]; do sleep 0.1; done; echo done\n",
                          "--array=0-3", "--requeue")
        started = lambda: [text for text in self.files("*.log").values() if text]
        eventually(self, lambda: len(started()) == 4)
        self.assertEqual(sorted(started()), ["node1\n", "node2\n", "node3\n", "node4\n"])
        lost, = (name for name, text in self.files("*.log").items() if text == "node2\n")
        self.cluster.kill_node("node2")
        self.assertEqual(processes_of(self.cluster.folder, "SLURMD_NODENAME=node2\0"), [])
        (self.folder / "go").touch()
        eventually(self, lambda: self.cluster.node_states()["node2"] == "down*", self.cluster.node_states)
        self.wait_for(self.cluster, job, *["COMPLETED"] * 4)
        logs = self.files("*.log")
        first, second, end = logs.pop(lost).split()
        self.assertEqual((first, second in ("node1", "node3", "node4"), end), ("node2", True, "done"))
        self.assertEqual(sorted(logs.values()), [f"node{number}\ndone\n" for number in (1, 3, 4)])
        self.cluster.restart_node("node2")
        self.assertEqual(self.cluster.node_states()["node2"], "idle")

    def test_a_partition_that_does_not_exist_is_refused(self):
        done = self.cluster.run("sbatch", "--partition=long", "--wrap=true")
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (1, "", "sbatch: error: invalid partition specified: long\n"
                                 "sbatch: error: Batch job submission failed: Invalid partition name specified\n"))


class NothingIsLeft(SharedFolder):
    """A cluster ends with the process that owns it, in every way that a process can end."""

    TASK = "setsid sleep 3000 & trap '' TERM; echo started; sleep 3000; sleep 3000\n"

    def test_of_a_stopped_cluster(self):
        with SlurmCluster(2) as cluster:
            job = self.submit(cluster, self.TASK)
            eventually(self, lambda: self.files("job.log") == {"job.log": "started\n"})
            self.assertEqual(self.states(cluster, job), ["RUNNING"])
            folder = cluster.folder
            self.assertEqual(sorted(path.name for path in folder.iterdir()), ["munged", "node1", "node2", "slurmctld"])
            self.assertLessEqual({"munged", "slurmctld", "slurmd", "slurmstepd", "slurm_script", "sleep"},
                                 set(processes_of(folder)))
        self.assertEqual(processes_of(folder), [])
        self.assertFalse(folder.exists())

    def test_of_a_cluster_that_does_not_start(self):
        with unittest.mock.patch("tempfile.tempdir", str(self.folder)), self.assertRaises(ClusterError) as raised:
            SlurmCluster(2, SelectType="select/none").start()
        self.assertRegex(str(raised.exception), r"\Aslurmctld has ended; its last lines:\n"
                                                r"(.*\n)*slurmctld: fatal: Can't find plugin for select/none\Z")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_of_an_interrupted_command(self):
        commands = {number: self.start_command(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)}
        for number, process in commands.items():
            with self.subTest(signal=number.name):
                folder = process.stdout.readline().removesuffix("/slurmctld/slurm.conf\n")
                eventually(self, lambda: self.files(f"{number}.log") == {f"{number}.log": "started\n"})
                self.assertIn("slurmctld", processes_of(folder))
                process.send_signal(number)
                self.assertEqual(process.wait(HANG_S), -9 if number == signal.SIGKILL else 128 + number)
                # COMMAND outlives only a program that has no chance to end it.
                leftover = ["sleep"] if number == signal.SIGKILL else []
                eventually(self, lambda: processes_of(folder) == leftover and not pathlib.Path(folder).exists(),
                           lambda: processes_of(folder))

    def start_command(self, number):
        """Starts a cluster that prints its SLURM_CONF, and in which a job writes to NUMBER.log."""
        script = (f"sbatch --output={self.folder}/{number}.log --wrap 'echo started; sleep 3000' >/dev/null\n"
                  "echo $SLURM_CONF; exec sleep 600")
        process = subprocess.Popen([sys.executable, PROGRAM, "--nodes", "1", "--", "sh", "-c", script],
                                   stdout=subprocess.PIPE, text=True, start_new_session=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(kill_session, process.pid)
        return process


def kill_session(leader):
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        pass


class TheCommand(SharedFolder):
    def run_cluster(self, *arguments, **environment):
        done = subprocess.run([sys.executable, PROGRAM, *arguments], env=os.environ | environment, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        # A thread of munged prints remarks at any time.
        return done.returncode, done.stdout, [line for line in done.stderr.splitlines() if ": Info: " not in line][-1:]

    def test_runs_a_command_in_a_cluster_and_returns_its_exit_code(self):
        # The settings of a job around it must not matter.
        self.assertEqual(self.run_cluster("--nodes", "3", "--set", "MinJobAge=77", "--", "sh", "-c",
                                          "sinfo --noheader --format='%P %D %t'; scontrol show config | grep MinJobAge; exit 3",
                                          SLURM_CONF="/nowhere", SINFO_PARTITION="none"),
                         (3, "main* 3 idle\nshort 3 idle\nMinJobAge               = 77 sec\n", []))
        self.assertEqual(self.run_cluster("--nodes", "1", "--", "sh", "-c", "kill -9 $$"), (137, "", []))

    def test_refuses_what_it_cannot_run(self):
        for arguments, message in ((["--nodes", "0", "--", "true"], "--nodes 0: a cluster has at least one node"),
                                   (["--set", "MinJobAge", "--", "true"],
                                    "--set MinJobAge: write KEY=VALUE, as in --set MinJobAge=2"),
                                   (["--", "nonesuch"], "nonesuch: there is no such command")):
            self.assertEqual(self.run_cluster(*arguments), (2, "", [f"slurm_cluster.py: error: {message}"]))
        long = self.folder / ("n" * 100)
        long.mkdir()
        self.assertEqual(self.run_cluster("--", "true", TMPDIR=str(long)),
                         (125, "", ["munged: Error: Exceeded maximum length of 108 bytes for socket pathname"]))
        self.assertEqual(list(long.iterdir()), [])


class TwoClusters(SharedFolder):
    def test_at_the_same_time_do_not_disturb_each_other(self):
        with SlurmCluster(2) as one, SlurmCluster(2) as two:
            ports = [reservation.getsockname()[1] for cluster in (one, two) for reservation in cluster.ports]
            self.assertEqual(len(set(ports)), 6)
            jobs = [self.submit(cluster, f"echo {name} >>first; until [ -e go ]; do sleep 0.1; done; echo {name} >>second\n",
                                "--array=0-1") for cluster, name in ((one, "one"), (two, "two"))]
            self.assertEqual(jobs, ["1", "1"])
            eventually(self, lambda: sorted(self.files("first").get("first", "").split()) == ["one"] * 2 + ["two"] * 2)
            one.kill_node("node1")
            one.stop()
            (self.folder / "go").touch()
            self.wait_for(two, jobs[1], "COMPLETED", "COMPLETED")
            self.assertEqual(self.files("second"), {"second": "two\ntwo\n"})
            self.assertEqual(two.node_states(), {"node1": "idle", "node2": "idle"})


def main():
    if missing_packages():
        print(f"skipped: install these Debian packages: {' '.join(missing_packages())}")
        sys.exit(77)
    unittest.main()


if __name__ == "__main__":
    main()
