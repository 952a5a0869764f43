#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of configs/engines/slurm.yaml: its commands run chunks on real daemons, and name every state of a chunk.

Exit code 77, which ctest shows as skipped, when the Debian packages of a cluster are missing.
"""

import pathlib
import shlex
import sys

sys.dont_write_bytecode = True
import yaml  # noqa: E402
from slurm_cluster import SlurmCluster  # noqa: E402
from slurm_cluster_test import SharedFolder, eventually, main  # noqa: E402

ENGINE = yaml.safe_load((pathlib.Path(__file__).resolve().parents[2] / "configs/engines/slurm.yaml").read_text())
# Stands in for `kernbench job run FILE`: the file is a script.
KERNBENCH = """#!/bin/sh
[ "$1 $2" = 'job run' ] && . "$3"
"""


class Engine(SharedFolder):
    @classmethod
    def setUpClass(cls):
        cls.cluster = SlurmCluster(4, MinJobAge=2)
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

    def submit(self, scripts, **options):
        """Writes the chunks 1, 2 and so on, submits them and returns the job."""
        for number, script in enumerate(scripts, 1):
            (self.chunks / f"{number}.json").write_text(script)
        words = [ENGINE["options"].get(key, "{value}").replace("{value}", value) for key, value in options.items()]
        code, job, errors = self.command("submit", name="a run", folder=self.chunks, kernbench=self.kernbench,
                                         chunks=f"1-{len(scripts)}", options=words)
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

    def test_ends_of_chunks(self):
        job = self.submit(["echo $HOME >home", "exit 3", "kill -9 $$", "kill -15 $$", "exit 130"])
        print(self.poll(job))
        self.wait_until(job, {1: ("finished", ""), 2: ("failed", "exit code 3"), 3: ("failed", "signal 9"),
                              4: ("failed", "signal 15"), 5: ("failed", "exit code 130")})
        print(self.poll(job), list(self.chunks.iterdir()), list(self.folder.iterdir()))
        eventually(self, lambda: self.poll(job) == {})
        self.assertEqual(self.command("cancel", job=job), (0,"",""))
        print(self.command("poll", job=job))
    def test_waits(self):
        job = self.submit(["sleep 60"]*2, o="--begin=now+1hour", partition="short")
        self.wait_until(job, {1: ("waiting", "BeginTime"), 2: ("waiting", "BeginTime")})
        print(self.command("cancel", job=job)); print(self.poll(job))
        job = self.submit(["sleep 60"]*2, o="--nodelist=node2", partition="short")
        self.wait_until(job, {1: ("running", ""), 2: ("waiting", "Resources")})
        print(self.command("cancel", job=job)); 
        self.wait_until(job, {1: ("cancelled", ""), 2: ("cancelled", "")})
        job = self.submit(["sleep 60"]*2, time="2:00:00", partition="short")
        self.wait_until(job, {1: ("waiting", "PartitionTimeLimit"), 2: ("waiting", "PartitionTimeLimit")}) if 0 else None
        import time; time.sleep(4); print(self.poll(job)); self.command("cancel", job=job)
    def test_lost(self):
        j1 = self.submit(["echo $SLURMD_NODENAME; until [ -e go ]; do sleep 0.1; done; echo done\n"])
        eventually(self, lambda: self.poll(j1).get(1,[""])[0] == "running")
        print(self.cluster.run("scontrol","requeue",j1))
        print(self.poll(j1))
        node=self.poll(j1)[1][1]
        j2 = self.submit(["sleep 60"], r="--requeue")
        eventually(self, lambda: self.poll(j2).get(1,[""])[0] == "running")
        n2=self.poll(j2)[1][1]
        self.cluster.kill_node(node)
        self.cluster.kill_node(n2)
        import time; t=time.time(); s={}
        while time.time()-t<25:
            for j in (j1,j2):
                p=self.poll(j)
                if s.get(j)!=p: print(round(time.time()-t,1), j,p); s[j]=p
        j3=self.submit(["true"], n=f"--nodelist={node}")
        time.sleep(3); print(self.poll(j3)); self.command("cancel",job=j3); self.command("cancel",job=j2)

if __name__ == "__main__":
    main()
