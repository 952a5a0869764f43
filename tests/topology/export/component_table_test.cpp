// SPDX-License-Identifier: Apache-2.0
// Parameters in the JSON export besides nodes and edges. No key of the spec may be missing.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "topology/export/graph_export.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/spec_description.hpp"
#include "topology/spec/spec_reader.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Returns a spec of one SIP of 2x2 cubes with two PEs each.
TopologySpec small_spec(InterCube inter_cube) {
  TopologySpec spec;
  spec.system.sips = 1;
  spec.sip.inter_cube = inter_cube;
  spec.sip.cube_mesh_w = 2;
  spec.sip.cube_mesh_h = 2;
  spec.cube.corners = {Corner::NW, Corner::SE};
  spec.cube.pe_per_corner = 1;
  spec.cube.max_column_gap_mm = 3.4;  // an eighth of a millimetre more takes a relay away
  spec.cube.memory_map.slices_per_cube = 2;
  return spec;
}

std::string export_of(const TopologySpec& spec) {
  std::ostringstream out;
  to_json(compile_topology(spec), {}, out);
  return out.str();
}

TEST(ComponentTable, HasTheParametersOfTheSystem) {
  EXPECT_EQ(
      nlohmann::json::parse(export_of({}))["data"]["system"],
      nlohmann::json::parse(
          R"({"flit_bytes": 256, "request_bytes": 16, "target_bytes": 16, "region_bytes": 24, "placement_bytes": 16, "wire": {"ns_per_mm": 0.01}})"));
}

TEST(ComponentTable, HasTheAttributesOfEveryKindThatHasAny) {
  EXPECT_EQ(component_attributes(compile_topology({})), nlohmann::json::parse(R"({
   "sram": {"bw_gbs": 256, "bytes": 16777216},
   "hbm_ctrl": {"channels": 8, "interleave": "hash", "mapping": "per_pe", "stripe_bytes": 256, "slice_bw_gbs": 128, "slice_bytes": 6442450944},
   "pe_gemm": {"macs_per_cycle": 4096, "accumulator_bytes": 262144, "clock_ghz": 1},
   "pe_math": {"elements_per_cycle": 128, "clock_ghz": 1},
   "pe_tcm": {"read_bw_gbs": 512, "write_bw_gbs": 512, "bytes": 4194304},
   "pe_mmu": {"tlb_overhead_ps": 0, "page_bytes": 65536},
   "pe_ipcq": {"slots": 4, "slot_bytes": 65536, "backing": "tcm"}
  })"));
}

TEST(ComponentTable, HasTheMazeOnlyWhereThereIsOne) {
  EXPECT_FALSE(
      component_attributes(compile_topology(small_spec(InterCube::UcieMesh))).contains("maze"));
  TopologySpec spec = small_spec(InterCube::Maze);
  EXPECT_EQ(component_attributes(compile_topology(spec))["maze"],
            nlohmann::json::parse(R"({"flit_bits": 8, "clock_ns": 1, "order": "xy"})"));
  spec.sip.maze.failed_node = 3;
  EXPECT_EQ(component_attributes(compile_topology(spec))["maze"]["failed_node"], 3);
}

TEST(ComponentTable, KeepsEveryBitOfABandwidthThatIsNoShortDecimal) {
  TopologySpec spec = small_spec(InterCube::UcieMesh);
  spec.cube.memory_map.hbm_total_bw_gbs = 1000.0 / 3.0;
  EXPECT_THAT(export_of(spec), HasSubstr("\"slice_bw_gbs\":166.66666666666666,"));
}

/// Changes a value of a form to another one.
void change(nlohmann::json& value, const common::ValueForm& form) {
  if (value.is_array() && value[0].is_number()) {
    value[0] = value[0].get<double>() + 0.125;
  } else if (value.is_array()) {
    std::swap(value.front(), value.back());
  } else if (value == form.no_value && form.nullable) {
    value = form.least_whole();
  } else if (value.is_number_integer()) {
    value = value.get<double>() < *form.most ? value.get<int>() + 1 : value.get<int>() - 1;
  } else if (value.is_number()) {
    value = value.get<double>() + 0.125;
  } else if (form.kind == common::ValueForm::Kind::Either) {
    if (value.is_string()) change(value, form.parts.front());
  } else if (form.choices.empty()) {
    value = value.get<std::string>() + "x";
  } else {
    const auto& names = form.choices;
    const auto name = std::find(names.begin(), names.end(), value.get<std::string>());
    value = name + 1 == names.end() ? names.front() : *(name + 1);
  }
}

