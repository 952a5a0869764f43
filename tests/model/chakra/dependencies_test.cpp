// SPDX-License-Identifier: Apache-2.0
#include "model/chakra/dependencies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kernbench::model::chakra {
namespace {

using testing::ElementsAre;

/// Returns a trace of nodes given by id and dependencies, not linked yet, and fills in `ids`.
RankTrace trace_of(const std::vector<std::pair<std::uint64_t, std::vector<std::uint64_t>>>& nodes,
                   DependencyIds& ids) {
  RankTrace trace;
  trace.names = std::string(1, '\0');
  for (const auto& [id, dependencies] : nodes) {
    Node node;
    node.id = id;
    node.first_child = static_cast<std::uint32_t>(ids.ids.size());
    node.dependencies = static_cast<std::uint32_t>(dependencies.size());
    ids.ids.insert(ids.ids.end(), dependencies.begin(), dependencies.end());
    ids.is_control.resize(ids.ids.size(), false);
    trace.nodes.push_back(node);
  }
  return trace;
}

TEST(ChakraDependencies, SortsNodesByIdAndListsTheirChildren) {
  DependencyIds ids;
  RankTrace trace = trace_of({{900, {7, 30}}, {30, {7}}, {7, {}}}, ids);
  common::Diagnostics errors;
  link_nodes(trace, ids, "f", errors);
  errors.throw_if_any();
  EXPECT_EQ(trace.nodes[0].id, 7);
  EXPECT_EQ(trace.nodes[2].id, 900);
  EXPECT_THAT(trace.children_of(0), ElementsAre(1, 2));
  EXPECT_THAT(trace.children_of(1), ElementsAre(2));
  EXPECT_THAT(trace.children_of(2), ElementsAre());
}

TEST(ChakraDependencies, ANodeThatWaitsForItselfIsACircle) {
  DependencyIds ids;
  RankTrace trace = trace_of({{1, {}}, {2, {1, 2}}}, ids);
  common::Diagnostics errors;
  link_nodes(trace, ids, "f", errors);
  ASSERT_EQ(errors.size(), 1);
  EXPECT_EQ(errors.errors()[0].message,
            "dependencies in a circle, where each node waits for the next: node 2 '', node 2 ''");
}

TEST(ChakraDependencies, ControlDependenciesThatCloseACircleAreAllLeftOut) {
  DependencyIds ids;
  RankTrace trace = trace_of({{1, {2, 9}}, {2, {1}}, {3, {2, 1}}}, ids);
  ids.is_control = {true, true, false, true, false};
  common::Diagnostics errors;
  const Links links = link_nodes(trace, ids, "f", errors);
  errors.throw_if_any();
  EXPECT_EQ(links.absent, 1);
  EXPECT_EQ(links.dropped, 2);
  EXPECT_THAT(trace.children_of(0), ElementsAre(1, 2));
  EXPECT_THAT(trace.children_of(1), ElementsAre());
  EXPECT_EQ(trace.nodes[0].dependencies, 0);
  EXPECT_EQ(trace.nodes[2].dependencies, 1);
}

TEST(ChakraDependencies, ALongCircleIsCut) {
  DependencyIds ids;
  std::vector<std::pair<std::uint64_t, std::vector<std::uint64_t>>> nodes;
  for (std::uint64_t id = 0; id < 30; ++id) nodes.push_back({id, {(id + 1) % 30}});
  RankTrace trace = trace_of(nodes, ids);
  common::Diagnostics errors;
  link_nodes(trace, ids, "f", errors);
  ASSERT_EQ(errors.size(), 1);
  EXPECT_THAT(errors.errors()[0].message, testing::EndsWith("node 19 '', 10 more, node 0 ''"));
}

}  // namespace
}  // namespace kernbench::model::chakra
