#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the RTL as others take it: the file lists of other tools, and the assertions of the link protocol."""

import pathlib
import subprocess
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def run(*command, cwd=ROOT):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, cwd=cwd)
    return done.returncode, done.stdout


class FileLists(unittest.TestCase):
    """Each names the files of rtl/topo.f, in that order, and they elaborate from that list alone."""

    def setUp(self):
        lines = (ROOT / "rtl/topo.f").read_text().splitlines()
        self.expected = [f"rtl/{line}" for line in lines if not line.startswith("//")]

    def elaborate(self, files):
        # The bench's top drives the interfaces, which alone would be undriven.
        return run("verilator", "--lint-only", "-Wall", "--top-module", "maze_tb_top", "-DKB_NX=4", "-DKB_NY=3",
                   "tb/lint.vlt", *files, "tb/maze_tb_top.sv")

    def check(self, files, simulation):
        self.assertEqual(files, self.expected)
        self.assertEqual(self.elaborate(files), (0, ""))
        self.assertEqual(simulation, ["tb/link_protocol_sva.sv"])
        self.assertEqual(run("verilator", "--lint-only", "--assert", "-Wall", *simulation), (0, ""))

    def test_bender(self):
        package = yaml.safe_load((ROOT / "Bender.yml").read_text())
        self.assertEqual(package["package"]["name"], "maze_topo")
        plain = [source for source in package["sources"] if isinstance(source, str)]
        groups = [source for source in package["sources"] if not isinstance(source, str)]
        self.assertEqual([group["target"] for group in groups], ["simulation"])
        self.check(plain, groups[0]["files"])

    def test_fusesoc(self):
        text = (ROOT / "kernbench.core").read_text()
        self.assertTrue(text.startswith("CAPI=2:\n"))
        core = yaml.safe_load(text)
        sets, targets = core["filesets"], core["targets"]
        self.assertEqual(targets["default"]["filesets"], ["rtl"])
        self.assertEqual(targets["simulation"]["filesets"], ["rtl", "assertions"])
        self.assertEqual({target["toplevel"] for target in targets.values()}, {"TOPO"})
        for target in targets.values():
            self.assertEqual(sorted(target["parameters"]), sorted(core["parameters"]))
        self.check(sets["rtl"]["files"], sets["assertions"]["files"])

    def test_a_list_in_another_order_does_not_elaborate(self):
        code, _ = self.elaborate(self.expected[::-1])
        self.assertNotEqual(code, 0)


BENCH = """
module bench;
  logic clk = 0, rst_n = 0, valid = 0, ready = 0;
  logic [22:0] payload = 1;
  link_protocol_sva u_sva (.clk, .rst_n, .valid, .ready, .payload);
  always #5 clk = ~clk;
  initial begin
    #12 rst_n = 1;
    valid = 1;
    #20 if ($test$plusargs("withdraws")) valid = 0;
    if ($test$plusargs("changes")) payload = 2;
    #20 ready = 1;
    #10 $finish;
  end
endmodule
"""


class Assertions(unittest.TestCase):
    """Verilator compiles them; they are silent on a sound sender and report a broken one."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.program = pathlib.Path(folder.name, "obj/Vbench")
        bench = pathlib.Path(folder.name, "bench.sv")
        bench.write_text(BENCH)
        code, text = run("verilator", "--binary", "--assert", "-Wno-fatal", "--Mdir", cls.program.parent, "--top-module",
                         "bench", ROOT / "tb/link_protocol_sva.sv", bench)
        assert code == 0, text

    def test_a_sound_sender_passes(self):
        code, text = run(self.program)
        self.assertEqual(code, 0, text)
        self.assertNotIn("link_protocol_sva", text)

    def test_a_withdrawn_packet_is_reported(self):
        self.assertIn("link_protocol_sva: a packet that was not accepted was withdrawn", run(self.program, "+withdraws")[1])

    def test_a_changed_packet_is_reported(self):
        self.assertIn("link_protocol_sva: a packet that was not accepted changed", run(self.program, "+changes")[1])


if __name__ == "__main__":
    unittest.main()
