#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`make -f Makefile.verilator lint` stops at faults of MAZE_TOP, round a MAZE_ARRAY that is empty."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Lint(unittest.TestCase):
    def lint(self, old, new):
        """Returns the first warning about a copy of the RTL in which a text of maze_top.sv is another."""
        folder = tempfile.TemporaryDirectory(prefix="kernbench-lint-")
        self.addCleanup(folder.cleanup)
        copy = pathlib.Path(folder.name)
        for name in ("rtl", "tb", "formal"):
            shutil.copytree(ROOT / name, copy / name)
        shutil.copy(ROOT / "Makefile.verilator", copy)
        top = copy / "rtl/network/maze_top.sv"
        self.assertEqual(top.read_text().count(old), 1)
        top.write_text(top.read_text().replace(old, new))
        done = subprocess.run(["make", "-f", "Makefile.verilator", "lint"], cwd=copy, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        return next(line for line in done.stderr.splitlines() if line.startswith("%Warning"))

    def test_names_a_signal_of_another_width(self):
        self.assertIn("maze_top.sv:66", self.lint("pkt_in_qos          = pkt_in_``N.pkt_in_qos", "pkt_in_qos = pkt_in_``N.pkt_in_tgt"))

    def test_names_a_pin_that_is_missing(self):
        self.assertIn("missing pin: 'test_en'", self.lint(".test_en(1'b0), ", ""))


if __name__ == "__main__":
    unittest.main(verbosity=2)
