# SPDX-License-Identifier: Apache-2.0
"""The clock gate passes whole pulses alone, and broken ones are noticed."""

import pathlib
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
GATE = HERE.parents[1] / "rtl" / "network" / "maze_clock_gate.sv"


def simulate(text):
    """Returns the lines that the bench prints about a gate."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "gate.sv").write_text(text)
        subprocess.run(["iverilog", "-g2012", "-o", "bench", str(HERE / "clock_gate_bench.sv"), "gate.sv"],
                       cwd=folder, check=True)
        return subprocess.run(["vvp", "bench"], cwd=folder, check=True, capture_output=True,
                              text=True).stdout.splitlines()


class ClockGate(unittest.TestCase):
    def broken(self, old, new):
        text = GATE.read_text()
        self.assertIn(old, text)
        lines = simulate(text.replace(old, new))
        self.assertTrue(lines[-1].startswith("FAIL"), lines)
        return lines[0]

    def test_passes_whole_pulses_alone(self):
        lines = simulate(GATE.read_text())
        self.assertEqual(len(lines), 1, lines)
        self.assertRegex(lines[0], r"^PASS \d+ pulses, \d+ stopped, \d+ by test_en_i alone$")

    def test_a_missing_latch_is_noticed(self):
        self.assertRegex(self.broken("if (!clk_i) en_q", "en_q"), r"^at \d+ clk_o is|a pulse of")

    def test_a_latch_that_is_open_in_the_wrong_phase_is_noticed(self):
        self.assertRegex(self.broken("if (!clk_i)", "if (clk_i)"), r"^at \d+ clk_o is|a pulse of")

    def test_an_ignored_test_enable_is_noticed(self):
        self.assertIn("clk_o is 0, expected 1", self.broken("en_i | test_en_i", "en_i"))

    def test_an_ignored_enable_is_noticed(self):
        self.assertIn("clk_o is 0, expected 1", self.broken("en_i | test_en_i", "test_en_i"))

    def test_a_gate_that_is_always_open_is_noticed(self):
        self.assertIn("clk_o is 1, expected 0", self.broken("clk_i & en_q", "clk_i"))

    def test_a_gate_without_a_clock_is_noticed(self):
        self.assertIn("clk_o is 0, expected 1", self.broken("clk_i & en_q", "1'b0"))


if __name__ == "__main__":
    unittest.main()
