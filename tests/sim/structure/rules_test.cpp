// SPDX-License-Identifier: Apache-2.0
// Each rule of the structure check reports a broken copy of rtl/, by place and in words. The copies
// are small fabrics; Verilator elaborates each in a fraction of a second.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "broken_copy.hpp"
#include "common/text_file.hpp"
#include "tests/places.hpp"

namespace kernbench::sim::structure {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_F(BrokenCopy, HasNoFindingsBeforeItIsBroken) {
  EXPECT_THAT(findings(), IsEmpty());
}

TEST_F(BrokenCopy, HasNoFindingsWithSidesOfMoreThan8NodesAndAnotherWidth) {
  shape_ = {10, 3, 11};
  EXPECT_THAT(findings(), IsEmpty());
}

/// TOPO, IRS_N and pkt_con_if as others write them.
class OtherCoding : public BrokenCopy {
 protected:
  void SetUp() override {
    std::filesystem::copy(places::source("/tests/sim/structure/other_coding"), rtl());
    shape_ = {8, 8, 8};
  }
};

TEST_F(OtherCoding, HasNoFindings) {
  EXPECT_THAT(findings(), IsEmpty());
}

TEST_F(OtherCoding, ReportsSwappedBitsBehindAStructure) {
  edit("topo.sv", "[n%8][i].kind;", "[n%8][i].kind ^ 2'(n == 9 && i == 3);");
  EXPECT_THAT(
      findings(),
      ElementsAre("topo.sv:6: link node 13 x[3]: node 13 xo_type[3] bit 0 arrives at node 9 "
                  "xi_type[3] bit 0 inverted, expected node 9 xi_type[3] bit 0"));
}

TEST_F(OtherCoding, ReportsAPointerWithoutReset) {
  edit("irs_n.sv", "begin wp <= 0; rp <= 0;", "begin wp <= 0;");
  EXPECT_THAT(findings(), ElementsAre("irs_n.sv:21: g_fifo.rp[0] is not set by its reset, expected "
                                      "an asynchronous reset by rst_n: it decides about the choice "
                                      "of the packet"));
}

TEST_F(OtherCoding, ReportsBitsThatABufferCrosses) {
  edit("irs_n.sv", "+: PYLD_W] <= payload_i;",
       "+: PYLD_W] <= {payload_i[0], payload_i[PYLD_W-1:1]};");
  EXPECT_THAT(findings(), ElementsAre("irs_n.sv:4: payload_o[0] of IRS_N depends on payload_i[1], "
                                      "expected payload_i[0] alone"));
}

// --- Connections ---------------------------------------------------------------------------------

TEST_F(BrokenCopy, ReportsAnOutputThatDrivesAnotherNode) {
  edit("topo.sv", ".valid_o  (node_if[Dst].xi_vld[i])",
       ".valid_o  (node_if[Src == 1 && i == 1 ? 2 : Dst].xi_vld[i])");
  EXPECT_THAT(
      findings(),
      ElementsAre(
          "pkt_con_if.sv:22: node_if[3].xi_vld[1] has no driver",
          "topo.sv:40: link node 1 x[1]: valid_o drives node 2 xi_vld[1], expected node 3 "
          "xi_vld[1]",
          "topo.sv:47: node_if[2].xi_vld[1] has 2 drivers; it is also driven at topo.sv:47"));
}

TEST_F(BrokenCopy, ReportsASwappedIndex) {
  edit("topo.sv", ".valid_i  (node_if[Src].xo_vld[i])",
       ".valid_i  (node_if[Src].xo_vld[Src == 2 ? 2 - i : i])");
  EXPECT_THAT(findings(),
              ElementsAre("topo.sv:40: link node 2 x[0]: valid_i takes node 2 xo_vld[2], expected "
                          "node 2 xo_vld[0]",
                          "topo.sv:40: link node 2 x[2]: valid_i takes node 2 xo_vld[0], expected "
                          "node 2 xo_vld[2]"));
}

TEST_F(BrokenCopy, ReportsAnInvertedValid) {
  edit("topo.sv", ".valid_i  (node_if[Src].xo_vld[i])",
       ".valid_i  (node_if[Src].xo_vld[i] ^ (Src == 4))");
  EXPECT_THAT(findings(),
              ElementsAre("topo.sv:40: link node 4 x[0]: valid_i takes the inverse of node 4 "
                          "xo_vld[0], expected node 4 xo_vld[0]",
                          "topo.sv:40: link node 4 x[1]: valid_i takes the inverse of node 4 "
                          "xo_vld[1], expected node 4 xo_vld[1]",
                          "topo.sv:40: link node 4 x[2]: valid_i takes the inverse of node 4 "
                          "xo_vld[2], expected node 4 xo_vld[2]"));
}

TEST_F(BrokenCopy, ReportsSwappedFields) {
  edit("topo.sv", "node_if[Src].yo_src[i],\n                      node_if[Src].yo_tgt[i]",
       "node_if[Src].yo_tgt[i],\n                      node_if[Src].yo_src[i]");
  EXPECT_THAT(findings(),
              AllOf(SizeIs(16), Contains("topo.sv:63: link node 0 y[0]: node 0 yo_src[0] bit 0 "
                                         "arrives at node 4 yi_tgt[0] bit 0, expected node 4 "
                                         "yi_src[0] bit 0 (and 5 more bits)")));
}

TEST_F(BrokenCopy, ReportsCrossedDataBits) {
  edit("topo.sv", "node_if[Dst].yi_tgt[i], node_if[Dst].yi_data[i]})",
       "node_if[Dst].yi_tgt[i], node_if[Dst].yi_data[i][3:2], node_if[Dst].yi_data[i][0],\n"
       "                      node_if[Dst].yi_data[i][1]})");
  EXPECT_THAT(findings(),
              AllOf(SizeIs(8), Contains("topo.sv:63: link node 0 y[0]: node 0 yo_data[0] bit 0 "
                                        "arrives at node 4 yi_data[0] bit 1, expected node 4 "
                                        "yi_data[0] bit 0 (and 1 more bits)")));
}

TEST_F(BrokenCopy, ReportsBitsThatAStageCrosses) {
  edit("irs_lp.sv", "assign payload_o = main_pyld_q;",
       "assign payload_o = {main_pyld_q[PYLD_W-1:2], main_pyld_q[0], main_pyld_q[1]};");
  EXPECT_THAT(findings(),
              ElementsAre("irs_lp.sv:66: payload_o[0] of IRS_N depends on payload_i[1], "
                          "expected payload_i[0] alone"));
}

TEST_F(BrokenCopy, ReportsAMissingLink) {
  edit("topo.sv", "        IRS_N #(", "        if (Src != 5 || i != 1) IRS_N #(");
  EXPECT_THAT(findings(),
              AllOf(Contains("topo.sv:5: link node 5 x[1] to node 7: no IRS_N, expected one of "
                             "depth 1"),
                    Contains("pkt_con_if.sv:22: node_if[7].xi_vld[1] has no driver"),
                    Contains("pkt_con_if.sv:15: node_if[5].xo_rdy[1] has no driver")));
}

TEST_F(BrokenCopy, ReportsALinkWithoutItsIrs) {
  edit("topo.sv", "        IRS_N #(",
       "        if (Src == 5 && i == 0) assign node_if[Dst].xi_vld[i] = node_if[Src].xo_vld[i];\n"
       "        else IRS_N #(");
  EXPECT_THAT(findings(),
              AllOf(Contains("topo.sv:34: node 6 xi_vld[0] is wired to node 5 xo_vld[0], "
                             "expected an IRS_N"),
                    Contains("topo.sv:5: link node 5 x[0] to node 6: no IRS_N, expected "
                             "one of depth 0")));
}

TEST_F(BrokenCopy, ReportsAWrongDepthAtOneLink) {
  edit("topo.sv", "maze_pkg::irs_depth(i + 1, NX)",
       "maze_pkg::irs_depth(i + 1, NX) + (Src == 5 && i == 1)");
  EXPECT_THAT(findings(), ElementsAre("topo.sv:40: link node 5 x[1]: IRS_DEEP is 2, expected 1"));
}

TEST_F(BrokenCopy, ReportsAStageTooManyWhereTheParameterIsRight) {
  edit("irs_n.sv", "  for (genvar s = 0; s < IRS_DEEP; s++) begin : g_stage",
       "  logic late; always_ff @(posedge clk or negedge rst_n) late <= rst_n & vld[IRS_DEEP];\n"
       "  for (genvar s = 0; s < IRS_DEEP; s++) begin : g_stage");
  edit("irs_n.sv", "assign valid_o         = vld[IRS_DEEP];",
       "if (IRS_DEEP > 0) assign valid_o = late; else assign valid_o = vld[IRS_DEEP];");
  EXPECT_THAT(findings(),
              Contains("irs_n.sv:18: valid_o of IRS_N follows valid_i after 2 registers, "
                       "expected 1"));
}

TEST_F(BrokenCopy, ReportsAnotherKindOfStageAtOneLink) {
  edit("topo.sv", ".TYPE_HALF    (0)", ".TYPE_HALF    (Src == 5 && i == 1)");
  EXPECT_THAT(findings(), ElementsAre("topo.sv:40: link node 5 x[1]: TYPE_HALF is 1, expected 0"));
}

TEST_F(BrokenCopy, ReportsADepthOf0ThatIsNoWire) {
  edit("irs_n.sv", "assign ready_o         = rdy[0];",
       "assign ready_o = IRS_DEEP == 0 ? ~rdy[0] : rdy[0];");
  EXPECT_THAT(findings(), ElementsAre("irs_n.sv:36: ready_o of IRS_N at depth 0 is the inverse of "
                                      "ready_i, expected a wire from ready_i"));
}

TEST_F(BrokenCopy, ReportsAPathThroughTheStages) {
  edit("irs_n.sv", "assign valid_o         = vld[IRS_DEEP];",
       "assign valid_o = IRS_DEEP == 0 ? vld[IRS_DEEP] : vld[IRS_DEEP] & rst_n;");
  EXPECT_THAT(findings(),
              ElementsAre("irs_n.sv:18: IRS_N has a combinational path from rst_n to valid_o"));
}

TEST_F(BrokenCopy, ReportsWhatDoesNotBelongIntoTopo) {
  edit("topo.sv", "endmodule",
       "  logic r, v, p, q_q;\n"
       "  IRS_LP #(.PYLD_W(1)) u_extra (.clk, .rst_n, .valid_i(1'b0), .ready_o(r), "
       ".payload_i(1'b0),\n"
       "                                .valid_o(v), .ready_i(1'b0), .payload_o(p));\n"
       "  always_ff @(posedge clk) q_q <= rst_n;\nendmodule");
  EXPECT_THAT(
      findings(),
      AllOf(Contains("topo.sv:80: TOPO instantiates IRS_LP, expected IRS_N and nothing else"),
            Contains("topo.sv:82: a register in TOPO outside of its IRS_N")));
}

// --- Drivers and directions ----------------------------------------------------------------------

TEST_F(BrokenCopy, ReportsPacketTypesThatAreExchanged) {
  edit("maze_pkg.sv", "PktXMulticast = 2'b01", "PktXMulticast = 2'b10");
  edit("maze_pkg.sv", "PktYMulticast = 2'b10", "PktYMulticast = 2'b01");
  EXPECT_THAT(
      findings(),
      ElementsAre(
          "maze_pkg.sv:7: PktXMulticast is 2, expected 1: a packet's type is 0 for unicast, "
          "1 for X-multicast, 2 for Y-multicast and 3 for broadcast",
          "maze_pkg.sv:8: PktYMulticast is 1, expected 2: a packet's type is 0 for unicast, "
          "1 for X-multicast, 2 for Y-multicast and 3 for broadcast"));
}

TEST_F(BrokenCopy, ReportsASecondDriver) {
  edit("irs_lp.sv", "endmodule", "  assign ready_o = payload_i[0];\nendmodule");
  EXPECT_THAT(findings(),
              Contains("irs_lp.sv:69: g_stage[0].g_lp.u_irs.ready_o has 2 drivers; it is "
                       "also driven at irs_lp.sv:67"));
}

TEST_F(BrokenCopy, ReportsASignalWithoutADriver) {
  edit("irs_lp.sv", "assign stall = main_vld_q & ~ready_i;", "");
  EXPECT_THAT(findings(), Contains("irs_lp.sv:33: g_stage[0].g_lp.u_irs.stall has no driver"));
}

TEST_F(BrokenCopy, ReportsAReadyThatTheTopologyDrives) {
  edit("pkt_con_if.sv", "    input  xi_rdy,\n    input  yo_vld",
       "    output xi_rdy,\n    input  yo_vld");
  edit("pkt_con_if.sv", "yi_tgt, yi_data,\n    input  yi_rdy\n  );\n\nend",
       "yi_tgt, yi_data,\n    output yi_rdy\n  );\n\nend");
  EXPECT_THAT(
      findings(),
      ElementsAre("pkt_con_if.sv:63: xi_rdy is an output of modport slv, expected an input",
                  "pkt_con_if.sv:67: yi_rdy is an output of modport slv, expected an input"));
}

TEST_F(BrokenCopy, ReportsAModportThatTheNodesCannotUse) {
  edit("pkt_con_if.sv", "    input  xo_rdy,\n    input  xi_vld",
       "    output xo_rdy,\n    input  xi_vld");
  EXPECT_THAT(findings(),
              ElementsAre("pkt_con_if.sv:49: xo_rdy is an output of modport mst, expected "
                          "an input"));
}

// --- Clock, reset, latches -----------------------------------------------------------------------

TEST_F(BrokenCopy, ReportsAFlopOnTheFallingEdge) {
  edit("irs_lp.sv", "always_ff @(posedge clk) begin", "always_ff @(negedge clk) begin");
  EXPECT_THAT(findings(), ElementsAre("irs_lp.sv:60: main_pyld_q[0] changes at the falling edge of "
                                      "clk, expected the rising edge"));
}

TEST_F(BrokenCopy, ReportsAnotherClock) {
  edit("irs_lp.sv", "always_ff @(posedge clk) begin", "always_ff @(posedge valid_i) begin");
  EXPECT_THAT(findings(),
              ElementsAre("irs_lp.sv:60: the clock of main_pyld_q[0] is valid_i, expected clk"));
}

TEST_F(BrokenCopy, ReportsAGateInTheClockOfAStage) {
  edit("irs_lp.sv", "  always_ff @(posedge clk) begin",
       "  logic gated;\n  assign gated = clk & (main_load | skid_load);\n"
       "  always_ff @(posedge gated) begin");
  EXPECT_THAT(findings(), ElementsAre("irs_lp.sv:61: a gate in the clock of main_pyld_q[0]: it is "
                                      "logic, expected clk"));
}

TEST_F(BrokenCopy, ReportsAGateInTheClockOfTopo) {
  edit("topo.sv", "        IRS_N #(",
       "        logic gated;\n        assign gated = clk & rst_n;\n        IRS_N #(");
  edit("topo.sv", "          .clk,", "          .clk(i == 1 ? gated : clk),");
  EXPECT_THAT(
      findings(),
      AllOf(SizeIs(8), Contains("topo.sv:42: link node 0 x[1]: clk takes logic (topo.sv:35), "
                                "expected TOPO's clk: a gate in the clock")));
}

TEST_F(BrokenCopy, ReportsAValidWithoutReset) {
  edit("irs_lp.sv", "      main_vld_q  <= 1'b0;\n", "");
  EXPECT_THAT(findings(),
              ElementsAre("irs_lp.sv:53: main_vld_q is not set by its reset, expected an "
                          "asynchronous reset by rst_n: it decides about valid_o or ready_o"));
}

TEST_F(BrokenCopy, ReportsASynchronousResetInTheMiddleOfALink) {
  shape_ = {8, 2, 1};
  std::string stage = common::read_text_file(rtl() / "irs_lp.sv");
  stage.replace(stage.find("module IRS_LP"), 13, "module IRS_LPS");
  stage.replace(stage.find("@(posedge clk or negedge rst_n)"), 31, "@(posedge clk)");
  std::ofstream(rtl() / "irs_lp.sv", std::ios::app) << stage;
  std::string chain = common::read_text_file(rtl() / "irs_n.sv");
  const auto first = chain.find("      IRS_LP #");
  const auto last = chain.find("      );", first) + 9;
  std::string other = chain.substr(first, last - first);
  other.replace(other.find("IRS_LP"), 6, "IRS_LPS");
  chain.insert(last, "    end\n");
  chain.insert(first, "    if (IRS_DEEP == 3 && s == 1) begin : g_middle\n" + other +
                          "    end else begin : g_other\n");
  std::ofstream(rtl() / "irs_n.sv") << chain;
  EXPECT_THAT(findings(),
              ElementsAre("irs_lp.sv:120: main_vld_q is reset synchronously, expected an "
                          "asynchronous reset by rst_n: it decides about valid_o or ready_o",
                          "irs_lp.sv:121: skid_free_q is reset synchronously, expected an "
                          "asynchronous reset by rst_n: it decides about valid_o or ready_o"));
}

TEST_F(BrokenCopy, ReportsAResetThatIsActiveHigh) {
  edit("irs_lp.sv", "negedge rst_n) begin\n    if (!rst_n)",
       "posedge rst_n) begin\n    if (rst_n)");
  EXPECT_THAT(findings(), ElementsAre("irs_lp.sv:49: the reset of main_vld_q is active high, "
                                      "expected active low"));
}

TEST_F(BrokenCopy, ReportsAResetOfItsOwn) {
  edit("irs_lp.sv", "always_ff @(posedge clk or negedge rst_n) begin\n    if (!rst_n)",
       "logic own_rst_n;\n  assign own_rst_n = rst_n & ~stall;\n"
       "  always_ff @(posedge clk or negedge own_rst_n) begin\n    if (!own_rst_n)");
  EXPECT_THAT(findings(), Contains("irs_lp.sv:51: the reset of main_vld_q is logic (irs_lp.sv:50), "
                                   "expected rst_n"));
}

TEST_F(BrokenCopy, ReportsALatch) {
  edit("irs_lp.sv", "    if (skid_load) skid_pyld_q <= payload_i;\n  end",
       "  end\n  always_comb if (skid_load) skid_pyld_q = payload_i;");
  EXPECT_THAT(findings(), Contains("irs_lp.sv:63: g_stage[0].g_lp.u_irs.skid_pyld_q[0] is a latch "
                                   "(and 18 more bits)"));
}

TEST_F(BrokenCopy, SaysWhatItDoesNotUnderstand) {
  edit("irs_lp.sv", "  always_ff @(posedge clk) begin",
       "  int count;\n  always_comb begin\n    count = int'(payload_i[3:0]);\n"
       "    while (count > 0) count = count - 1;\n  end\n  always_ff @(posedge clk) begin");
  EXPECT_THAT(findings(), Contains("irs_lp.sv:63: the structure check does not understand a loop "
                                   "without a constant bound"));
}

}  // namespace
}  // namespace kernbench::sim::structure
