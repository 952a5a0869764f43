# SPDX-License-Identifier: Apache-2.0
"""A test in a temporary folder, which can ask the program. PYTHONPATH has the package, KERNBENCH is the program."""

import os
import pathlib
import subprocess
import tempfile
import unittest

import kernbench

ROOT = pathlib.Path(__file__).resolve().parents[2]


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kernbench-python-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def report(self, *words):
        """The report of the program."""
        file = self.folder / "report.json"
        done = subprocess.run([os.environ["KERNBENCH"], *words, "--json", file], cwd=self.folder, check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout)
        return kernbench.read_report(file)
