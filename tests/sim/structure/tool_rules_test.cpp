// SPDX-License-Identifier: Apache-2.0
// RTL that is another design for another tool is found, and RTL that only asks for a tool is not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "broken_copy.hpp"
#include "common/diagnostics.hpp"
#include "sim/build/conditionals.hpp"
#include "sim/build/other_tools.hpp"

namespace kernbench::sim::structure {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

std::vector<std::string> conditionals(const std::string& text) {
  std::vector<std::string> found;
  for (const Conditional& conditional : tool_conditionals(text)) {
    found.push_back(conditional.macro + ":" + std::to_string(conditional.line));
  }
  return found;
}

TEST(ToolConditionals, AreFoundOutsideCommentsAndStrings) {
  EXPECT_THAT(
      conditionals("// `ifdef VERILATOR\n/* `ifdef\nSYNTHESIS */ x = \"`ifdef YOSYS\";\n"
                   "`ifdef OTHER\n  a\n`elsif YOSYS\n  b\n`endif\n"
                   "`ifndef\n  SYNTHESIS\nc\n`endif\n`ifdef (__ICARUS__ || (A && VERILATOR))"
                   "\nd `endif"),
      ElementsAre("YOSYS:6", "SYNTHESIS:10", "__ICARUS__:13", "VERILATOR:13"));
}

TEST(ToolConditionals, AroundChecksAloneAreLeftOut) {
  EXPECT_THAT(conditionals("`ifndef __ICARUS__ // why\n  if (W < 1) begin : g\n"
                           "    $error(\"W; %0d\", W);\n  end\n`endif\n"
                           "`ifndef SYNTHESIS\n  a: assert property (@(posedge clk) b |-> c)\n"
                           "    else $error(\"no\");\n`endif\n"),
              IsEmpty());
  EXPECT_THAT(conditionals("`ifndef SYNTHESIS\n assert property (a);\n assign b = c;\n`endif\n"
                           "`ifdef YOSYS\n if (a) $error(\"b\");\n`else\n assign d = e;\n`endif\n"
                           "`ifdef VERILATOR\n `SOMETHING\n`endif\n"),
              ElementsAre("SYNTHESIS:1", "YOSYS:5", "VERILATOR:10"));
}

TEST(OtherDumps, AreOneForEachSetOfMacrosThatAToolDefines) {
  const auto tools = [](const std::vector<std::string>& macros,
                        const std::vector<std::string>& arguments = {}) {
    std::vector<PlacedConditional> asked;
    for (const std::string& macro : macros) asked.push_back({"a.sv", {macro, 1}});
    std::vector<std::string> lines;
    for (const OtherDump& dump : other_dumps(asked, arguments)) {
      std::string line = dump.tool;
      for (const std::string& macro : dump.undefined) line += " -U" + macro;
      for (const std::string& macro : dump.defined) line += " -D" + macro;
      lines.push_back(line);
    }
    return lines;
  };
  EXPECT_THAT(tools({}), IsEmpty());
  EXPECT_THAT(tools({"VERILATOR"}), ElementsAre("other simulators -UVERILATOR"));
  EXPECT_THAT(tools({"SYNTHESIS"}), ElementsAre("synthesis -DSYNTHESIS"));
  EXPECT_THAT(tools({"SYNTHESIS"}, {"-DSYNTHESIS=1"}), ElementsAre("Verilator -USYNTHESIS"));
  EXPECT_THAT(
      tools({"VERILATOR", "YOSYS", "SYNTHESIS", "__ICARUS__"}),
      ElementsAre("other simulators -UVERILATOR", "Icarus Verilog -UVERILATOR -D__ICARUS__",
                  "synthesis -UVERILATOR -DSYNTHESIS", "Yosys -UVERILATOR -DSYNTHESIS -DYOSYS"));
}

class Tools : public BrokenCopy {};

TEST_F(Tools, ShippedRtlIsElaboratedOnce) {
  EXPECT_THAT(findings(), IsEmpty());
  EXPECT_THAT(notes_, IsEmpty());
  EXPECT_THAT(others().dumps, IsEmpty());
}

TEST_F(Tools, AStageThatIsWrongWithoutVerilatorIsFound) {
  edit("irs_lp.sv", "assign valid_o   = main_vld_q;",
       "`ifdef VERILATOR\n  assign valid_o = main_vld_q;\n`else\n"
       "  assign valid_o = main_vld_q & ~payload_o[0];\n`endif");
  EXPECT_THAT(findings(),
              ElementsAre("irs_lp.sv:65: the design depends on the macro VERILATOR: with it an "
                          "assignment to valid_o at irs_lp.sv:66, without it an assignment to "
                          "valid_o at irs_lp.sv:68"));
}

TEST_F(Tools, ATopoThatIsWrongInSynthesisIsFound) {
  edit("topo.sv", ".valid_i  (node_if[Src].xo_vld[i])",
       "\n`ifdef SYNTHESIS\n.valid_i(1'b0)\n`else\n.valid_i(node_if[Src].xo_vld[i])\n`endif\n");
  ASSERT_THAT(findings(), SizeIs(1));
  EXPECT_THAT(findings().front(), StartsWith("topo.sv:"));
  EXPECT_THAT(
      findings().front(),
      ::testing::HasSubstr(": the design depends on the macro SYNTHESIS: with it instance "));
}

TEST_F(Tools, AHeaderThatDefinesSomethingElseIsFound) {
  std::ofstream(rtl() / "tool.svh") << "`ifdef YOSYS\n`define FREE 1'b1\n`else\n"
                                       "`define FREE skid_free_q\n`endif\n";
  edit("irs_lp.sv", "module IRS_LP", "`include \"tool.svh\"\nmodule IRS_LP");
  edit("irs_lp.sv", "assign ready_o   = skid_free_q;", "assign ready_o = `FREE;");
  EXPECT_THAT(findings(), ElementsAre("tool.svh:1: the design depends on the macro YOSYS: with it "
                                      "an assignment to ready_o at irs_lp.sv:68, without it an "
                                      "assignment to ready_o at irs_lp.sv:68"));
}

TEST_F(Tools, AConditionalInAnotherIsFound) {
  edit("irs_n.sv", "assign ready_o         = rdy[0];",
       "`ifndef VERILATOR\n`ifdef __ICARUS__\n  assign ready_o = 1'b1;\n`else\n"
       "  assign ready_o = rdy[0];\n`endif\n`else\n  assign ready_o = rdy[0];\n`endif");
  ASSERT_THAT(findings(), SizeIs(1));
  EXPECT_THAT(findings().front(), StartsWith("irs_n.sv:"));
}

TEST_F(Tools, ChecksAndWhatTheyReadMayDepend) {
  edit("irs_lp.sv", "assign ready_o   = skid_free_q;",
       "assign ready_o   = skid_free_q;\n"
       "`ifndef SYNTHESIS\n"
       "  logic was_valid_q;\n"
       "  always_ff @(posedge clk) was_valid_q <= valid_o & ~ready_i;\n"
       "  always_ff @(posedge clk) begin\n"
       "    assert (!was_valid_q || valid_o) else $error(\"%m lost\");\n"
       "    if (was_valid_q) $display(\"stalled\");\n"
       "  end\n"
       "  initial begin\n"
       "    if (PYLD_W < 1) $fatal(1, \"PYLD_W\");\n"
       "  end\n"
       "`endif\n"
       "`ifdef VERILATOR\n"
       "  p: assert property (@(posedge clk) !valid_o || main_vld_q);\n"
       "`endif");
  EXPECT_THAT(findings(), IsEmpty());
  EXPECT_THAT(others().dumps, SizeIs(1));
}

TEST_F(Tools, OneThatVerilatorCannotReadIsNoted) {
  edit("irs_lp.sv", "assign ready_o   = skid_free_q;",
       "assign ready_o   = skid_free_q;\n`ifdef SYNTHESIS\n  syntax error;\n`else\n"
       "  logic unused_x;\n  assign unused_x = valid_i;\n`endif");
  EXPECT_THAT(findings(), IsEmpty());
  ASSERT_THAT(notes_, SizeIs(1));
  EXPECT_THAT(notes_.front(),
              StartsWith("irs_lp.sv:68: not checked: whether the design depends on the macro "
                         "SYNTHESIS, since Verilator cannot read it as synthesis does: %Error"));
}

TEST_F(Tools, ANetworkIsComparedToo) {
  network_ = true;
  shape_ = {2, 2, 4};
  edit("network/maze_queue.sv", "endmodule",
       "`ifndef VERILATOR\n  initial $display(\"no\");\n`endif\nendmodule");
  EXPECT_THAT(findings(), IsEmpty());
  edit("network/maze_clock_gate.sv", "assign clk_o = clk_i & en_q;",
       "`ifdef VERILATOR\n  assign clk_o = clk_i & en_q;\n`else\n  assign clk_o = clk_i;\n`endif");
  EXPECT_THAT(findings(), ElementsAre("network/maze_clock_gate.sv:18: the design depends on the "
                                      "macro VERILATOR: with it an assignment to clk_o at "
                                      "network/maze_clock_gate.sv:19, without it an assignment to "
                                      "clk_o at network/maze_clock_gate.sv:21"));
}

TEST_F(Tools, ADumpThatDoesNotSayWhatTheRtlAsksForIsNotChecked) {
  EXPECT_THAT(findings(), IsEmpty());
  std::filesystem::remove(dump_folder() / "other_tools");
  EXPECT_THROW((void)check_structure((dump_folder() / "design.xml").string(), shape_),
               common::BadInput);
}

}  // namespace
}  // namespace kernbench::sim::structure
