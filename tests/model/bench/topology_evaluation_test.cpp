// SPDX-License-Identifier: Apache-2.0
// Networks of cubes at equal bisection and at equal wire.
#include "model/bench/evaluation/topology_sweep.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "common/diagnostics.hpp"
#include "tests/places.hpp"

namespace kernbench::model::bench {
namespace {

using common::Outcome;
using topology::TopologySpec;

/// A SIP of the default cubes.
TopologySpec spec_of(std::uint32_t w, std::uint32_t h) {
  TopologySpec spec;
  spec.sip.cube_mesh_w = w;
  spec.sip.cube_mesh_h = h;
  return spec;
}

TopologyEvaluation evaluation_of(const TopologySpec& spec) {
  return evaluate_networks(spec, places::source("/configs/models/tiny.yaml"), true, 2, nullptr);
}

TEST(TopologyEvaluation, CountsLinksBisectionWireAndBuffersOfEachNetwork) {
  const TopologyEvaluation evaluation = evaluation_of(spec_of(4, 2));
  std::map<std::string, const TopologyPoint*> at_bisection, at_wire;
  for (const TopologyPoint& point : evaluation.points) {
    if (!point.which.workload.starts_with("all-to-all")) continue;
    (point.which.equal == EqualBudget::Bisection ? at_bisection : at_wire)[point.which.network] =
        &point;
    EXPECT_GT(point.took.ps(), 0) << point.which.network;
    EXPECT_GT(point.elements, 0U) << point.which.network;
    EXPECT_EQ(point.wrong, 0U) << point.which.network;
  }
  EXPECT_EQ(evaluation.base_bits, 128U);
  EXPECT_EQ(evaluation.points.size(), 2U * 3 * 6);
  EXPECT_EQ(evaluation.outcome(), Outcome::Pass);
  // Cubes of 17 x 14 mm, 1 mm apart: a mesh has 6 links of 18 mm a direction and 4 of 15 mm.
  const TopologyPoint& mesh = *at_bisection.at("Mesh2D(4,2)");
  EXPECT_EQ(mesh.cost.links, 20U);
  EXPECT_EQ(mesh.cost.bisection, 2U);
  EXPECT_EQ(mesh.cost.wire_mm, 2 * (6 * 18.0 + 4 * 15.0));
  EXPECT_EQ(mesh.cost.buffers, (20U + 8) * 8);  // one virtual channel of eight flits an input
  EXPECT_EQ(mesh.flit_bits, 128U);
  const TopologyPoint& torus = *at_bisection.at("BidirectionalTorus2D(4,2)");
  EXPECT_EQ(torus.cost.bisection, 4U);
  EXPECT_EQ(torus.flit_bits, 64U);
  EXPECT_EQ(torus.bisection_bits(), mesh.bisection_bits());
  const TopologyPoint& tree = *at_bisection.at("tree of 8 leaves");
  EXPECT_EQ(tree.cost.links, 20U);
  EXPECT_EQ(tree.cost.bisection, 1U);
  EXPECT_EQ(tree.flit_bits, 256U);
  EXPECT_EQ(at_bisection.at("FlattenedButterfly(4,2)")->cost.bisection, 4U);  // its columns
  EXPECT_EQ(at_bisection.at("Butterfly(2,4)")->cost.links, 48U);
  const TopologyPoint& maze = *at_bisection.at("MAZE 4x2");
  EXPECT_EQ(maze.cost.bisection, 4U);
  EXPECT_EQ(maze.flit_bits, 32U);
  EXPECT_EQ(maze.limit, "packets of a MAZE have at most 32 bits");
  // At equal wire each network has as many bits as fit, and a MAZE at most 32.
  for (const auto& [name, point] : at_wire) {
    EXPECT_LE(point->wire_bit_mm(), at_wire.at("Mesh2D(4,2)")->wire_bit_mm()) << name;
    if (!point->limit.empty()) continue;
    EXPECT_GT(point->wire_bit_mm() + point->cost.wire_mm, mesh.wire_bit_mm()) << name;
  }
  EXPECT_EQ(at_wire.at("MAZE 4x2")->limit, "packets of a MAZE have at most 32 bits");
}

TEST(TopologyEvaluation, IsVacuousWithoutPointsOrNumbersAndNoticesAWrongOne) {
  TopologyEvaluation evaluation;
  EXPECT_EQ(evaluation.outcome(), Outcome::Vacuous);
  evaluation.points.emplace_back();
  EXPECT_EQ(evaluation.outcome(), Outcome::Vacuous);
  evaluation.points[0].elements = 4;
  EXPECT_EQ(evaluation.outcome(), Outcome::Pass);
  evaluation.points[0].wrong = 1;
  EXPECT_EQ(evaluation.outcome(), Outcome::Mismatch);
}

TEST(TopologyEvaluation, RefusesASingleRowOfCubes) {
  try {
    (void)evaluation_of(spec_of(4, 1));
    FAIL();
  } catch (const common::BadInput& error) {
    EXPECT_STREQ(error.what(),
                 "error: sip.cube_mesh is 4 x 1; networks are compared for 2 x 2 cubes or more");
  }
}

}  // namespace
}  // namespace kernbench::model::bench
