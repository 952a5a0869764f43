# SPDX-License-Identifier: Apache-2.0
"""The Verilog-2005 runs a regression in Icarus Verilog: every pin of the cycle reference, in every cycle."""

import os
import pathlib
import re
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import pins_bench  # noqa: E402


class InAFolder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)

    def record(self, name, fabric=None):
        """Records the cases of a file, on a fabric of another size if that is given."""
        text = (HERE / f"{name}.yaml").read_text()
        suites = self.folder / f"{name}.yaml"
        suites.write_text(re.sub(r"nx: \d+, ny: \d+", fabric, text) if fabric else text)
        pins_bench.run(os.environ["RECORD_PINS"], suites, self.folder / name, cwd=HERE)
        return sorted((self.folder / name).glob("*.pins"))

    def plain(self, shape, *device):
        file = self.folder / f"{shape}.v"
        pins_bench.run(os.environ["KERNBENCH"], "structure", *device, "--fabric", shape, "--write-verilog", file, cwd=HERE.parents[2])
        return file

    def check(self, plain, top, pins, expected, simulate=pins_bench.icarus):
        """Expects (cycles, compared bits) of all files of pins."""
        result = pins_bench.replay(plain, top, pins, self.folder, simulate)
        self.assertEqual((result.failure, result.cycles, result.bits), ("", *expected))


class Small(InAFolder):
    def test_topo(self):
        plain, pins = self.plain("4x3x8"), self.record("topo")
        self.assertEqual([file.stem for file in pins],
                         ["light_load", "long_stalls", "random_stalls", "reset_under_traffic", "saturation"])
        self.check(plain, "TOPO", pins, (1522, 1756300))
        # A skid entry that loads once too often, and a link that ends at another port.
        for old, new, case, says in (
                ("assign skid_load = ((stall & valid_i) & skid_free_q)", "assign skid_load = (stall & valid_i)", "long_stalls", "data"),
                (".valid_i(node_if_xo_vld[1])", ".valid_i(node_if_xo_vld[2])", "light_load", "vld")):
            text = plain.read_text()
            self.assertIn(old, text, "the RTL changed: this test has to be adapted")
            broken = self.folder / "broken.v"
            broken.write_text(text.replace(old, new))
            result = pins_bench.replay(broken, "TOPO", [self.folder / "topo" / f"{case}.pins"], self.folder)
            self.assertIn(says, result.failure)

    def test_network(self):
        plain, pins = self.plain("3x2x8", "network"), self.record("network")
        expected = {"failed-1": (283, 24993), "failed-4": (282, 25188), "multicast": (291, 30747), "uniform": (373, 35641)}
        self.assertEqual([file.stem for file in pins], sorted(expected))
        for file in pins:
            self.check(plain, "MAZE_ARRAY", [file], expected[file.stem])


class SignOffSize(InAFolder):
    """TOPO and MAZE_TOP at 8x8, in Verilator: Icarus Verilog would take minutes."""

    def test_topo(self):
        self.check(self.plain("8x8x8"), "TOPO", self.record("topo", "nx: 8, ny: 8"), (1539, 25800463), pins_bench.verilator)

    def test_network(self):
        plain, pins = self.plain("8x8x8", "network"), self.record("network", "nx: 8, ny: 8")
        self.assertEqual([file.stem for file in pins], ["failed-1", "failed-62", "multicast", "uniform"])
        # The cases with a failed node have other fixed pins, and would need another model of minutes.
        self.check(plain, "MAZE_TOP", pins[2:], (788, 905989), pins_bench.verilator)


if __name__ == "__main__":
    unittest.main()
