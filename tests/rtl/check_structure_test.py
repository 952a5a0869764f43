#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that each check of scripts/check_structure.py fails on a broken copy of rtl/."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

HALF = """
module IRS_HALF #(parameter int PYLD_W = 23, parameter bit WITH_READY = 1'b1) (
  input  logic clk, rst_n, valid_i, output logic ready_o, input logic [PYLD_W-1:0] payload_i,
  output logic valid_o, input logic ready_i, output logic [PYLD_W-1:0] payload_o
);
  logic vld_q;
  logic [PYLD_W-1:0] pyld_q;
  assign ready_o   = !WITH_READY || !vld_q;
  assign valid_o   = vld_q;
  assign payload_o = pyld_q;
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) vld_q <= 1'b0;
    else        vld_q <= WITH_READY ? (vld_q ? !ready_i : valid_i) : valid_i;
  always_ff @(posedge clk)
    if (ready_o && valid_i) pyld_q <= payload_i;
endmodule
"""


class BrokenCopy(unittest.TestCase):
    """A copy of rtl/ in a temporary folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.rtl = pathlib.Path(folder.name, "rtl")
        shutil.copytree(ROOT / "rtl", self.rtl)

    def edit(self, name, old, new, count=1):
        text = (self.rtl / name).read_text()
        self.assertIn(old, text, f"{name} changed: this test has to be adapted")
        (self.rtl / name).write_text(text.replace(old, new, count))

    def run_check(self, *arguments):
        done = subprocess.run([sys.executable, ROOT / "scripts/check_structure.py", "--rtl", self.rtl, *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return done.returncode, done.stdout

    def assert_fails(self, arguments, *texts):
        code, said = self.run_check(*arguments)
        self.assertEqual(code, 1, said)
        for text in texts:
            self.assertIn(text, said)


class Icarus(BrokenCopy):
    def test_reports_a_syntax_error(self):
        self.edit("irs_lp.sv", "endmodule", "assign = ;\nendmodule")
        self.assert_fails(["icarus"], "irs_lp.sv", "syntax error")

    def test_reports_a_missing_module(self):
        self.edit("irs_lp.sv", "module IRS_LP", "module IRS_LQ")
        self.assert_fails(["icarus"], "IRS_LP")


class Lint(BrokenCopy):
    def test_reports_an_unused_signal(self):
        self.edit("irs_lp.sv", "endmodule", "logic forgotten;\nassign forgotten = clk;\nendmodule")
        self.assert_fails(["lint"], "IRS_LP: %Warning-UNUSEDSIGNAL", "IRS_N: %Warning-UNUSEDSIGNAL")

    def test_reports_a_width_mismatch_in_topo(self):
        self.edit("topo.sv", ".valid_i  (node_if[Src].xo_vld[i])", ".valid_i  (node_if[Src].xo_type[i])")
        self.assert_fails(["lint"], "maze_tb_top: %Warning-WIDTH")


class Synth(BrokenCopy):
    ONE = ("--only", "IRS_HALF WITH_READY=1", "synth")
    CHAINS = ("--only", "IRS_N half", "synth")

    def break_half(self, old="", new=""):
        self.assertIn(old, HALF)
        (self.rtl / "irs_half.sv").write_text(HALF.replace(old, new, 1))

    def test_the_copy_that_the_others_break_passes(self):
        self.break_half()
        self.assertEqual(self.run_check(*self.ONE), (0, "synth: holds\n"))

    def test_fails_when_nothing_was_checked(self):
        self.assert_fails(["--only", "no such thing", "synth"],
                          "synth: no configuration has 'no such thing' in its name")

    def test_reports_a_latch(self):
        self.break_half("always_ff @(posedge clk)\n", "always_latch\n")
        self.assert_fails(self.ONE, "$_DLATCH_P_) is neither a gate nor a flop", "1 flops instead of 24")

    def test_reports_a_flop_on_another_clock(self):
        self.break_half("always_ff @(posedge clk)\n", "always_ff @(posedge valid_i)\n")
        self.assert_fails(self.ONE, "is not on the rising edge of clk")

    def test_reports_a_flop_on_the_falling_edge(self):
        self.break_half("always_ff @(posedge clk)\n", "always_ff @(negedge clk)\n")
        self.assert_fails(self.ONE, "is not on the rising edge of clk")

    def test_reports_two_drivers(self):
        self.break_half("endmodule", "assign valid_o = payload_i[0];\nendmodule")
        self.assert_fails(self.ONE, "IRS_HALF WITH_READY=1: yosys failed", "multiple conflicting drivers")

    def test_reports_a_signal_without_driver(self):
        self.break_half("assign valid_o   = vld_q;", "")
        self.assert_fails(self.ONE, "IRS_HALF WITH_READY=1: yosys failed", "has no driver")

    def test_reports_a_lost_payload_bit(self):
        self.break_half("pyld_q <= payload_i;", "pyld_q <= {payload_i[1], payload_i[PYLD_W-2:0]};")
        self.break_half("payload_o = pyld_q;", "payload_o = {pyld_q[0], pyld_q[PYLD_W-2:0]};")
        self.assert_fails(self.ONE, "23 flops instead of 24 (1 x 24 for this kind of stage)")

    def test_reports_a_lost_reset(self):
        self.break_half("if (!rst_n) vld_q <= 1'b0;\n    else        vld_q", "vld_q")
        (self.rtl / "irs_half.sv").write_text((self.rtl / "irs_half.sv").read_text()
                                              .replace("posedge clk or negedge rst_n", "posedge clk"))
        self.assert_fails(self.ONE, "0 flops with reset instead of 1")

    def test_reports_a_synchronous_reset(self):
        self.break_half("posedge clk or negedge rst_n", "posedge clk")
        self.assert_fails(self.ONE, "is not reset by rst_n, asynchronously, active low")

    def test_reports_a_ready_that_runs_through_the_stages(self):
        self.break_half("!WITH_READY || !vld_q", "!WITH_READY || !vld_q || ready_i")
        self.assert_fails(self.CHAINS, "IRS_N half, depth 1: combinational path from ready_i to ready_o",
                          "at depth 1: it depends on the depth")

    def test_reports_a_depth_zero_that_is_not_wires(self):
        self.edit("irs_n.sv", "assign valid_o         = vld[IRS_DEEP];",
                  "assign valid_o = vld[IRS_DEEP] & rst_n;")
        self.assert_fails(["--only", "IRS_N half, depth 0", "synth"],
                          "IRS_N half, depth 0: combinational path from rst_n to valid_o")


class NoTraceback(BrokenCopy):
    """Whatever goes wrong is told in lines about the RTL or the command."""

    def assert_told(self, arguments, expected_code, text):
        code, said = self.run_check(*arguments)
        self.assertEqual(code, expected_code, said)
        self.assertIn(text, said)
        self.assertNotIn("Traceback", said)

    def test_a_module_without_the_expected_ports(self):
        text = (self.rtl / "irs_half.sv").read_text()
        (self.rtl / "irs_half.sv").write_text(text.replace("rst_n", "reset_n"))
        self.assert_told(["--only", "IRS_HALF WITH_READY=1", "synth"], 1,
                         "IRS_HALF WITH_READY=1: there is no port rst_n")

    def test_a_source_that_is_not_text(self):
        (self.rtl / "irs_half.sv").write_bytes(bytes(range(256)))
        for check in ("icarus", "lint"):
            self.assert_told([check], 1, f"{check}: ")

    def test_a_missing_source(self):
        (self.rtl / "irs_lp.sv").unlink()
        self.assert_told(["icarus"], 1, "irs_lp.sv")

    def test_a_report_that_cannot_be_written(self):
        (self.rtl / "report").write_text("a file where a folder has to be")
        self.assert_told(["--report", self.rtl / "report", "icarus"], 2, "report")


if __name__ == "__main__":
    unittest.main()
