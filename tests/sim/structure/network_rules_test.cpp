// SPDX-License-Identifier: Apache-2.0
// Each rule about the nodes of a network reports a broken copy of rtl/network/, by place and in
// words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "broken_copy.hpp"

namespace kernbench::sim::structure {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::SizeIs;

class BrokenNetwork : public BrokenCopy {
 protected:
  void SetUp() override {
    BrokenCopy::SetUp();
    shape_ = {3, 2, 2};
    network_ = true;
  }
  /// Edits MAZE_ARRAY.
  void edit_array(const std::string& old_text, const std::string& new_text) {
    edit("network/maze_array.sv", old_text, new_text);
  }
};

TEST_F(BrokenNetwork, HasNoFindingsBeforeItIsBroken) {
  EXPECT_THAT(findings(), IsEmpty());
  EXPECT_EQ(nodes_, 6U);
}

TEST_F(BrokenNetwork, HasNoFindingsWithSidesOfMoreThan8NodesAndAnotherWidth) {
  shape_ = {9, 2, 5};
  EXPECT_THAT(findings(), IsEmpty());
  EXPECT_EQ(nodes_, 18U);
}

TEST_F(BrokenNetwork, HasNoFindingsAsMazeTop) {
  shape_ = {8, 8, 8};
  EXPECT_THAT(findings(), IsEmpty());
  EXPECT_EQ(nodes_, 64U);
}

// --- Places and links ----------------------------------------------------------------------------

TEST_F(BrokenNetwork, ReportsAPlaceThatIsSwapped) {
  edit_array(".HP(x), .VP(y)", ".HP(N == 4 ? 2 : x), .VP(y)");
  EXPECT_THAT(
      findings(),
      ElementsAre("network/maze_node.sv:69: node 4: bit 0 of its position x_i is 0, expected 1",
                  "network/maze_node.sv:69: node 4: bit 1 of its position x_i is 1, expected 0"));
}

TEST_F(BrokenNetwork, ReportsAPlaceWithAWrongBit) {
  edit("network/maze_node.sv", ".y_i(AY'(VP))", ".y_i(AY'(VP) ^ 3'(HP == 2))");
  EXPECT_THAT(
      findings(),
      ElementsAre("network/maze_node.sv:69: node 2: bit 0 of its position y_i is 1, expected 0",
                  "network/maze_node.sv:69: node 5: bit 0 of its position y_i is 0, expected 1"));
}

TEST_F(BrokenNetwork, ReportsTwoNodesInEachOthersPlaces) {
  edit_array(".pkt_con(links[N])", ".pkt_con(links[N < 2 ? 1 - N : N])");
  EXPECT_THAT(findings(),
              AllOf(SizeIs(32), Contains("network/maze_array.sv:35: node 0: en_i of its clock gate "
                                         "is 1 while node 0 has failed, expected 0")));
}

TEST_F(BrokenNetwork, ReportsTwoPortsOfANodeThatAreSwapped) {
  edit("network/maze_node.sv", "in_vld[i]         = pkt_con.xi_vld[i]",
       "in_vld[i] = pkt_con.xi_vld[HP == 1 && VP == 1 ? 1 - i : i]");
  EXPECT_THAT(findings(),
              ElementsAre("network/maze_node.sv:37: node 4: valid_i[0] of its MAZE_CORE takes node "
                          "4 xi_vld[1], expected node 4 xi_vld[0]",
                          "network/maze_node.sv:37: node 4: valid_i[1] of its MAZE_CORE takes node "
                          "4 xi_vld[0], expected node 4 xi_vld[1]"));
}

TEST_F(BrokenNetwork, ReportsAReadyFromAnotherPort) {
  edit("network/maze_node.sv", "assign out_rdy[i]        = pkt_con.xo_rdy[i];",
       "assign out_rdy[i] = pkt_con.xo_rdy[HP == 2 && VP == 1 ? 0 : i];");
  EXPECT_THAT(findings(),
              ElementsAre("network/maze_node.sv:42: node 5: ready_i[1] of its MAZE_CORE takes node "
                          "5 xo_rdy[0], expected node 5 xo_rdy[1]"));
}

TEST_F(BrokenNetwork, ReportsFieldsInAnotherOrder) {
  edit("network/maze_node.sv",
       "{pkt_con.yi_type[i], pkt_con.yi_qos[i], pkt_con.yi_src[i],\n                               "
       "  pkt_con.yi_tgt[i],",
       "{pkt_con.yi_type[i], pkt_con.yi_qos[i], pkt_con.yi_tgt[i],\n                               "
       "  pkt_con.yi_src[i],");
  EXPECT_THAT(
      findings(),
      AllOf(SizeIs(12),
            Contains("network/maze_node.sv:50: node 0: payload_i[36] of its MAZE_CORE takes node 0 "
                     "yi_src[0] bit 0, expected node 0 yi_tgt[0] bit 0 (and 5 more bits)")));
}

TEST_F(BrokenNetwork, ReportsAnInvertedBit) {
  edit("network/maze_node.sv", "pkt_con.xo_data[i]} = out_pyld[i*W+:W]",
       "pkt_con.xo_data[i]} = out_pyld[i*W+:W] ^ W'(HP == 0 && VP == 1 && i == 1)");
  EXPECT_THAT(findings(),
              ElementsAre("network/maze_node.sv:44: node 3: node 3 xo_data[1] bit 0 takes the "
                          "inverse of u_maze.g_y[1].g_x[0].u_node.u_core.payload_o[17], expected "
                          "u_maze.g_y[1].g_x[0].u_node.u_core.payload_o[17]"));
}

TEST_F(BrokenNetwork, ReportsAMissingNode) {
  edit_array("      MAZE_NODE #(", "      if (N != 5) MAZE_NODE #(");
  EXPECT_THAT(findings(),
              AllOf(SizeIs(23), Contains("network/maze_array.sv:5: node 5: has no MAZE_CORE")));
}

// --- Nodes of other names ------------------------------------------------------------------------

TEST_F(BrokenNetwork, NotesWhichModulesItLacksAndChecksTheOthers) {
  edit("network/maze_core.sv", "module MAZE_CORE", "module OTHER_CORE");
  edit("network/maze_node.sv", "MAZE_CORE #(", "OTHER_CORE #(");
  EXPECT_THAT(findings(), IsEmpty());
  EXPECT_EQ(nodes_, 0U);
  EXPECT_THAT(notes_, AllOf(SizeIs(7),
                            Contains(EndsWith("network_tb_top.sv:7: no MAZE_CORE with the ports of "
                                              "the repository's: the wiring of the nodes is not "
                                              "checked, the traffic judges it")),
                            Contains("network/maze_clock_gate.sv:15: "
                                     "u_maze.g_y[0].g_x[0].u_gate.en_q is a latch")));
}

TEST_F(BrokenNetwork, OfOtherNamesReportsASignalWithoutADriver) {
  edit("network/maze_core.sv", "module MAZE_CORE", "module OTHER_CORE");
  edit("network/maze_node.sv", "MAZE_CORE #(", "OTHER_CORE #(");
  edit("network/maze_core.sv", "assign grant = |low_wins | |high_wins;", "");
  EXPECT_THAT(findings(),
              AllOf(SizeIs(24), Contains("network/maze_core.sv:106: "
                                         "u_maze.g_y[0].g_x[0].u_node.u_core.g_out[0].grant has no "
                                         "driver")));
}

// --- Data ----------------------------------------------------------------------------------------

TEST_F(BrokenNetwork, ReportsAReadyThatDependsOnData) {
  edit("network/maze_queue.sv", "rdy_q  <= ~hold_i &", "rdy_q  <= ~(hold_i | &low_q[1:0]) &");
  EXPECT_THAT(
      findings(),
      ElementsAre(
          "network/maze_queue.sv:41: u_maze.g_y[0].g_x[0].u_node.u_core.g_in[3].u_queue.rdy_q "
          "depends on bit 0 of the data at port A of node 0, which may reach nothing but bit 0 of "
          "the data at ports B"));
}

TEST_F(BrokenNetwork, ReportsARouteThatDependsOnData) {
  edit("network/maze_core.sv", ".type_i(low[i*W + W-1-:2]), .tgt_i(low[i*W + FLIT_W+:AddrW])",
       ".type_i(low[i*W + W-1-:2]), .tgt_i(low[i*W + FLIT_W - 1+:AddrW])");
  EXPECT_THAT(
      findings(),
      ElementsAre(
          "network/maze_core.sv:78: "
          "u_maze.g_y[0].g_x[0].u_node.u_core.g_in[3].u_low_route.tgt_i[0] depends on bit 1 of the "
          "data at port A of node 0, which may reach nothing but bit 1 of the data at ports B"));
}

TEST_F(BrokenNetwork, ReportsDataThatCrosses) {
  edit("network/maze_core.sv", "assign high[i*W+:W] = high_head;",
       "assign high[i*W+:W] = {high_head[W-1:2], high_head[0], high_head[1]};");
  EXPECT_THAT(findings(),
              ElementsAre("network/maze_core.sv:71: u_maze.g_y[0].g_x[1].u_node.u_core.high[1] "
                          "depends on bit 0 of the data at port A of node 0, which may reach "
                          "nothing but bit 0 of the data at ports B"));
}

TEST_F(BrokenNetwork, ReportsDataThatMixes) {
  edit("network/maze_core.sv", "assign high[i*W+:W] = high_head;",
       "assign high[i*W+:W] = {high_head[W-1:1], high_head[0] ^ high_head[1]};");
  EXPECT_THAT(findings(),
              ElementsAre("network/maze_core.sv:71: u_maze.g_y[0].g_x[1].u_node.u_core.high[0] "
                          "depends on bit 1 of the data at port A of node 0, which may reach "
                          "nothing but bit 1 of the data at ports B"));
}

TEST_F(BrokenNetwork, ReportsDataThatReachesNothing) {
  edit("network/maze_node.sv", "pkt_i.pkt_in_tgt, pkt_i.pkt_in_data};",
       "pkt_i.pkt_in_tgt, HP == 1 && VP == 1 ? 2'b0 : pkt_i.pkt_in_data};");
  EXPECT_THAT(findings(), AllOf(SizeIs(2), Contains(EndsWith("network_tb_top.sv:7: 2 of 2 bits of "
                                                             "the data at port A of node 4 reach "
                                                             "no port B"))));
}

TEST_F(BrokenNetwork, ReportsDataThatClocks) {
  edit("network/maze_queue.sv", "always_ff @(posedge clk) begin",
       "logic at;\n  assign at = clk & payload_i[0];\n  always_ff @(posedge at) begin");
  EXPECT_THAT(
      findings(),
      ElementsAre("network/maze_queue.sv:52: u_maze.g_y[0].g_x[0].u_node.u_core.g_in[3].u_queue.at "
                  "depends on bit 0 of the data at port A of node 0, which may reach nothing but "
                  "bit 0 of the data at ports B"));
}

TEST_F(BrokenNetwork, ReportsASingleDataBitThatDecides) {
  shape_.flit_w = 1;
  edit("network/maze_queue.sv", "assign valid_o = head_q;",
       "assign valid_o = head_q & ~{high_q[0], 1'b0};");
  EXPECT_THAT(
      findings(),
      ElementsAre(
          "network/maze_queue.sv:29: u_maze.g_y[0].g_x[0].u_node.u_core.g_in[3].u_queue.valid_o[1] "
          "depends on bit 0 of the data at port A of node 0, which may reach nothing but bit 0 of "
          "the data at ports B"));
}

TEST_F(BrokenNetwork, OfOtherNamesReportsDataThatDecides) {
  edit("network/maze_core.sv", "module MAZE_CORE", "module OTHER_CORE");
  edit("network/maze_node.sv", "MAZE_CORE #(", "OTHER_CORE #(");
  edit("network/maze_queue.sv", "rdy_q  <= ~hold_i &", "rdy_q  <= ~(hold_i | &low_q[1:0]) &");
  EXPECT_THAT(
      findings(),
      ElementsAre(
          "network/maze_queue.sv:41: u_maze.g_y[0].g_x[0].u_node.u_core.g_in[3].u_queue.rdy_q "
          "depends on bit 0 of the data at port A of node 0, which may reach nothing but bit 0 of "
          "the data at ports B"));
}

// --- Nodes
// -----------------------------------------------------------------------------------------

TEST_F(BrokenNetwork, ReportsASecondNode) {
  edit_array("      MAZE_NODE #(",
             "      logic also;\n      if (N == 5) assign also = links[N].xi_vld[0];\n      if (N "
             "== 5) MAZE_CORE #(.NX(int'(NX)), .NY(int'(NY)), .FLIT_W(int'(FLIT_W)), "
             ".AX(int'(AX)), .AY(int'(AY))) u_more (.clk, .rst_n, .x_i('0), .y_i('0), "
             ".pg_en_i(pg_en), .pg_node_i(pg_node), .valid_i({3'b0, also}), .ready_o(), "
             ".payload_i('0), .valid_o(), .ready_i('0), .payload_o());\n      MAZE_NODE #(");
  EXPECT_THAT(findings(),
              AllOf(SizeIs(59), Contains("network/maze_node.sv:69: node 5: a second MAZE_CORE")));
}

TEST_F(BrokenNetwork, ReportsAnotherBoundAtOneNode) {
  edit_array(".HIGH_BOUND(HIGH_BOUND)", ".HIGH_BOUND(N == 3 ? 8 : HIGH_BOUND)");
  EXPECT_THAT(findings(),
              ElementsAre("network/maze_node.sv:69: node 3: HIGH_BOUND is 8, but 16 at node 0"));
}

// --- Ports A and B
// --------------------------------------------------------------------------------

TEST_F(BrokenNetwork, ReportsAFieldOfPortAOfAnotherNode) {
  edit_array("a.pkt_in_tgt          = pkt_i[N].pkt_in_tgt",
             "a.pkt_in_tgt = pkt_i[N == 3 ? 4 : N].pkt_in_tgt");
  EXPECT_THAT(findings(),
              ElementsAre("network/maze_array.sv:42: node 3: tgt[0] of its port A takes "
                          "a[4].pkt_in_tgt[0], expected a[3].pkt_in_tgt[0] (and 5 more bits)"));
}

TEST_F(BrokenNetwork, ReportsWhatMazeTopConnectsWrongly) {
  shape_ = {8, 8, 8};
  edit("network/maze_top.sv", "assign b[N].pkt_out_rdy",
       "assign b[N == 17 ? 18 : N == 18 ? 17 : N].pkt_out_rdy");
  edit("network/maze_top.sv", ".test_en(1'b0), .pg_en,", ".test_en(1'b0), .pg_en(1'b0),");
  EXPECT_THAT(
      findings(),
      ElementsAre("network/maze_top.sv:68: node 17: ready_i of its port B takes b[18].pkt_out_rdy, "
                  "expected b[17].pkt_out_rdy",
                  "network/maze_top.sv:68: node 18: ready_i of its port B takes b[17].pkt_out_rdy, "
                  "expected b[18].pkt_out_rdy",
                  "network/maze_top.sv:76: pg_en of MAZE_ARRAY takes 0, expected pg_en_q"));
}

TEST_F(BrokenNetwork, ReportsAReadyOfPortBThatIsStuck) {
  edit_array("b.pkt_out_rdy         = pkt_o[N].pkt_out_rdy",
             "b.pkt_out_rdy = pkt_o[N].pkt_out_rdy | (N == 2)");
  EXPECT_THAT(findings(), ElementsAre("network/maze_array.sv:51: node 2: ready_i of its port B "
                                      "takes 1, expected b[2].pkt_out_rdy"));
}

TEST_F(BrokenNetwork, ReportsAValidWithoutItsMask) {
  edit_array("b.pkt_out_vld & works", "b.pkt_out_vld");
  EXPECT_THAT(findings(),
              AllOf(SizeIs(6), Contains("network/maze_node.sv:72: node 0: valid of its port B is "
                                        "u_maze.g_y[0].g_x[0].u_node.u_core.valid_o[3] while node "
                                        "0 has failed, expected 0")));
}

TEST_F(BrokenNetwork, ReportsAMaskOfAnotherNode) {
  edit_array("a.pkt_in_rdy & works",
             "a.pkt_in_rdy & ~(pg_en & (pg_node == {AY'(y), AX'(N == 1 ? 2 : x)}))");
  EXPECT_THAT(
      findings(),
      ElementsAre(
          "network/maze_array.sv:44: node 1: ready of its port A is "
          "u_maze.g_y[0].g_x[1].u_node.u_core.ready_o[3] while node 1 has failed, expected 0"));
}

TEST_F(BrokenNetwork, ReportsAMaskWithoutItsEnable) {
  edit_array("b.pkt_out_vld & works", "b.pkt_out_vld & (pg_node != {AY'(y), AX'(x)})");
  EXPECT_THAT(
      findings(),
      AllOf(SizeIs(6),
            Contains("network/maze_array.sv:45: node 0: valid of its port B is logic while no node "
                     "has failed, expected u_maze.g_y[0].g_x[0].u_node.u_core.valid_o[3]")));
}

TEST_F(BrokenNetwork, ReportsAMaskThatReplacesTheReady) {
  edit_array("a.pkt_in_rdy & works", "works");
  EXPECT_THAT(
      findings(),
      AllOf(SizeIs(6),
            Contains("network/maze_array.sv:35: node 0: ready of its port A is 1 while no node has "
                     "failed, expected u_maze.g_y[0].g_x[0].u_node.u_core.ready_o[3]")));
}

// --- Clock, reset and the failed node
// -------------------------------------------------------------

TEST_F(BrokenNetwork, ReportsAClockWithoutAGate) {
  edit_array(".clk(node_clk)", ".clk(N == 4 ? clk : node_clk)");
  EXPECT_THAT(findings(), ElementsAre("network/maze_node.sv:69: node 4: its clock is u_maze.clk, "
                                      "expected clk_o of a MAZE_CLOCK_GATE"));
}

TEST_F(BrokenNetwork, ReportsTheGateOfAnotherNode) {
  edit_array("assign works = ~(pg_en & (pg_node == {AY'(y), AX'(x)}));",
             "assign works = ~(pg_en & (pg_node == {AY'(y), AX'(N == 1 ? 2 : x)}));");
  EXPECT_THAT(
      findings(),
      ElementsAre(
          "network/maze_array.sv:35: node 1: en_i of its clock gate is 1 while node 1 has failed, "
          "expected 0",
          "network/maze_array.sv:44: node 1: ready of its port A is "
          "u_maze.g_y[0].g_x[1].u_node.u_core.ready_o[3] while node 1 has failed, expected 0",
          "network/maze_array.sv:45: node 1: valid of its port B is "
          "u_maze.g_y[0].g_x[1].u_node.u_core.valid_o[3] while node 1 has failed, expected 0"));
}

TEST_F(BrokenNetwork, ReportsAGateThatIsAlwaysOpen) {
  edit_array(".en_i(works)", ".en_i(N == 3 ? 1'b1 : works)");
  EXPECT_THAT(findings(), ElementsAre("network/maze_array.sv:36: node 3: en_i of its clock gate is "
                                      "1 while node 3 has failed, expected 0"));
}

TEST_F(BrokenNetwork, ReportsAGateWithoutTestEnable) {
  edit_array(".test_en_i(test_en)", ".test_en_i(1'b0)");
  EXPECT_THAT(findings(),
              AllOf(SizeIs(6), Contains("network/maze_array.sv:36: node 0: test_en_i of its clock "
                                        "gate takes 0, expected u_maze.test_en")));
}

TEST_F(BrokenNetwork, ReportsAGateForTwoNodes) {
  edit_array(".clk(node_clk)", ".clk(shared)");
  edit_array("  for (genvar y",
             "  logic shared;\n  MAZE_CLOCK_GATE u_shared (.clk_i(clk), .en_i(1'b1), "
             ".test_en_i(test_en), .clk_o(shared));\n  for (genvar y");
  EXPECT_THAT(findings(),
              AllOf(SizeIs(6), Contains("network/maze_array.sv:29: node 0: en_i of its clock gate "
                                        "is 1 while node 0 has failed, expected 0")));
}

TEST_F(BrokenNetwork, ReportsAResetThatIsInverted) {
  edit_array(".clk(node_clk), .rst_n,", ".clk(node_clk), .rst_n(rst_n ^ (N == 2)),");
  EXPECT_THAT(findings(), ElementsAre("network/maze_array.sv:56: node 2: rst_n of its MAZE_CORE "
                                      "takes the inverse of u_maze.rst_n, expected u_maze.rst_n"));
}

TEST_F(BrokenNetwork, ReportsANodeThatDoesNotKnowOfTheFailure) {
  edit_array(".rst_n, .pg_en, .pg_node,", ".rst_n, .pg_en(pg_en & (N != 1)), .pg_node,");
  EXPECT_THAT(findings(), ElementsAre("network/maze_array.sv:56: node 1: pg_en_i of its MAZE_CORE "
                                      "takes 0, expected u_maze.pg_en"));
}

TEST_F(BrokenNetwork, ReportsAFailedNodeWithCrossedBits) {
  edit_array(".pg_en, .pg_node,",
             ".pg_en, .pg_node({pg_node[AX+:AY], pg_node[AX-1:2], pg_node[0], pg_node[1]}),");
  EXPECT_THAT(
      findings(),
      AllOf(SizeIs(12), Contains("network/maze_array.sv:56: node 0: pg_node_i[0] of its MAZE_CORE "
                                 "takes u_maze.pg_node[1], expected u_maze.pg_node[0]")));
}

TEST_F(BrokenNetwork, ReportsARegister) {
  edit_array("b.pkt_out_vld & works", "late & works");
  edit_array("      logic works,",
             "      logic late;\n      always_ff @(posedge clk or negedge rst_n) if (!rst_n) late "
             "<= 1'b0; else late <= b.pkt_out_vld;\n      logic works,");
  EXPECT_THAT(findings(), AllOf(SizeIs(7), Contains("network/maze_array.sv:32: a register in "
                                                    "MAZE_ARRAY, expected wires and logic alone")));
}

TEST_F(BrokenNetwork, ReportsAClockOfTopoThatIsGated) {
  edit_array("u_topo (.clk,", "u_topo (.clk(clk & ~pg_en),");
  EXPECT_THAT(findings(), ElementsAre("network/maze_array.sv:26: clk of TOPO takes logic "
                                      "(network/maze_array.sv:26), expected u_maze.clk"));
}

TEST_F(BrokenNetwork, ReportsASecondDriverOfAnOutput) {
  edit_array("      MAZE_NODE #(",
             "      if (N == 0) assign pkt_o[N].pkt_out_data = '0;\n      MAZE_NODE #(");
  EXPECT_THAT(findings(),
              ElementsAre("network/maze_array.sv:50: node 0: data[0] of its port B takes several "
                          "drivers (network/maze_array.sv:50), expected "
                          "u_maze.g_y[0].g_x[0].u_node.u_core.payload_o[51] (and 1 more bits)",
                          "network/maze_array.sv:53: b[0].pkt_out_data[0] has 2 drivers; it is "
                          "also driven at network/maze_array.sv:50 (and 1 more bits)"));
}

TEST_F(BrokenNetwork, ReportsASignalWithoutADriver) {
  edit_array("      assign b.pkt_out_rdy         = pkt_o[N].pkt_out_rdy;\n", "");
  EXPECT_THAT(findings(),
              AllOf(SizeIs(12), Contains("network/maze_node.sv:62: node 0: ready_i of its port B "
                                         "takes nothing, expected b[0].pkt_out_rdy")));
}

// --- Inside a node -------------------------------------------------------------------------------

TEST_F(BrokenNetwork, ReportsALineOfANodeThatDrivesAnotherSignal) {
  edit("network/maze_arbiter.sv", "assign low_o ", "assign high_o ");
  EXPECT_THAT(
      findings(),
      IsSupersetOf({"network/maze_arbiter.sv:17: g_out[0].u_arbiter.low_o[0] has no driver (and 1 "
                    "more bits)",
                    "network/maze_arbiter.sv:37: g_out[0].u_arbiter.high_o[0] has 2 drivers; it "
                    "is also driven at network/maze_arbiter.sv:36 (and 1 more bits)"}));
}

TEST_F(BrokenNetwork, ReportsASignalOfANodeThatWaitsForItself) {
  edit("network/maze_arbiter.sv", "assign any_low  = |low_i;",
       "assign any_low  = |low_i | any_low;");
  EXPECT_THAT(findings(),
              Contains(HasSubstr("network/maze_arbiter.sv:34: g_out[0].u_arbiter.any_low")));
}

}  // namespace
}  // namespace kernbench::sim::structure
