// SPDX-License-Identifier: Apache-2.0
#include "cli/cosim_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string_view>

#include "common/diagnostics.hpp"
#include "common/text_distance.hpp"
#include "cosim/run/topology_place.hpp"

namespace kernbench::cli {

using common::BadInput;
using model::fabric::MazeNodeKind;

namespace {

void require_maze(const std::string& file, const topology::SipSpec& sip) {
  if (sip.inter_cube == topology::InterCube::Maze) return;
  constexpr std::array<std::string_view, 2> kKeys = {"sip", "inter_cube"};
  cosim::reject_topology(file, kKeys, "the cubes of this topology are not joined by a MAZE",
                         "sip: {inter_cube: maze}");
}

}  // namespace

MazeNodeKind nodes_of(const CosimCommandOptions& options) {
  const auto names = common::names_of(model::fabric::kMazeNodeKindNames);
  for (const auto& [name, kind] : model::fabric::kMazeNodeKindNames) {
    if (name == options.nodes) return kind;
  }
  throw BadInput(fmt::format("--nodes: '{}' is not one of {}{}", options.nodes,
                             fmt::join(names, ", "), common::did_you_mean(options.nodes, names)));
}

topology::SipSpec sip_of(const CosimCommandOptions& options, const topology::TopologyGraph& graph,
                         bool clocked) {
  topology::SipSpec sip = graph.spec().sip;
  require_maze(options.topology, sip);
  const bool ideal = nodes_of(options) == MazeNodeKind::Ideal;
  if (options.failed_node) {
    const std::uint32_t last = sip.cube_mesh_w * sip.cube_mesh_h - 1;
    if (*options.failed_node > last) {
      throw BadInput(fmt::format("--failed-node: {} is not 0 to {}, a node of the topology",
                                 *options.failed_node, last));
    }
    sip.maze.failed_node = options.failed_node;
  }
  if (ideal && options.failed_node) {
    throw BadInput("--failed-node requires --nodes maze: ideal nodes do not fail");
  }
  if (ideal && sip.maze.failed_node) {
    constexpr std::array<std::string_view, 3> kKeys = {"sip", "maze", "failed_node"};
    cosim::reject_topology(options.topology, kKeys, "ideal nodes do not fail",
                           "remove the key, or use --nodes maze");
  }
  if (!ideal && clocked && sip.maze.order == topology::DimensionOrder::YX) {
    constexpr std::array<std::string_view, 3> kKeys = {"sip", "maze", "order"};
    cosim::reject_topology(options.topology, kKeys,
                           "the nodes of a MAZE send packets along x first",
                           "order: xy, or run with --nodes ideal or --fabric analytic");
  }
  return sip;
}

}  // namespace kernbench::cli
