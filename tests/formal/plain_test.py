# SPDX-License-Identifier: Apache-2.0
"""The proof that the Verilog-2005 is the RTL notices each kind of difference."""

import argparse
import os
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "formal"))
import plain  # noqa: E402
import plain_wiring  # noqa: E402

SHAPE = (3, 2, 1)


class ThePlainForm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.options = argparse.Namespace(
            root=ROOT, formal=ROOT / "formal", rtl=ROOT / "rtl", kernbench=os.environ["KERNBENCH"], slice=True)
        cls.text = plain.write(cls.options, SHAPE, True, cls.folder).read_text()

    def edited(self, old, new):
        """Returns a file in which the first occurrence of a text is another."""
        self.assertIn(old, self.text, "the RTL changed: this test has to be adapted")
        file = self.folder / "edited.v"
        file.write_text(self.text.replace(old, new, 1))
        return file

    def difference(self, module, old, new):
        file = self.edited(old, new)
        origin, settings = plain.modules_of(file)[module]
        return plain.differs(file, module, origin, settings, self.options, self.folder)

    def wrong_bit(self, old, new, top="MAZE_ARRAY"):
        file = self.edited(old, new)
        depths = {name: int(settings["IRS_DEEP"]) for name, (origin, settings) in plain.modules_of(file).items()
                  if origin == "IRS_N"}
        return plain_wiring.compare(file, top, SHAPE, depths, self.folder)

    def test_equal_modules_do_not_differ(self):
        self.assertEqual(self.difference("IRS_LP", "clk", "clk"), "")

    def test_every_kind_of_difference_of_a_module_is_found(self):
        other = "an output or a next state is another function"
        port = "No matching port in gate module was found for "
        for old, new, says in (
                ("assign main_vld_d = ((stall", "assign main_vld_d = ((ready_i", other),
                ("if (!rst_n) begin\n      main_vld_q <= 1'h0", "if (!rst_n) begin\n      main_vld_q <= 1'h1", other),
                ("if (main_load)", "if (skid_load)", other),
                ("@(posedge clk)", "@(negedge clk)", other),
                ("@(posedge clk or negedge rst_n)", "@(posedge clk)", port + r"\main_vld_q.r"),
                ("assign valid_o = main_vld_q", "assign valid_o = main_vld_d", port + r"\valid_o.c")):
            with self.subTest(new=new):
                self.assertEqual(self.difference("IRS_LP", old, new), says)

    def test_a_clock_gate_that_is_open_in_the_wrong_phase_is_found(self):
        self.assertEqual(self.difference("MAZE_CLOCK_GATE", "if ((~clk_i))", "if (clk_i)"),
                         "an output or a next state is another function")

    def test_the_wiring_is_that_of_the_requirement(self):
        self.assertEqual(self.wrong_bit("clk", "clk"), (1008, ""))
        self.assertEqual(self.wrong_bit("clk", "clk", "TOPO"), (684, ""))

    def test_every_kind_of_wrong_bit_is_found(self):
        for old, new, says in (
                (".valid_i(node_if_xo_vld[1])", ".valid_i(node_if_xo_vld[2])",
                 "u_topo.g_y[0].g_x[0].g_xlink[1].u_irs.valid_i[0] leads elsewhere"),
                ("MAZE_NODE #(.HP(3'h1)", "MAZE_NODE #(.HP(3'h2)", "g_y[0].g_x[1].u_node.u_core.x_i[0] leads elsewhere"),
                (".clk(\\g_y[0].g_x[1].node_clk )", ".clk(clk)", "no instance g_y[0].g_x[1].u_gate"),
                ("(6'h1 == pg_node)", "(6'h2 == pg_node)", "g_y[0].g_x[1].u_gate.en_i is another function"),
                ("assign pkt_i_pkt_in_rdy[1] = (\\g_y[0].g_x[1].a_pkt_in_rdy  & \\g_y[0].g_x[1].works )",
                 "assign pkt_i_pkt_in_rdy[1] = \\g_y[0].g_x[1].a_pkt_in_rdy ",
                 "g_y[0].g_x[1].u_node.u_core A ready is another function"),
                ("IRS_N_IRS_DEEP_0 \\g_y", "IRS_N_IRS_DEEP_1 \\g_y",
                 "u_topo.g_y[0].g_x[0].g_xlink[0].u_irs is a IRS_N_IRS_DEEP_1, not a IRS_N_IRS_DEEP_0"),
                ("  IRS_N_IRS_DEEP_0 \\g_y[0].g_x[0].g_xlink[0]", "  IRS_N_IRS_DEEP_0 \\other",
                 "no instance u_topo.g_y[0].g_x[0].g_xlink[0].u_irs")):
            with self.subTest(new=new):
                self.assertEqual(self.wrong_bit(old, new), (0, says))


if __name__ == "__main__":
    unittest.main()
