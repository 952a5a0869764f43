// SPDX-License-Identifier: Apache-2.0
// The lines that findings of the structure check and wrong stages point at, in texts made by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/debug/conditions.hpp"
#include "sim/debug/found_lines.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kTopo =
    "module TOPO;\n"                                                       // 1
    "  for (genvar i = 0; i < 3; i++) begin : g_xlink\n"                   // 2
    "    localparam int Dst = (i + 2) % 4;\n"                              // 3
    "    IRS_N #(\n"                                                       // 4
    "      .IRS_DEEP (maze_pkg::irs_depth(i, 4))\n"                        // 5
    "    ) u_irs (\n"                                                      // 6
    "      .valid_i  (node_if[i].xo_vld[i]),\n"                            // 7
    "      .payload_i({node_if[i].xo_type[i], node_if[i].xo_data[i]}),\n"  // 8
    "      .valid_o  (node_if[Dst].xi_vld[i]),\n"                          // 9
    "      .ready_i  (node_if[Dst].xi_rdy[i]),\n"                          // 10
    "      .payload_o({node_if[Dst].xi_type[i],\n"                         // 11
    "                  node_if[Dst].xi_data[i]})\n"                        // 12
    "    );\n"                                                             // 13
    "  end\n"                                                              // 14
    "endmodule\n";                                                         // 15

class FoundLines : public ::testing::Test {
 protected:
  [[nodiscard]] std::vector<unsigned> lines(const std::vector<std::string>& messages) const {
    const std::string file = folder_.write("topo.sv", kTopo).string();
    std::vector<structure::Finding> findings;
    for (const std::string& message : messages) {
      findings.push_back({structure::Rule::Connection, file + ":6", message});
    }
    std::vector<unsigned> found;
    for (const Suspect& one : lines_of_findings(findings)) found.push_back(one.line);
    return found;
  }
  common::TempFolder folder_;
};

TEST_F(FoundLines, OfAParameterIsItsConnection) {
  EXPECT_THAT(lines({"link node 0 x[0]: IRS_DEEP is 2, expected 0"}), ElementsAre(5));
}

TEST_F(FoundLines, OfAFieldIsTheLineWithTheField) {
  EXPECT_THAT(
      lines({"link node 0 x[0]: node 0 xo_data[0] bit 1 arrives at node 1 xi_data[0] bit 0, "
             "expected node 1 xi_data[0] bit 1"}),
      ElementsAre(12));
}

TEST_F(FoundLines, OfSeveralConnectionsBeginWithWhatTheyShare) {
  EXPECT_THAT(
      lines({"link node 0 x[0]: valid_o drives node 2 xi_vld[0], expected node 1 xi_vld[0]",
             "link node 0 x[0]: ready_i takes node 2 xi_rdy[0], expected node 1 xi_rdy[0]"}),
      ElementsAre(3, 9, 10));
}

TEST_F(FoundLines, OfAChainAsAWholeAreNone) {
  EXPECT_THAT(lines({"ready_o of IRS_N does not depend on ready_i"}), IsEmpty());
}

TEST_F(FoundLines, OfAFileThatIsGoneAreThoseOfTheFinding) {
  const auto found = lines_of_findings(
      {{structure::Rule::Connection, "gone.sv:7", "link node 0 x[0]: valid_i takes nothing"}});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().line, 7U);
}

TEST_F(FoundLines, OfARegisterThatAResetForgetsAreThoseThatAssignToIt) {
  const std::string file =
      folder_
          .write("queue.sv",
                 "module QUEUE;\n  always_ff @(posedge clk or negedge rst_n) begin\n"
                 "    if (!rst_n) begin\n      if (0) head_q <= '0;\n      next_q <= '0;\n"
                 "    end else head_q <= head_d;\n  end\n  always_ff @(posedge clk) head_q <= 1;\n"
                 "endmodule\n")
          .string();
  Suspect process;
  process.file = file;
  process.line = 2;
  process.signal = "head_q";
  process.keeps_in_reset = true;
  std::vector<unsigned> found;
  for (const Suspect& one : with_conditions({process})) found.push_back(one.line);
  EXPECT_THAT(found, ElementsAre(4, 6, 2));
}

TEST_F(FoundLines, OfAWrongStageBeginWithItsCondition) {
  const std::string file =
      folder_
          .write("irs_n.sv",
                 "module IRS_N;\n  if (!TYPE_HALF) begin : g_half\n    IRS_HALF #(\n"
                 "    ) u_irs (\n    );\n  end\nendmodule\n")
          .string();
  Suspect stage;
  stage.file = file;
  stage.line = 4;
  stage.finding = kOtherStage;
  std::vector<unsigned> found;
  for (const Suspect& one : with_conditions({stage})) found.push_back(one.line);
  EXPECT_THAT(found, ElementsAre(2, 4));
}

