// SPDX-License-Identifier: Apache-2.0
// Kinds of topologies and routing relations that register themselves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "common/registration.hpp"
#include "topology/zoo/base/line_topology.hpp"
#include "topology/zoo/routing/dependency_check.hpp"
#include "topology/zoo/routing/natural_routing.hpp"
#include "topology/zoo/routing/routing_kind.hpp"
#include "topology/zoo/routing/shortest_path.hpp"
#include "topology/zoo/zoo_kinds.hpp"
#include "topology/zoo/zoo_text.hpp"

namespace kernbench::topology::zoo {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

NewTopology make_line(std::span<const std::uint32_t> sizes) {
  return std::make_shared<BidirectionalLine>(sizes[0]);
}

std::unique_ptr<RoutingRelation> make_shortest(const BaseTopology& topology) {
  return std::make_unique<ShortestPathRouting>(topology);
}

TEST(TopologyRegistration, RefusesWhatCannotBeUsed) {
  const common::RegistrationErrors errors;
  const auto add = [](const std::string& name, std::vector<SizeParameter> sizes) {
    TopologyRegistration{{.name = name, .sizes = std::move(sizes), .make = make_line}};
  };
  add("Mesh2D", {{"n", 1}});
  add("A-Line", {{"n", 1}});
  add("Line", {});
  EXPECT_THAT(errors.messages(),
              ElementsAre("the topology 'Mesh2D' is already registered",
                          "the topology 'A-Line' must have a name of letters and digits",
                          "the topology 'Line' needs a size and a function that makes it"));
  EXPECT_EQ(zoo_kinds().size(), 13U);
}

TEST(RoutingRegistration, RefusesWhatCannotBeUsed) {
  const common::RegistrationErrors errors;
  RoutingRegistration{{"yx", "", make_shortest}};
  RoutingRegistration{{"Shortest", "", make_shortest}};
  RoutingRegistration{{"shortest", "", nullptr}};
  EXPECT_THAT(errors.messages(),
              ElementsAre("the routing 'yx' is already registered",
                          "the routing 'Shortest' must have a name of a-z, 0-9 and '_'",
                          "the routing 'shortest' has no function that makes it"));
}

TEST(RoutingRegistration, RoutesEveryTopologyThatItTakes) {
  for (const char* text : {"Mesh2D(3,4)", "FlattenedButterfly(3,3)", "BidirectionalTorus2D(4,4)",
                           "UnidirectionalTorus2D(3,3)"}) {
    const TopologyPtr topology = parse_zoo_text(text);
    for (const RoutingKind& kind : routing_kinds()) {
      if (kind.name == "up_down" && std::string(text).starts_with("Uni")) continue;
      const RoutingCheck check = check_routing(*kind.make(*topology));
      EXPECT_EQ(check.deadlock_free(), kind.name != "shortest_path") << text << " " << kind.name;
      EXPECT_EQ(check.unrouted.count + check.dead_ends.count + check.livelocks.count, 0U);
    }
  }
}

}  // namespace
}  // namespace kernbench::topology::zoo