/// Returns the keys whose change leaves the JSON export the same.
std::vector<std::string> keys_without_effect(const TopologySpec& spec) {
  const std::string before = export_of(spec);
  const auto& description = common::description_of<TopologySpec>();
  nlohmann::json json = description.to_json(spec);
  std::vector<std::string> silent;
  const auto visit = [&](const std::string& name, const common::ValueForm& form,
                         nlohmann::json& value) {
    if (name == "sip.io_chiplets") return;  // its keys follow
    const nlohmann::json old = value;
    change(value, form);
    TopologySpec changed = spec;
    description.read(json, changed);
    try {
      if (export_of(changed) == before) silent.push_back(name);
    } catch (const common::BadInput&) {
      EXPECT_TRUE(name.starts_with("sip.cube_mesh.") || name == "system.sips.count") << name;
    }
    value = old;
  };
  common::for_each_value(description.form(), json, visit);
  return silent;
}

// Every key that affects a latency, also in future, must be part of the export. The exceptions are
// listed by name; none is a time, a length, a bandwidth or a size.
TEST(ComponentTable, LeavesOutNoKeyOfTheSpecThatMayEnterALatency) {
  const std::vector<std::string> of_maze = {"sip.maze.clock_ns",      "sip.maze.fabric",
                                            "sip.maze.attach_bw_gbs", "sip.maze.attach_distance_mm",
                                            "sip.maze.flit_bits",     "sip.maze.order",
                                            "sip.maze.failed_node"};
  const auto of_noc = [](const std::string& section) {
    std::vector<std::string> keys;
    for (const char* key : {"clock_ns", "fabric", "attach_bw_gbs", "attach_distance_mm",
                            "flit_bits", "lanes", "slots", "stages", "packet_flits"}) {
      keys.push_back(section + key);
    }
    return keys;
  };
  const auto all = [](const std::vector<std::vector<std::string>>& lists) {
    std::vector<std::string> keys;
    for (const auto& list : lists) keys.insert(keys.end(), list.begin(), list.end());
    return keys;
  };
  // How the latencies are simulated is not part of the export. A switch alone has no other name.
  EXPECT_EQ(keys_without_effect(small_spec(InterCube::Maze)), all({{"system.inter_sip"},
                                                                   of_noc("system.noc."),
                                                                   {"sip.maze.fabric"},
                                                                   of_noc("sip.noc."),
                                                                   {"visualization.emit_views"}}));
  // Without a MAZE, its keys have no effect either.
  EXPECT_EQ(keys_without_effect(small_spec(InterCube::UcieMesh)),
            all({{"system.inter_sip"},
                 of_noc("system.noc."),
                 of_maze,
                 of_noc("sip.noc."),
                 {"visualization.emit_views"}}));
  // The topologies themselves are names of networks, whose nodes and links the export has.
  const TopologySpec given = parse_topology_spec(
      "system: {sips: {count: 2}, inter_sip: {noc: 'Mesh2D(2,1)'}}\n"
      "sip: {inter_cube: {noc: 'Mesh2D(2,2)'}, cube_mesh: {w: 2, h: 2}}\n",
      "t.yaml");
  TopologySpec networks = small_spec(InterCube::Noc);
  networks.system = given.system;
  networks.sip.noc_topology = given.sip.noc_topology;
  EXPECT_EQ(keys_without_effect(networks),
            all({{"system.inter_sip", "system.noc.fabric", "sip.inter_cube"},
                 of_maze,
                 {"sip.noc.fabric", "visualization.emit_views"}}));
}

TEST(ComponentTable, HasTheNetworksThatThereAre) {
  EXPECT_EQ(component_attributes(compile_topology(parse_topology_spec(
                "system: {sips: {count: 2}, inter_sip: {noc: 'Mesh2D(2,1)'}, noc: {lanes: 2}}\n"
                "sip: {inter_cube: {noc: 'BidirectionalTree(1,3)'}, cube_mesh: {w: 2, h: 2}}\n",
                "t.yaml")))["noc_port"],
            nlohmann::json::parse(R"json({
    "cubes": {"topology": "BidirectionalTree(1,3)", "flit_bits": 32, "clock_ns": 1, "lanes": 1, "slots": 8,
              "stages": 1, "packet_flits": 16},
    "sips": {
  "topology" : "Mesh2D(2,1)",
               "flit_bits" : 32,
               "clock_ns" : 1,
               "lanes" : 2,
               "slots" : 8,
               "stages" : 1,
               "packet_flits" : 16
}
})json"));
}

}  // namespace
}  // namespace kernbench::topology
