// SPDX-License-Identifier: Apache-2.0
// The dependency check detects faults: relations with one fault each.

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "route_walk.hpp"
#include "topology/zoo/routing/dependency_check.hpp"
#include "topology/zoo/routing/dimension_order.hpp"
#include "topology/zoo/routing/natural_routing.hpp"
#include "topology/zoo/zoo_text.hpp"

namespace kernbench::topology::zoo {
namespace {

/// A correct relation; derived classes add one fault.
class FaultyRelation : public RoutingRelation {
 public:
  explicit FaultyRelation(const BaseTopology& topology)
      : RoutingRelation(topology), sound_(natural_routing(topology)) {}
  [[nodiscard]] std::string name() const override { return "faulty"; }
  [[nodiscard]] std::uint32_t n_vcs() const override { return sound_->n_vcs(); }

 protected:
  [[nodiscard]] const RoutingRelation& sound() const { return *sound_; }

 private:
  std::unique_ptr<RoutingRelation> sound_;
};

/// Uses virtual channel 0 for all hops.
class WithoutVcSwitch : public FaultyRelation {
 public:
  using FaultyRelation::FaultyRelation;
  [[nodiscard]] std::vector<Hop> next(std::uint32_t at, std::optional<Hop> in,
                                      std::uint32_t dst) const override {
    std::vector<Hop> hops = sound().next(at, in, dst);
    for (Hop& hop : hops) hop.vc = 0;
    return hops;
  }
};

TEST(DependencyCheck, CatchesADatelineWithoutItsSwitch) {
  for (const char* text : {"UnidirectionalTorus1D(4)", "BidirectionalTorus1D(6)",
                           "UnidirectionalTorus2D(4,3)", "BidirectionalTorus2D(5,5)"}) {
    const TopologyPtr topology = parse_zoo_text(text);
    EXPECT_TRUE(check_routing(*natural_routing(*topology)).passed()) << text;
    EXPECT_FALSE(check_routing(WithoutVcSwitch(*topology)).passed()) << text;
  }
  const TopologyPtr torus = parse_zoo_text("UnidirectionalTorus2D(4,3)");
  EXPECT_EQ(cycle_text(*torus, check_routing(WithoutVcSwitch(*torus)).cycle),
            "0->1 vc0, 1->2 vc0, 2->3 vc0, 3->0 vc0, back to 0->1 vc0");
}

/// Uses XY for even destinations and YX for odd ones.
class MixedOrders : public RoutingRelation {
 public:
  MixedOrders(const BaseTopology& mesh, const Grid& grid)
      : RoutingRelation(mesh),
        xy_(mesh, grid, DimensionStep::Neighbour, DimensionOrder::XY),
        yx_(mesh, grid, DimensionStep::Neighbour, DimensionOrder::YX) {}
  [[nodiscard]] std::string name() const override { return "mixed orders"; }
  [[nodiscard]] std::uint32_t n_vcs() const override { return 1; }
  [[nodiscard]] std::vector<Hop> next(std::uint32_t at, std::optional<Hop> in,
                                      std::uint32_t dst) const override {
    return dst % 2 == 0 ? xy_.next(at, in, dst) : yx_.next(at, in, dst);
  }

