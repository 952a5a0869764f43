#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of configs/engines/slurm.yaml: its commands run chunks on real daemons, and name every state of a chunk.

Exit code 77, which ctest shows as skipped, when the Debian packages of a cluster are missing.
"""

import pathlib
import shlex
import shutil
import sys
import unittest.mock

sys.dont_write_bytecode = True
import yaml  # noqa: E402
from slurm_cluster import SlurmCluster, reserved_port  # noqa: E402
from slurm_cluster_test import SharedFolder, eventually, main  # noqa: E402

ENGINE = yaml.safe_load((pathlib.Path(__file__).resolve().parents[2] / "configs/engines/slurm.yaml").read_text())
# Stands in for `kernbench job run FILE`: the file is a script.
KERNBENCH = """#!/bin/sh
[ "$1 $2" = 'job run' ] && . "$3"
"""


class Engine(SharedFolder):
    """The commands, with a stand-in for `kernbench job run`."""

    @classmethod
    def setUpClass(cls):
        cls.cluster = SlurmCluster(4)
        cls.cluster.start()
        cls.addClassCleanup(cls.cluster.stop)

    def setUp(self):
        super().setUp()
        self.kernbench = self.folder / "it's kernbench"
        self.kernbench.write_text(KERNBENCH)
        self.kernbench.chmod(0o755)
        self.chunks = self.folder / "it's a run"
        self.chunks.mkdir()

    def command(self, kind, **values):
        """Runs a command of the engine and returns its exit code, output and errors."""
        text = ENGINE[kind]
        for placeholder, value in values.items():
            words = value if isinstance(value, list) else [str(value)]
            text = text.replace("{" + placeholder + "}", " ".join(shlex.quote(word) for word in words))
        done = self.cluster.run("sh", "-c", text)
        return done.returncode, done.stdout.rstrip("\n"), done.stderr

    def try_to_submit(self, scripts, avoid="", **options):
        """Writes {chunk: script} and submits it. Returns the command's exit code, output and errors."""
        for number, script in scripts.items():
            (self.chunks / f"{number}.json").write_text(script)
        words = [ENGINE["options"].get(key, "{value}").replace("{value}", value) for key, value in options.items()]
        return self.command("submit", name="a run", folder=self.chunks, kernbench=self.kernbench,
                            avoid=avoid, chunks=",".join(str(number) for number in scripts), options=words)

    def submit(self, scripts, **options):
        """Submits {chunk: script}, or the chunks 1, 2 and so on of a list, and returns the job."""
        chunks = scripts if isinstance(scripts, dict) else dict(enumerate(scripts, 1))
        code, job, errors = self.try_to_submit(chunks, **options)
        self.assertEqual((code, errors), (0, ""))
        return job

    def poll(self, job):
        """Returns {chunk: [state, node, detail]}."""
        code, lines, errors = self.command("poll", job=job)
        self.assertEqual((code, errors), (0, ""))
        return {int(line.split()[0]): line.split(" ", 3)[1:] for line in lines.splitlines()}

    def wait_until(self, job, expected):
        """Waits until the chunks have these states and details."""
        def seen():
            return {chunk: (state, detail) for chunk, (state, _, detail) in self.poll(job).items()}
        eventually(self, lambda: seen() == expected, seen)

    def test_runs_each_chunk_and_names_how_it_ended(self):
        job = self.submit(["echo to the log", "exit 3", "kill -9 $$", "kill -15 $$", "exit 130"])
        self.wait_until(job, {1: ("finished", ""), 2: ("failed", "exit code 3"), 3: ("failed", "signal 9"),
                              4: ("failed", "signal 15"), 5: ("failed", "exit code 130")})
        self.assertLessEqual({node for _, node, _ in self.poll(job).values()}, set(self.cluster.nodes))
        logs = {path.name: path.read_text() for path in self.chunks.glob("*.log")}
        self.assertEqual(logs, {"1.log": "to the log\n", "2.log": "", "3.log": "", "4.log": "", "5.log": ""})

    def test_runs_nothing_on_nodes_to_avoid(self):
        job = self.submit(["true"] * 4, avoid="node1,node2,node4")
        self.wait_until(job, {chunk: ("finished", "") for chunk in range(1, 5)})
        self.assertEqual({node for _, node, _ in self.poll(job).values()}, {"node3"})

    def test_names_what_waits_runs_and_is_cancelled(self):
        job = self.submit(["exec sleep 3000"] * 2, further="--nodelist=node4", mem="1000", time="50", partition="short")
        self.wait_until(job, {1: ("running", ""), 2: ("waiting", "Resources")})
        self.assertEqual(self.poll(job), {1: ["running", "node4", ""], 2: ["waiting", "-", "Resources"]})
        self.assertEqual(self.command("cancel", job=job), (0, "", ""))
        self.wait_until(job, {1: ("cancelled", ""), 2: ("cancelled", "")})

    def test_names_a_chunk_that_slurm_starts_again(self):
        job = self.submit(["exec sleep 3000"], further="--requeue")
        self.wait_until(job, {1: ("running", "")})
        self.assertEqual(self.cluster.run("scontrol", "requeue", job).returncode, 0)
        self.wait_until(job, {1: ("waiting", "BeginTime, restart 1")})
        self.assertEqual(self.command("cancel", job=job), (0, "", ""))

    def test_names_a_chunk_whose_node_is_lost_which_runs_when_it_is_submitted_again(self):
        job = self.submit([f"echo $SLURM_JOB_ID; until [ -e {self.folder}/go ]; do sleep 0.1; done"] * 2)
        self.wait_until(job, {1: ("running", ""), 2: ("running", "")})
        lost = self.poll(job)[2][1]
        # A chunk runs before its program has begun.
        eventually(self, lambda: (self.chunks / "2.log").exists() and (self.chunks / "2.log").read_text())
        self.cluster.kill_node(lost)
        self.wait_until(job, {1: ("running", ""), 2: ("lost", "NODE_FAIL")})
        self.assertEqual(self.poll(job)[2], ["lost", lost, "NODE_FAIL"])
        (self.folder / "go").touch()
        self.wait_until(job, {1: ("finished", ""), 2: ("lost", "NODE_FAIL")})
        again = self.submit({2: (self.chunks / "2.json").read_text()})
        self.wait_until(again, {2: ("finished", "")})
        self.assertEqual(len((self.chunks / "2.log").read_text().split()), 2)  # the log keeps both attempts
        self.cluster.restart_node(lost)

    def test_names_a_chunk_that_cannot_write_to_its_folder(self):
        self.chunks = self.folder / "is removed"
        self.chunks.mkdir()
        job = self.submit(["true"], further="--hold")
        shutil.rmtree(self.chunks)
        self.assertEqual(self.cluster.run("scontrol", "release", job).returncode, 0)
        self.wait_until(job, {1: ("failed", "its log cannot be opened on the node")})

    def test_passes_on_why_slurm_refuses(self):
        code, job, errors = self.try_to_submit({1: "true"}, partition="long", further="--bogus")
        self.assertEqual((code, job), (255, ""))
        self.assertEqual(errors, "sbatch: unrecognized option '--bogus'\nTry \"sbatch --help\" for more information\n")
        self.assertEqual(self.try_to_submit({1: "true"}, partition="long"),
                         (1, "", "sbatch: error: invalid partition specified: long\n"
                                 "sbatch: error: Batch job submission failed: Invalid partition name specified\n"))

    def test_tells_a_forgotten_job_from_a_controller_that_does_not_answer(self):
        self.assertEqual(self.command("poll", job="12345"), (0, "", ""))
        self.assertEqual(self.command("cancel", job="12345")[:2], (0, ""))
        configuration = pathlib.Path(self.cluster.environment["SLURM_CONF"]).read_text()
        port, unused = self.cluster.ports[0].getsockname()[1], reserved_port("127.0.0.1")
        self.addCleanup(unused.close)
        without = self.folder / "slurm.conf"
        without.write_text(configuration.replace(f"SlurmctldPort={port}\n", f"SlurmctldPort={unused.getsockname()[1]}\n"))
        with unittest.mock.patch.dict(self.cluster.environment, SLURM_CONF=str(without)):
            self.assertEqual(self.command("poll", job="12345"),
                             (1, "", "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n"))


if __name__ == "__main__":
    main()
