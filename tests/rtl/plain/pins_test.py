# SPDX-License-Identifier: Apache-2.0
"""The Verilog-2005 runs a regression in Icarus Verilog: every pin of the cycle reference, in every cycle."""

import os
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import pins_bench  # noqa: E402


class Regression(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)

    def record(self, name):
        pins_bench.run(os.environ["RECORD_PINS"], HERE / f"{name}.yaml", self.folder / name, cwd=HERE)
        return sorted((self.folder / name).glob("*.pins"))

    def plain(self, shape, *device):
        file = self.folder / f"{shape}.v"
        pins_bench.run(os.environ["KERNBENCH"], "structure", *device, "--fabric", shape, "--write-verilog", file, cwd=HERE.parents[2])
        return file

    def check(self, plain, top, expected, pins):
        found = {}
        for file in pins:
            result = pins_bench.replay(plain, top, file, self.folder)
            self.assertEqual(result.failure, "", file.stem)
            found[file.stem] = (result.cycles, result.bits)
        self.assertEqual(found, expected)

    def test_topo(self):
        plain, pins = self.plain("4x3x8"), self.record("topo")
        # Cycles of each case, and bits that were compared.
        self.check(plain, "TOPO", {"light_load": (321, 111223), "long_stalls": (323, 453197), "random_stalls": (322, 434838),
                                   "reset_under_traffic": (335, 454522), "saturation": (221, 302520)}, pins)
        # A skid entry that loads once too often, and a link that ends at another port.
        for old, new, case, says in (
                ("assign skid_load = ((stall & valid_i) & skid_free_q)", "assign skid_load = (stall & valid_i)", "long_stalls", "data"),
                (".valid_i(node_if_xo_vld[1])", ".valid_i(node_if_xo_vld[2])", "light_load", "vld")):
            text = plain.read_text()
            self.assertIn(old, text, "the RTL changed: this test has to be adapted")
            broken = self.folder / "broken.v"
            broken.write_text(text.replace(old, new))
            result = pins_bench.replay(broken, "TOPO", self.folder / "topo" / f"{case}.pins", self.folder)
            self.assertIn(says, result.failure)

    def test_network(self):
        plain, pins = self.plain("3x2x8", "network"), self.record("network")
        self.check(plain, "MAZE_ARRAY", {"failed-1": (283, 24993), "failed-4": (282, 25188), "multicast": (291, 30747),
                                         "uniform": (373, 35641)}, pins)


if __name__ == "__main__":
    unittest.main()
