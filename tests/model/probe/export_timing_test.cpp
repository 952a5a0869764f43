// SPDX-License-Identifier: Apache-2.0
// The wire times in the JSON export of a topology are those of the model.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "common/random.hpp"
#include "model/transport/wire_time.hpp"
#include "topology/export/graph_export.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::probe {
namespace {

using topology::Edge;
using topology::TopologyGraph;
using topology::TopologySpec;

TopologySpec odd_spec(common::Rng& random) {
  const auto in = [&random](double low, double high) {
    return low + (high - low) * static_cast<double>(random.below(1U << 20U)) / (1U << 20U);
  };
  TopologySpec spec;
  spec.system.sips = 1;
  spec.system.wire_ns_per_mm = in(0, 0.1);
  spec.sip.cube_mesh_w = 2;
  spec.sip.cube_mesh_h = 2;
  spec.sip.ucie_mesh_distance_mm = in(0, 3);
  spec.cube.m_cpu_pos = {in(0, 17), in(0, 14)};
  spec.cube.links.router_mesh_bw_gbs = in(0.001, 500);
  spec.cube.links.router_to_hbm = {in(0.001, 500), in(0, 3)};
  return spec;
}

TEST(ExportTiming, IsThatOfTheModelForEveryWire) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    common::Rng random(seed);
    const TopologySpec spec = odd_spec(random);
    const TopologyGraph graph = compile_topology(spec);
    std::ostringstream text;
    topology::to_json(graph, {}, text);
    const nlohmann::json data = nlohmann::json::parse(text.str()).at("data");
    ASSERT_EQ(data.at("edges").size(), graph.edges().size());
    for (std::size_t i = 0; i < graph.edges().size(); ++i) {
      const Edge& edge = graph.edges()[i];
      const nlohmann::json& json = data.at("edges")[i];
      ASSERT_EQ(json.at("propagation_ps").get<std::int64_t>(),
                transport::propagation(edge.length_nm, spec.system.wire_ns_per_mm).ps());
      ASSERT_EQ(transport::occupancy(256, json.at("bw_gbs").get<double>()),
                transport::occupancy(256, edge.bw_gbs));
    }
  }
}

}  // namespace
}  // namespace kernbench::model::probe
