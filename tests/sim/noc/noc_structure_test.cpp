// SPDX-License-Identifier: Apache-2.0
// Breaks the generated top of a network, and expects the structure check to say where and how.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "common/diagnostics.hpp"
#include "generated_noc.hpp"
#include "sim/dut/source_names.hpp"
#include "sim/structure/structure_check.hpp"
#include "sim/structure/structure_file.hpp"

namespace kernbench::sim::structure {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class NocStructure : public GeneratedNoc {
 protected:
  CheckResult check() {
    const std::string out = elaborate();
    CheckResult result = check_noc_structure(dump_path(out), device().network);
    const SourceNames names = SourceNames::read(out);
    for (Finding& finding : result.findings) {
      finding.where = std::filesystem::path(names.user_text(finding.where)).filename().string();
      finding.message = names.user_text(finding.message);
      const std::string folder = rtl().string() + "/";
      if (const auto at = finding.message.find(folder); at != std::string::npos) {
        finding.message.erase(at, folder.size());
      }
    }
    return result;
  }

  /// Returns the findings as "noc_top.sv:46: message".
  [[nodiscard]] std::vector<std::string> findings() {
    std::vector<std::string> texts;
    for (const Finding& finding : check().findings) {
      texts.push_back(finding.where + ": " + finding.message);
    }
    return texts;
  }
};

TEST_F(NocStructure, PassesForTheGeneratedTop) {
  struct Sound {
    const char* topology;
    topology::NocOptions options;
  };
  for (const Sound& one :
       {Sound{"Mesh2D(3,2)", {}}, Sound{"BidirectionalTorus2D(3,3)", {.slots = 6, .stages = 2}},
        Sound{"BidirectionalTorus1D(4)", {.lanes = 2, .stages = 0}}, Sound{"Butterfly(2,2)", {}},
        Sound{"CustomTopology(3,0->1,1->2,2->0)", {}}, Sound{"UnidirectionalLine(1)", {}}}) {
    std::filesystem::remove_all(rtl());
    generate(one.topology, one.options);
    const CheckResult result = check();
    EXPECT_THAT(result.findings, IsEmpty())
        << one.topology << ": " << result.findings.front().message;
    EXPECT_THAT(result.notes, IsEmpty()) << one.topology;
    EXPECT_GT(result.nodes, 0U);
  }
}

/// A 2x2 mesh with a class of routes.
class BrokenMesh : public NocStructure {
 protected:
  void SetUp() override { generate("Mesh2D(2,2)"); }
  void edit_top(const std::string& old_text, const std::string& new_text) {
    edit("noc_top.sv", old_text, new_text);
  }
};

TEST_F(BrokenMesh, ReportsChannelsThatAreSwapped) {
  edit_top(".valid_i({a_valid_i[1], ch6_valid, ch0_valid})",
           ".valid_i({a_valid_i[1], ch0_valid, ch6_valid})");
  EXPECT_THAT(findings(), ElementsAre("noc_top.sv:45: u_node1.valid_i[0] (0->1) takes "
                                      "u_node3.valid_o[0], expected u_node0.valid_o[0]",
                                      "noc_top.sv:45: u_node1.valid_i[1] (3->1) takes "
                                      "u_node0.valid_o[0], expected u_node3.valid_o[0]"));
}

TEST_F(BrokenMesh, ReportsAWireOfHalfAVector) {
  edit_top(".flit_i({a_flit_i[1], ch6_flit, ch0_flit})",
           ".flit_i({a_flit_i[1], ch6_flit, ch0_flit[19:0], ch0_flit[39:20]})");
  EXPECT_THAT(findings(),
              ElementsAre("noc_top.sv:47: u_node1.flit_i[0] (0->1) takes u_node0.flit_o[20], "
                          "expected u_node0.flit_o[0] (and 39 more bits)"));
}

TEST_F(BrokenMesh, ReportsOneWireThatIsInverted) {
  edit_top("ch6_vc, ch0_vc}", "ch6_vc, ~ch0_vc}");
  EXPECT_THAT(findings(), ElementsAre("noc_top.sv:46: u_node1.vc_i[0] (0->1) takes the inverse of "
                                      "u_node0.vc_o[0], expected u_node0.vc_o[0]"));
}

TEST_F(BrokenMesh, ReportsCreditsOfAnotherChannel) {
  edit_top("ch1_credit, ch0_credit})\n", "ch0_credit, ch1_credit})\n");
  EXPECT_THAT(findings(), ElementsAre("noc_top.sv:40: u_node0.credit_i[0] (0->1) takes "
                                      "u_node2.credit_o[0], expected u_node1.credit_o[0]",
                                      "noc_top.sv:40: u_node0.credit_i[1] (0->2) takes "
                                      "u_node1.credit_o[0], expected u_node2.credit_o[0]"));
}

TEST_F(BrokenMesh, ReportsTheUserOfAnotherNode) {
  edit_top(".valid_i({a_valid_i[0],", ".valid_i({a_valid_i[3],");
  edit_top(".flit_o({b_flit_o[0]", ".flit_o({b_flit_o[1]");
  edit_top(".flit_o({b_flit_o[1], ch3", ".flit_o({b_flit_o[0], ch3");
  EXPECT_THAT(
      findings(),
      ElementsAre(
          "noc_top.sv:33: u_node0.valid_i[2] (local) takes a_valid_i[3], expected a_valid_i[0]",
          "noc_top.sv:39: b_flit_o[1][0] (local) takes u_node0.flit_o[80], expected "
          "u_node1.flit_o[80] (and 39 more bits)",
          "noc_top.sv:51: b_flit_o[0][0] (local) takes u_node1.flit_o[80], expected "
          "u_node0.flit_o[80] (and 39 more bits)"));
}

TEST_F(BrokenMesh, ReportsTheTableOfAnotherNode) {
  edit_top(".table_i(Table2)", ".table_i(Table1)");
  EXPECT_THAT(findings(),
              ElementsAre("noc_top.sv:56: the table of u_node2 sends a packet for node 1 from "
                          "0->2, VC 0, to the local output, expected 2->0 (and 6 more entries)"));
}

TEST_F(BrokenMesh, ReportsAnEntryOfATable) {
  edit("noc_top_pkg.sv", "8'h64,  // local", "8'h60,  // local");
  EXPECT_THAT(findings(), ElementsAre("noc_top.sv:56: the table of u_node2 sends a packet for node "
                                      "1 from the local input, VC 0, to 2->0, expected 2->3"));
}

TEST_F(BrokenMesh, ReportsATableThatIsNotConstant) {
  edit_top(".table_i(Table3)", ".table_i(Table3 ^ {24{a_valid_i[0]}})");
  EXPECT_THAT(findings(),
              ElementsAre("noc_top.sv:68: the table of u_node3 sends a packet for node 0 from "
                          "1->3, VC 0, to a_valid_i[0], expected 3->1 (and 11 more entries)"));
}

TEST_F(BrokenMesh, ReportsParameters) {
  edit_top(".B(B), .W(W), .N(N), .M(M), .D(12'h111)) u_node1",
           ".B(B + 1), .W(W), .N(N), .M(M), .D(12'h121)) u_node1");
  EXPECT_THAT(findings(), ElementsAre("noc_top.sv:43: u_node1 has B = 5, expected 4",
                                      "noc_top.sv:43: u_node1 has D = 'h121, expected 'h111"));
}

TEST_F(BrokenMesh, ReportsClockAndReset) {
  edit_top(".clk, .rst_n, .table_i(Table0)", ".clk(~clk), .rst_n(1'b1), .table_i(Table0)");
  EXPECT_THAT(findings(),
              ElementsAre("noc_top.sv:32: u_node0.clk takes the inverse of clk, expected clk",
                          "noc_top.sv:32: u_node0.rst_n takes 1, expected rst_n"));
}

TEST_F(BrokenMesh, ReportsANodeThatIsMissingOrHasAnotherName) {
  edit_top("u_node3 (", "u_node9 (");
  EXPECT_THAT(
      findings(),
      ElementsAre(
          "noc_top.sv:5: NOC_TOP has no u_node3",
          "noc_top.sv:67: u_node9 is a NOC_NODE, expected u_node0 to u_node3 of NOC_NODE alone"));
}

TEST_F(BrokenMesh, ReportsPortsOfAnotherSize) {
  edit_top(".PO(3), .V(V)", ".PO(4), .V(V)");
  EXPECT_THAT(findings(), ElementsAre("noc_top.sv:31: u_node0 has 160 bits of flit_o, expected 120",
                                      "noc_top.sv:31: u_node0 has 4 bits of credit_i, expected 3",
                                      "noc_top.sv:31: u_node0 has 4 bits of valid_o, expected 3",
                                      "noc_top.sv:31: u_node0 has 4 bits of vc_o, expected 3"));
}

TEST_F(BrokenMesh, ReportsRegistersAndInstancesOfOthers) {
  edit_top("endmodule",
           "  logic late;\n  always_ff @(posedge clk) late <= ch0_valid;\n  NOC_QUEUE #(.B(2), "
           ".W(4)) u_more (.clk, .rst_n, .push_i(late), .flit_i(4'd0), .valid_o(), .flit_o(), "
           ".pop_i(1'b0));\nendmodule");
  EXPECT_THAT(
      findings(),
      UnorderedElementsAre(
          "noc_queue.sv:29: a register in NOC_QUEUE, expected wires and logic alone",
          "noc_queue.sv:43: a register in NOC_QUEUE, expected wires and logic alone",
          "noc_top.sv:80: a register in NOC_TOP, expected wires and logic alone",
          "noc_top.sv:81: u_more is a NOC_QUEUE, expected u_node0 to u_node3 of NOC_NODE alone"));
}

TEST_F(BrokenMesh, ReportsALoopInTheTop) {
  edit_top("endmodule", "  logic x;\n  assign x = x | ch0_valid;\nendmodule");
  EXPECT_THAT(findings(), ElementsAre("noc_top.sv:80: u_noc.x depends on itself"));
}

TEST_F(BrokenMesh, ReportsALatchInANode) {
  edit("noc_node.sv", "  assign credit_o[p*V+:V] = {V{any}} & returned;",
       "  always_latch if (any) credit_o[p*V+:V] = returned;");
  EXPECT_THAT(findings(), ElementsAre("noc_node.sv:55: credit_o[0] is a latch (and 2 more bits)"));
}

TEST_F(BrokenMesh, ReportsTwoDriversInARouter) {
  edit("noc_router.sv", "  assign pop = taken;",
       "  assign pop = taken;\n  assign pop[0] = valid[0];");
  EXPECT_THAT(findings(), ElementsAre("noc_router.sv:125: u_router.pop[0] has 2 drivers; it is "
                                      "also driven at noc_router.sv:124"));
}

TEST_F(BrokenMesh, ReportsATopOfAnotherName) {
  edit_top("module NOC_TOP", "module NOC_OTHER");
  edit_top("endmodule",
           "endmodule\nmodule NOC_TOP import noc_top_pkg::*; (input logic clk, rst_n, input logic "
           "a_valid_i [N], input logic [VW-1:0] a_vc_i [N], input logic [W-1:0] a_flit_i [N], "
           "output logic [V-1:0] a_credit_o [N], output logic b_valid_o [N], output logic [VW-1:0] "
           "b_vc_o [N], output logic [W-1:0] b_flit_o [N], input logic [V-1:0] b_credit_i [N]);\n "
           "NOC_OTHER u_in (.*);\nendmodule");
  EXPECT_THAT(
      findings(),
      ElementsAre(
          "noc_top.sv:80: NOC_TOP has no u_node0", "noc_top.sv:80: NOC_TOP has no u_node1",
          "noc_top.sv:80: NOC_TOP has no u_node2", "noc_top.sv:80: NOC_TOP has no u_node3",
          "noc_top.sv:81: u_in is a NOC_OTHER, expected u_node0 to u_node3 of NOC_NODE alone"));
}

}  // namespace
}  // namespace kernbench::sim::structure
