// SPDX-License-Identifier: Apache-2.0
#include "topology/rtl/noc_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "common/diagnostics.hpp"
#include "topology/rtl/noc_sources.hpp"
#include "topology/zoo/routing/natural_routing.hpp"
#include "topology/zoo/zoo_export.hpp"
#include "topology/zoo/zoo_spec.hpp"
#include "topology/zoo/zoo_text.hpp"

namespace kernbench::topology {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A topology with its relation and its network.
struct Planned {
  explicit Planned(const char* text, const NocOptions& options = {})
      : topology(zoo::parse_zoo_text(text)),
        relation(zoo::natural_routing(*topology)),
        plan(plan_noc(*relation, options)) {}

  zoo::TopologyPtr topology;
  std::unique_ptr<zoo::RoutingRelation> relation;
  NocPlan plan;
};

std::string errors_of(const char* text, const NocOptions& options = {}) {
  try {
    const Planned planned(text, options);
  } catch (const common::BadInput& error) {
    return error.what();
  }
  return "";
}

TEST(NocPlan, NumbersPortsInTheOrderOfChannelsAndTheLocalOneLast) {
  // Channels 0->1, 1->0, 1->2, 2->1.
  const Planned line("BidirectionalLine(3)");
  EXPECT_THAT(line.plan.nodes[1].in, ElementsAre(0U, 3U));
  EXPECT_THAT(line.plan.nodes[1].out, ElementsAre(1U, 2U));
  EXPECT_EQ(line.plan.nodes[1].inputs(), 3U);
}

TEST(NocPlan, FillsTheEntriesThatPacketsNeedAlone) {
  const Planned line("BidirectionalLine(3)");
  EXPECT_THAT(line.plan.nodes[1].table, ElementsAre(0U, 2U, 1U,    // from 0: not back
                                                    0U, 2U, 0U,    // from 2: to 0
                                                    0U, 2U, 1U));  // local
  EXPECT_THAT(line.plan.nodes[0].table, ElementsAre(1U, 0U, 0U, 1U, 0U, 0U));
}

TEST(NocPlan, ARingChangesTheClassAtItsDateline) {
  // Two classes; the channel 2->0 is the dateline. Entries are output * 2 + class.
  const Planned ring("UnidirectionalTorus1D(3)");
  EXPECT_EQ(ring.plan.vcs(), 2U);
  // VC 1 up to the dateline, VC 0 behind it; of the others, 0 to 1 takes VC 1, and VC 0 leads to 2.
  EXPECT_THAT(ring.plan.nodes[2].table, ElementsAre(0U, 0U, 2U,    // from 1, VC 0
                                                    1U, 0U, 0U,    // VC 1: to the dateline
                                                    1U, 1U, 2U,    // local, VC 0
                                                    1U, 1U, 3U));  // local, VC 1
  EXPECT_THAT(ring.plan.nodes[0].table,
              ElementsAre(0U, 0U, 0U, 3U, 0U, 0U, 2U, 1U, 0U, 3U, 1U, 0U));
}

TEST(NocPlan, EveryLaneOfAClassHasItsEntries) {
  const Planned one("UnidirectionalTorus1D(4)");
  const Planned two("UnidirectionalTorus1D(4)", {.lanes = 2});
  EXPECT_EQ(two.plan.vcs(), 4U);
  for (std::size_t n = 0; n < 4; ++n) {
    const auto& a = one.plan.nodes[n].table;
    const auto& b = two.plan.nodes[n].table;
    ASSERT_EQ(b.size(), 2 * a.size());
    for (std::size_t i = 0; i < b.size(); ++i) EXPECT_EQ(b[i], a[(i / 8) * 4 + i % 4]) << n << i;
  }
}

TEST(NocPlan, TheTablesFollowThePreferredRoutes) {
  for (const char* text :
       {"Mesh2D(4,3)", "BidirectionalTorus2D(4,4)", "FlattenedButterfly(3,3)", "Butterfly(2,3)",
        "TerminalRouter(BidirectionalTorus1D(5))", "BidirectionalTree(2,2)",
        "HierarchicalTopology(UnidirectionalTorus1D(4),(0,2,BidirectionalLine(5)))"}) {
    const Planned planned(text, {.lanes = 2});
    const NocPlan& plan = planned.plan;
    for (std::uint32_t src = 0; src < plan.n_nodes(); ++src) {
      for (std::uint32_t dst = 0; dst < plan.n_nodes(); ++dst) {
        if (src == dst) continue;
        const auto route = zoo::preferred_route(*planned.relation, src, dst);
        if (route.empty()) continue;
        std::uint32_t at = src;
        std::uint32_t vc = 0;
        std::size_t input = plan.nodes[src].in.size();
        for (std::size_t hop = 0; hop <= route.size(); ++hop) {
          const NocNodePlan& node = plan.nodes[at];
          const std::uint32_t entry = node.table[(input * plan.vcs() + vc) * plan.n_nodes() + dst];
          const std::uint32_t output = entry / plan.classes;
          if (hop == route.size()) {
            ASSERT_EQ(at, dst);
            ASSERT_EQ(output, node.out.size()) << text;
            break;
          }
          ASSERT_EQ(node.out.at(output), route[hop].channel) << text << ' ' << src << ' ' << dst;
          ASSERT_EQ(entry % plan.classes, route[hop].vc);
          at = plan.channels[route[hop].channel].dst;
          const auto& in = plan.nodes[at].in;
          input = static_cast<std::size_t>(std::find(in.begin(), in.end(), route[hop].channel) -
                                           in.begin());
          vc = route[hop].vc * 2 + 1;  // the second lane
        }
      }
    }
  }
}

TEST(NocPlan, TheSmallestFlitHoldsHeadTailDestinationAnd32Bits) {
  EXPECT_EQ(Planned("Mesh2D(4,4)").plan.options.flit_bits, 2U + 4 + 32);
  EXPECT_EQ(Planned("Mesh2D(17,1)").plan.options.flit_bits, 2U + 5 + 32);
  EXPECT_EQ(Planned("Mesh2D(4,4)", {.flit_bits = 6}).plan.options.flit_bits, 6U);
}

TEST(NocPlan, ReportsAllLimitsAtOnce) {
  EXPECT_EQ(
      errors_of("Mesh2D(20,20)", {.lanes = 20, .flit_bits = 9}),
      "error: a flit must have 10 to 4096 bits, not 9: head, tail and the number of one of 400 "
      "nodes\n"
      "error: Mesh2D(20,20): 400 nodes; the RTL has at most 256\n"
      "error: Mesh2D(20,20): node 1 has 80 virtual channels of inputs, and 395 more have too "
      "many; the RTL has at most 64");
}

TEST(NocPlan, NamesTheFirstNodeWithTooManyPorts) {
  EXPECT_EQ(
      errors_of("BidirectionalTree(1,15)"),
      "error: BidirectionalTree(1,15): node 0 has 16 inputs with the local one; the RTL has at "
      "most 15\n"
      "error: BidirectionalTree(1,15): node 0 has 16 outputs with the local one; the RTL has "
      "at most 15");
  EXPECT_THAT(errors_of("FlattenedButterfly(8,9)"),
              HasSubstr("node 0 has 16 inputs with the local one, and 71 more have too many"));
  EXPECT_EQ(errors_of("FlattenedButterfly(8,8)"), "");
}

TEST(NocPlan, RefusesValuesOutsideTheirRanges) {
  EXPECT_EQ(errors_of("Mesh2D(2,2)", {.lanes = 0, .slots = 0, .stages = 16, .module = "1top"}),
            "error: the number of lanes must be 1 to 64, not 0\n"
            "error: the number of slots must be 1 to 256, not 0\n"
            "error: the number of register stages must be 0 to 15, not 16\n"
            "error: '1top' is not a name of SystemVerilog: letters, digits and _");
}

TEST(NocSources, ThePackageHasALineForEachInputVc) {
  EXPECT_EQ(
      noc_package(Planned("UnidirectionalLine(2)", {.slots = 4, .module = "Line"}).plan),
      "// SPDX-License-Identifier: Apache-2.0\n"
      "// Generated by kernbench topology rtl. Edits are lost: change the topology or its "
      "options.\n"
      "// The parameters of Line, and the table of each node.\n"
      "// UnidirectionalLine(2), dimension order.\n"
      "//\n"
      "// A line of a table has the entries of an input VC, destination 0 lowest: output * C + "
      "class.\n"
      "package line_pkg;\n"
      "\n"
      "  localparam int N  = 2;     // nodes\n"
      "  localparam int C  = 1;     // classes of the routes\n"
      "  localparam int M  = 1;     // virtual channels of a class\n"
      "  localparam int V  = C * M; // virtual channels\n"
      "  localparam int B  = 4;     // slots of a virtual channel at an input\n"
      "  localparam int W  = 35;    // bits of a flit: head, tail, payload, destination\n"
      "  localparam int VW = 1;     // bits of the number of a virtual channel\n"
      "\n"
      "  // Node 0: 1 bits of an entry.\n"
      "  localparam logic [1:0] Table0 = {\n"
      "    2'h1  // local, VC 0\n"
      "  };\n"
      "\n"
      "  // Node 1: 1 bits of an entry.\n"
      "  localparam logic [3:0] Table1 = {\n"
      "    2'h0,  // local, VC 0\n"
      "    2'h0  // 0->1, VC 0\n"
      "  };\n"
      "\n"
      "endpackage\n");
}

TEST(NocSources, TheTopJoinsANodeToItsChannels) {
  const std::string top = noc_top(Planned("BidirectionalLine(3)", {.stages = 2}).plan);
  EXPECT_THAT(top, HasSubstr("  NOC_NODE #(.PI(3), .PO(3), .V(V), .B(B), .W(W), .N(N), .M(M), "
                             ".D(12'h222)) u_node1 (\n"
                             "    .clk, .rst_n, .table_i(Table1),\n"
                             "    .valid_i({a_valid_i[1], ch3_valid, ch0_valid}),\n"
                             "    .vc_i({a_vc_i[1], ch3_vc, ch0_vc}),\n"
                             "    .flit_i({a_flit_i[1], ch3_flit, ch0_flit}),\n"
                             "    .credit_o({a_credit_o[1], ch3_credit, ch0_credit}),\n"
                             "    .valid_o({b_valid_o[1], ch2_valid, ch1_valid}),\n"
                             "    .vc_o({b_vc_o[1], ch2_vc, ch1_vc}),\n"
                             "    .flit_o({b_flit_o[1], ch2_flit, ch1_flit}),\n"
                             "    .credit_i({b_credit_i[1], ch2_credit, ch1_credit})\n"
                             "  );\n"));
}

TEST(NocSources, TheSameNetworkHasTheSameBytes) {
  const auto text = [] {
    const Planned planned("BidirectionalTorus2D(4,3)");
    return noc_package(planned.plan) + noc_top(planned.plan);
  };
  EXPECT_EQ(text(), text());
}

/// A topology of a file, with its network.
NocPlan plan_of_file(const std::string& text, const NocOptions& options) {
  const zoo::TopologyPtr topology = zoo::parse_zoo_spec(text, "t");
  return plan_noc(*zoo::natural_routing(*topology), options);
}

TEST(NocPlan, GivesLinksTheStagesOfTheirFile) {
  const NocPlan plan = plan_of_file(
      "topology: {kind: CustomTopology, n: 3, edges: [[0, 1], [1, 2], [2, 0]], stages: [0, 2, 3]}",
      {.stages = 1});
  EXPECT_THAT(plan.stages, ElementsAre(0U, 2U, 3U));
  EXPECT_THAT(plan.stages_of(plan.nodes[0]), ElementsAre(3U, 1U));
  EXPECT_EQ(stages_text(plan), "0 to 3");
  EXPECT_THAT(noc_top(plan), HasSubstr(".D(8'h13)) u_node0 ("));
  EXPECT_THAT(noc_top(plan), HasSubstr(".D(8'h12)) u_node2 ("));
}

TEST(NocPlan, GivesLinksAsManyStagesAsTheirLengthNeeds) {
  // In the picture of this row, channels have the lengths 1.17, 2.34 and 3.51.
  const Planned row("FlattenedButterfly(4,1)", {.stages = 1, .wire = 1.0});
  EXPECT_THAT(row.plan.stages, ElementsAre(1U, 2U, 3U, 1U, 1U, 2U, 2U, 1U, 1U, 3U, 2U, 1U));
  EXPECT_EQ(stages_text(row.plan), "1 to 3");
  EXPECT_THAT(row.plan.stages_of(row.plan.nodes[3]), ElementsAre(3U, 2U, 1U, 1U));
  const std::string error = errors_of("FlattenedButterfly(4,1)", {.wire = 0.15});
  EXPECT_THAT(error,
              HasSubstr("channel 0->3 of length 3.51 has 23 register stages at wires of 0.15; "
                        "the RTL has at most 15"));
}

}  // namespace
}  // namespace kernbench::topology
