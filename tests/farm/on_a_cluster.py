# SPDX-License-Identifier: Apache-2.0
"""Tests that run kernbench on a real Slurm cluster, which each class starts once. KERNBENCH is the program."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import slurm_cluster
from waiting import finish, wait_until

ROOT = pathlib.Path(__file__).resolve().parents[2]


class OnACluster(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = slurm_cluster.SlurmCluster(4)
        cls.cluster.start()
        cls.addClassCleanup(cls.cluster.stop)

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kernbench-farm-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.folder.chmod(0o755)
        self.engine = (ROOT / "configs/engines/slurm.yaml").read_text()
        self.engine += "poll_s: 0.5\nlate_files_s: 1\n"  # all nodes are this host
        (self.folder / "slurm.yaml").write_text(self.engine)

    def start(self, *words):
        return subprocess.Popen([os.environ["KERNBENCH"], *words], cwd=self.folder, env=self.cluster.environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)

    def kernbench(self, *words):
        return finish(self.start(*words))

    def wait_until(self, what, condition):
        wait_until(self, what, condition)

    def tasks(self):
        return self.cluster.run("squeue", "--noheader").stdout

    def assert_no_task_is_left(self):
        self.assertEqual(self.tasks(), "")


def main():
    """Runs the tests of a file. A machine that continuous integration installs has to run them."""
    missing = slurm_cluster.missing_packages()
    if os.geteuid() != 0 or missing:
        why = f"not installed: {' '.join(missing)}" if missing else "only root can start the daemons"
        debian = pathlib.Path("/etc/debian_version")
        must_run = os.geteuid() == 0 and debian.is_file() and debian.read_text().startswith("12")
        print(("error: " if must_run else "skipped: ") + why)
        sys.exit(1 if must_run else 77)
    unittest.main(verbosity=2)