constexpr const char* kQueue =
    "module QUEUE;\n"                                     // 1
    "  logic [3:0] low_q, high_q;\n"                      // 2
    "  always_ff @(posedge clk) begin\n"                  // 3
    "    if (!rst_n) count_q <= '0;\n"                    // 4
    "    else if (0 == 1) count_q <= count_q + 4'(1);\n"  // 5
    "    else begin\n"                                    // 6
    "      y_q <= x_start;\n"                             // 7
    "      y_q <= y_start;\n"                             // 8
    "    end\n"                                           // 9
    "    if (load[0]) high_q <= payload_i;\n"             // 10
    "    if (load[1]) high_q <= payload_i;\n"             // 11
    "  end\n"                                             // 12
    "  assign sum = a +\n"                                // 13
    "               b;\n"                                 // 14
    "endmodule\n";                                        // 15

TEST_F(FoundLines, OfARegisterHaveThoseThatNeverRunAndThoseThatAssignTwiceToAnother) {
  Suspect executed;
  executed.file = folder_.write("queue.sv", kQueue).string();
  executed.line = 4;
  executed.signal = "count_q";
  executed.is_register = true;
  Suspect behind = executed;
  behind.line = 3;
  std::vector<unsigned> found;
  for (const Suspect& one : with_conditions({executed, behind})) found.push_back(one.line);
  EXPECT_THAT(found, ElementsAre(4, 5, 7, 8, 10, 11, 3));
}

TEST_F(FoundLines, OfAStatementEndWithIt) {
  Suspect sum;
  sum.file = folder_.write("queue.sv", kQueue).string();
  sum.line = 13;
  Suspect one_line = sum;
  one_line.line = 7;
  const std::vector<Suspect> lines = with_conditions({sum, one_line});
  EXPECT_EQ(lines[0].last_line, 14U);
  EXPECT_EQ(lines[1].last_line, 0U);
}

TEST_F(FoundLines, OfASignalWithTwoDriversAreBoth) {
  const std::string file = folder_.write("queue.sv", kQueue).string();
  std::vector<unsigned> found;
  for (const Suspect& one : lines_of_findings(
           {{structure::Rule::Driver, file + ":2", "low_q[0] has no driver"},
            {structure::Rule::Driver, file + ":14",
             "sum[0] has 2 drivers; it is also driven at " + file + ":13 (and 1 more bits)"}})) {
    found.push_back(one.line);
  }
  // Lines that assign to another register in a row may be meant for low_q.
  EXPECT_THAT(found, ElementsAre(14, 13, 4, 5, 10, 11, 7, 8, 2));
}

TEST_F(FoundLines, OfASignalWithoutADriverBeginWithThoseThatReadSignalsOfItsName) {
  const std::string file = folder_
                               .write("queue.sv",
                                      "module QUEUE;\n"                                 // 1
                                      "  logic [7:0] low_q, high_q;\n"                  // 2
                                      "  always_ff @(posedge clk) begin\n"              // 3
                                      "    if (!rst_n) head_q <= '0;\n"                 // 4
                                      "    low_q <= next ? low_next_q : payload_i;\n"   // 5
                                      "    low_q <= next ? high_next_q : payload_i;\n"  // 6
                                      "  end\n"                                         // 7
                                      "  always_ff @(posedge clk) head_q <= head_d;\n"  // 8
                                      "  assign misspelt = head_q;\n"                   // 9
                                      "endmodule\n")
                               .string();
  std::vector<unsigned> found;
  for (const Suspect& one :
       lines_of_findings({{structure::Rule::Driver, file + ":2",
                           "g_in[0].u_queue.high_q[0] has no driver (and 7 more bits)"}})) {
    found.push_back(one.line);
  }
  // A register that a reset and one more line assign to is in order.
  EXPECT_THAT(found, ElementsAre(6, 5, 9, 2));
}

TEST_F(FoundLines, OfLogicInAWireAreItsLine) {
  const auto found = lines_of_findings(
      {{structure::Rule::Connection, "irs_n.sv:62",
        "ready_o of IRS_N at depth 0 is logic (irs_n.sv:39), expected a wire from ready_i"}});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().line, 39U);
}

}  // namespace
}  // namespace kernbench::sim