 private:
  DimensionOrderRouting xy_;
  DimensionOrderRouting yx_;
};

TEST(DependencyCheck, CatchesAMeshThatMixesXYAndYX) {
  const TopologyPtr mesh = parse_zoo_text("Mesh2D(3,3)");
  const RoutingCheck check = check_routing(MixedOrders(*mesh, {3, 3}));
  ASSERT_FALSE(check.deadlock_free());
  EXPECT_EQ(check.unrouted.count + check.dead_ends.count + check.livelocks.count, 0U);
  // A cycle in a mesh has turns from X into Y and from Y into X.
  bool x_to_y = false;
  bool y_to_x = false;
  for (std::size_t i = 0; i < check.cycle.size(); ++i) {
    const Channel& a = mesh->channels()[check.cycle[i].channel];
    const Channel& b = mesh->channels()[check.cycle[(i + 1) % check.cycle.size()].channel];
    EXPECT_EQ(a.dst, b.src);
    x_to_y |= a.src / 3 == a.dst / 3 && b.src % 3 == b.dst % 3;
    y_to_x |= a.src % 3 == a.dst % 3 && b.src / 3 == b.dst / 3;
  }
  EXPECT_TRUE(x_to_y && y_to_x);
}

/// Sends packets injected at the root of a binary tree down the wrong side first.
class DownThenUp : public FaultyRelation {
 public:
  using FaultyRelation::FaultyRelation;
  [[nodiscard]] std::vector<Hop> next(std::uint32_t at, std::optional<Hop> in,
                                      std::uint32_t dst) const override {
    std::vector<Hop> hops = sound().next(at, in, dst);
    if (at != 0 || in) return hops;
    const std::uint32_t right_way = topology().channels()[hops.front().channel].dst;
    return {hop_over(topology(), 0, right_way == 1 ? 2 : 1)};
  }
};

TEST(DependencyCheck, CatchesATreeThatGoesDownAndThenUp) {
  const TopologyPtr tree = parse_zoo_text("BidirectionalTree(2,2)");
  const RoutingCheck check = check_routing(DownThenUp(*tree));
  ASSERT_FALSE(check.deadlock_free());
  EXPECT_EQ(cycle_text(*tree, check.cycle),
            "0->1 vc0, 1->0 vc0, 0->2 vc0, 2->0 vc0, back to 0->1 vc0");
  EXPECT_EQ(check.livelocks.count, 0U);
}

/// Keeps packets that came down into a child on the virtual channels of those going up.
class OneSetOfVcs : public FaultyRelation {
 public:
  using FaultyRelation::FaultyRelation;
  [[nodiscard]] std::vector<Hop> next(std::uint32_t at, std::optional<Hop> in,
                                      std::uint32_t dst) const override {
    std::vector<Hop> hops = sound().next(at, in, dst);
    for (Hop& hop : hops) hop.vc %= 2;
    return hops;
  }
};

TEST(DependencyCheck, CatchesAHierarchyOfRingsWithOneSetOfVirtualChannels) {
  const TopologyPtr topology = parse_zoo_text(
      "HierarchicalTopology(BidirectionalLine(2),(0,1,UnidirectionalTorus1D(3)),"
      "(1,1,UnidirectionalTorus1D(3)))");
  EXPECT_TRUE(check_routing(*natural_routing(*topology)).passed());
  const RoutingCheck check = check_routing(OneSetOfVcs(*topology));
  ASSERT_FALSE(check.deadlock_free());
  // The cycle uses both links in both directions.
  const std::string cycle = cycle_text(*topology, check.cycle);
  for (const char* link :
       {"0->3 vc0", "3->0 vc0", "1->6 vc0", "6->1 vc0", "0->1 vc0", "1->0 vc0"}) {
    EXPECT_NE(cycle.find(link), std::string::npos) << link << " in " << cycle;
  }
}

/// Returns a list given by the test at one place, and correct hops elsewhere.
class OneAnswerChanged : public FaultyRelation {
 public:
  OneAnswerChanged(const BaseTopology& topology, std::uint32_t at, std::uint32_t dst,
                   std::vector<Hop> answer)
      : FaultyRelation(topology), at_(at), dst_(dst), answer_(std::move(answer)) {}
  [[nodiscard]] std::vector<Hop> next(std::uint32_t at, std::optional<Hop> in,
                                      std::uint32_t dst) const override {
    return at == at_ && dst == dst_ ? answer_ : sound().next(at, in, dst);
  }

 private:
  std::uint32_t at_;
  std::uint32_t dst_;
  std::vector<Hop> answer_;
};

TEST(DependencyCheck, CatchesADeadEndAndAnUnroutedPair) {
  const TopologyPtr line = parse_zoo_text("BidirectionalLine(3)");
  const RoutingCheck check = check_routing(OneAnswerChanged(*line, 1, 2, {}));
  EXPECT_FALSE(check.passed());
  EXPECT_EQ(routing_report(*line, check),
            "topology: BidirectionalLine(3), 3 nodes, 4 channels\n"
            "routing: faulty, 1 virtual channel\n"
            "pairs: 6, 6 of them joined by channels\n"
            "channel dependency graph: 3 virtual channels in use, 1 dependencies\n"
            "joined, but not routed: 1\n"
            "  from node 1 to node 2\n"
            "dead ends: 1\n"
            "  from node 1 to node 2 (arrived by 0->1 vc0)\n"
            "deadlock: none, the dependency graph has no cycle\n");
}

TEST(DependencyCheck, CatchesALivelock) {
  // 0 -> 1 -> 0 -> 1 ..., but never to 2.
  const TopologyPtr line = parse_zoo_text("BidirectionalLine(3)");
  const RoutingCheck check = check_routing(OneAnswerChanged(*line, 1, 2, {hop_over(*line, 1, 0)}));
  EXPECT_EQ(check.livelocks.count, 1U);
  EXPECT_FALSE(check.passed());
  EXPECT_EQ(routing_report(*line, check),
            "topology: BidirectionalLine(3), 3 nodes, 4 channels\n"
            "routing: faulty, 1 virtual channel\n"
            "pairs: 6, 6 of them joined by channels\n"
            "channel dependency graph: 3 virtual channels in use, 3 dependencies\n"
            "livelocks: 1\n"
            "  from node 0 to node 2 (arrived by 1->0 vc0)\n"
            "deadlock: possible, the dependency graph has the cycle\n"
            "  0->1 vc0, 1->0 vc0, back to 0->1 vc0\n");
}

TEST(DependencyCheck, CatchesHopsThatDoNotExist) {
  const TopologyPtr line = parse_zoo_text("BidirectionalLine(3)");
  const std::vector<Hop> wrong = {
      hop_over(*line, 0, 1),     // does not leave node 1
      {99, 0},                   // channel that does not exist
      hop_over(*line, 1, 2, 1),  // virtual channel that does not exist
      hop_over(*line, 1, 2),     // valid
  };
  const RoutingCheck check = check_routing(OneAnswerChanged(*line, 1, 2, wrong));
  EXPECT_EQ(check.invalid.count, 6U);  // three hops, for packets injected at 1 and for those from 0
  EXPECT_EQ(check.dead_ends.count, 0U);
  EXPECT_FALSE(check.passed());
}

}  // namespace
}  // namespace kernbench::topology::zoo
