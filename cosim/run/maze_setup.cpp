// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/maze_setup.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <memory>
#include <span>
#include <string_view>

#include "common/diagnostics.hpp"
#include "common/enum_values.hpp"
#include "common/text_distance.hpp"
#include "cosim/run/rtl_flits.hpp"
#include "cosim/run/topology_place.hpp"
#include "sim/build/model_store.hpp"
#include "sim/dut/dut_library.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::cosim {

using common::BadInput;
using model::fabric::MazeNodeKind;

namespace {

void require_fabric(const std::string& file, const topology::SipSpec& sip) {
  if (sip.inter_cube != topology::InterCube::UcieMesh) return;
  constexpr std::array<std::string_view, 2> kKeys = {"sip", "inter_cube"};
  reject_topology(file, kKeys, "the cubes of this topology are joined by a UCIe mesh",
                  "sip: {inter_cube: maze}, or {inter_cube: {noc: 'Mesh2D(4,4)'}}");
}

/// Throws BadInput if the model has another shape than the topology needs. The error points at the
/// key of the topology that differs: the mesh size or the data width.
void require_shape(const MazeSetup& setup, const maze::Shape& built, const maze::Shape& wanted) {
  if (built == wanted) return;
  const bool other_size = built.nx != wanted.nx || built.ny != wanted.ny;
  constexpr std::array<std::string_view, 2> kSize = {"sip", "cube_mesh"};
  constexpr std::array<std::string_view, 3> kWidth = {"sip", "maze", "flit_bits"};
  reject_topology(
      setup.topology,
      other_size ? std::span<const std::string_view>(kSize)
                 : std::span<const std::string_view>(kWidth),
      fmt::format("the topology needs a {} of {}x{} nodes with {} data bits; '{}' has {}x{} "
                  "nodes with {} data bits",
                  setup.nodes == "maze" ? "network" : "TOPO", wanted.nx, wanted.ny, wanted.flit_w,
                  setup.model, built.nx, built.ny, built.flit_w),
      "omit --model to build the matching model");
}

}  // namespace

std::vector<FabricKind> parse_fabrics(const std::string& text) {
  if (text == "all") return {FabricKind::Analytic, FabricKind::Cycle, FabricKind::Rtl};
  if (const auto kind = common::find_value(kFabricKindNames, text)) return {*kind};
  std::vector<std::string_view> names = {"all"};
  for (const auto& [name, kind] : kFabricKindNames) names.push_back(name);
  throw BadInput(fmt::format("--fabric: '{}' is not one of {}, all{}", text,
                             fmt::join(common::names_of(kFabricKindNames), ", "),
                             common::did_you_mean(text, names)));
}

MazeNodeKind nodes_of(const MazeSetup& setup) {
  const auto names = common::names_of(model::fabric::kMazeNodeKindNames);
  if (const auto kind = common::find_value(model::fabric::kMazeNodeKindNames, setup.nodes)) {
    return *kind;
  }
  throw BadInput(fmt::format("--nodes: '{}' is not one of {}{}", setup.nodes,
                             fmt::join(names, ", "), common::did_you_mean(setup.nodes, names)));
}

void refuse_maze_option(bool given, const char* option) {
  if (!given) return;
  throw BadInput(fmt::format(
      "{} is of a MAZE; the cubes of this topology are joined by a network of routers", option));
}

topology::SipSpec sip_of(const MazeSetup& setup, const topology::TopologyGraph& graph,
                         bool clocked) {
  topology::SipSpec sip = graph.spec().sip;
  require_fabric(setup.topology, sip);
  if (sip.inter_cube == topology::InterCube::Noc) {
    refuse_maze_option(setup.failed_node.has_value(), "--failed-node");
    refuse_maze_option(nodes_of(setup) == MazeNodeKind::Ideal, "--nodes ideal");
    return sip;
  }
  const bool ideal = nodes_of(setup) == MazeNodeKind::Ideal;
  if (setup.failed_node) {
    const std::uint32_t last = sip.cube_mesh_w * sip.cube_mesh_h - 1;
    if (*setup.failed_node > last) {
      throw BadInput(fmt::format("--failed-node: {} is not 0 to {}, a node of the topology",
                                 *setup.failed_node, last));
    }
    sip.maze.failed_node = setup.failed_node;
  }
  if (ideal && setup.failed_node) {
    throw BadInput("--failed-node requires --nodes maze: ideal nodes do not fail");
  }
  if (ideal && sip.maze.failed_node) {
    constexpr std::array<std::string_view, 3> kKeys = {"sip", "maze", "failed_node"};
    reject_topology(setup.topology, kKeys, "ideal nodes do not fail",
                    "remove the key, or use --nodes maze");
  }
  if (!ideal && clocked && sip.maze.order == topology::DimensionOrder::YX) {
    constexpr std::array<std::string_view, 3> kKeys = {"sip", "maze", "order"};
    reject_topology(setup.topology, kKeys, "the nodes of a MAZE send packets along x first",
                    "order: xy, or run with --nodes ideal or --fabric analytic");
  }
  return sip;
}

std::string open_model(const MazeSetup& setup, const std::string& root,
                       const topology::SipSpec& sip, FabricRunOptions& options) {
  if (options.between_sips != nullptr) {
    const topology::SipSpec& between = *options.between_sips;
    options.noc_between_sips =
        open_noc_model(*model::fabric::noc_base_of(between.noc_topology, between.noc), "",
                       setup.models, root, setup.plusargs);
  }
  if (sip.inter_cube == topology::InterCube::Noc) {
    options.noc = open_noc_model(*model::fabric::noc_base_of(sip.noc_topology, sip.noc),
                                 setup.model, setup.models, root, setup.plusargs);
    return options.noc->path;
  }
  const maze::Shape shape = maze_shape(sip);
  const sim::ModelStore store(root, setup.models);
  std::string path = setup.model;
  if (options.nodes == MazeNodeKind::Maze) {
    if (path.empty()) path = store.ensure_network({.shape = shape, .rtl = {}});
    const auto library = std::make_shared<sim::NetworkLibrary>(path, setup.plusargs);
    require_shape(setup, library->create(1)->info().config.shape, shape);
    options.make_network = [library](std::uint64_t seed) { return library->create(seed); };
  } else {
    if (path.empty()) path = store.ensure({shape, !setup.no_checkers, false, {}});
    const auto library = std::make_shared<sim::DutLibrary>(sim::DutLibrary(path, setup.plusargs));
    require_shape(setup, library->create(1)->info().shape, shape);
    options.make_dut = [library](std::uint64_t seed) { return library->create(seed); };
  }
  return path;
}

}  // namespace kernbench::cosim
