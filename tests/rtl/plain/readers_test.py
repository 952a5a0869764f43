# SPDX-License-Identifier: Apache-2.0
"""Yosys and Icarus Verilog read the Verilog-2005 that `kernbench structure --write-verilog` writes."""

import collections
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
KERNBENCH = os.environ["KERNBENCH"]


def run(*command, cwd=ROOT):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, cwd=cwd)
    return done.returncode, done.stdout


def yosys(file, top, *more):
    return run("yosys", "-q", "-p", "; ".join([f"read_verilog {file}", f"hierarchy -check -top {top}", "proc", "check -assert",
                                              *more]))


def icarus(file, top):
    return run("iverilog", "-g2005", "-Wall", "-t", "null", "-s", top, file)


class PlainForm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)

    def plain(self, shape, *device):
        file = self.folder / f"{'-'.join(device) or 'topo'}-{shape}.v"
        # The models of earlier tests have the dumps of 8x8.
        code, text = run(KERNBENCH, "structure", *device, "--fabric", shape, "--write-verilog", file)
        self.assertEqual(code, 0, text)
        return file

    def read(self, file, top):
        """Reads a file with both tools, which say nothing. Returns the modules with their numbers of instances."""
        netlist = self.folder / "netlist.json"
        self.assertEqual(yosys(file, top, f"write_json {netlist}"), (0, ""))
        self.assertEqual(icarus(file, top), (0, ""))
        modules = json.loads(netlist.read_text())["modules"]
        counts = collections.Counter()

        def count(name, times):
            for cell in modules[name]["cells"].values():
                if cell["type"] in modules:
                    counts[cell["type"].split("\\")[-1] if cell["type"].startswith("$") else cell["type"]] += times
                    count(cell["type"], times)

        count(top, 1)
        return counts

    def test_topo_has_a_module_for_each_depth(self):
        counts = self.read(self.plain("8x8x8"), "TOPO")
        self.assertEqual({name: number for name, number in counts.items() if name.startswith("IRS_N")},
                         {"IRS_N_IRS_DEEP_0": 256, "IRS_N_IRS_DEEP_1": 256, "IRS_N_IRS_DEEP_2": 256, "IRS_N_IRS_DEEP_3": 128})
        self.assertEqual(counts["IRS_LP"], 1152)

    def test_the_network_has_one_node(self):
        file = self.plain("8x8x8", "network")
        counts = self.read(file, "MAZE_TOP")
        self.assertEqual(counts["MAZE_CORE"], 64)
        self.assertEqual(counts["MAZE_CLOCK_GATE"], 64)
        self.assertEqual([line for line in file.read_text().splitlines() if line.startswith("module MAZE_NODE")],
                         ["module MAZE_NODE #("])
        self.assertEqual(yosys(file, "MAZE_NODE", "tee -o /dev/null stat"), (0, ""))

    def test_other_sizes(self):
        for shape, links, nodes in (("3x2x1", 18, 6), ("2x3x32", 18, 6)):
            with self.subTest(shape=shape):
                counts = self.read(self.plain(shape), "TOPO")
                self.assertEqual(sum(number for name, number in counts.items() if name.startswith("IRS_N")), links)
                self.assertEqual(self.read(self.plain(shape, "network"), "MAZE_ARRAY")["MAZE_CORE"], nodes)

    def test_equal_bytes_in_each_run(self):
        file = self.plain("3x2x8")
        first = file.read_bytes()
        self.assertEqual(self.plain("3x2x8").read_bytes(), first)

    def test_a_tool_that_cannot_read_a_file_is_noticed(self):
        file = self.plain("3x2x8")
        broken = self.folder / "broken.v"
        broken.write_text(file.read_text().replace("endmodule", "", 1))
        self.assertNotEqual(yosys(broken, "TOPO")[0], 0)
        self.assertNotEqual(icarus(broken, "TOPO")[0], 0)

    def test_rtl_with_findings_is_not_written(self):
        rtl = self.folder / "rtl"
        rtl.mkdir()
        for name in (ROOT / "rtl").glob("*.sv"):
            (rtl / name.name).write_text(name.read_text().replace("Dst = y * NX + (x + i + 1)", "Dst = y * NX + (x + i + 2)"))
        out = self.folder / "none.v"
        code, text = run(KERNBENCH, "structure", "--fabric", "3x2", "--rtl-dir", rtl, "--models", self.folder / "models",
                         "--write-verilog", out)
        self.assertEqual(code, 1)
        self.assertIn(f"error: {out} is not written: the check has to pass", text)
        self.assertFalse(out.exists())


if __name__ == "__main__":
    unittest.main()
