// SPDX-License-Identifier: Apache-2.0
#include "topology/routing/carried_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "topology/spec/topology_spec.hpp"
#include "topology/zoo/endpoint_routes.hpp"

namespace kernbench::topology {

CarriedLinks::CarriedLinks(const TopologyGraph& graph) : graph_(graph) {
  for (std::uint32_t i = 0; i < graph.edges().size(); ++i) {
    const Edge& edge = graph.edges()[i];
    if (!is_carried(edge.kind)) continue;
    const bool begins = is_port(graph.node(edge.from).kind);
    const bool ends = is_port(graph.node(edge.to).kind);
    if (begins) leaving_[edge.from].emplace_back(i);
    if (ends && edge.kind == EdgeKind::NocLink) arriving_.try_emplace(edge.to, i);
    if (!begins && !ends) channels_.try_emplace(graph.node(edge.from).sip, i);
  }
}

std::vector<EdgeId> CarriedLinks::between(NodeId from, NodeId to) const {
  return graph_.node(from).kind == NodeKind::Maze ? through_maze(from, to) : through_noc(from, to);
}

std::vector<EdgeId> CarriedLinks::through_maze(NodeId from, NodeId to) const {
  const SipSpec& sip = graph_.spec().sip;
  const std::uint32_t w = sip.cube_mesh_w;
  const std::uint32_t source = graph_.node(from).cube;
  const std::uint32_t target = graph_.node(to).cube;
  if (source == sip.maze.failed_node || target == sip.maze.failed_node) return {};
  const std::uint32_t x_first = source / w * w + target % w;
  const std::uint32_t y_first = target / w * w + source % w;
  const bool is_xy = sip.maze.order == DimensionOrder::XY;
  std::uint32_t turn = is_xy ? x_first : y_first;
  if (turn == sip.maze.failed_node) turn = is_xy ? y_first : x_first;
  if (turn == source || turn == target) return {link(from, target)};
  const EdgeId first = link(from, turn);
  return {first, link(graph_.edge(first).to, target)};
}

/// Returns the MAZE link from a node to that of a cube.
EdgeId CarriedLinks::link(NodeId from, std::uint32_t cube) const {
  const std::vector<EdgeId>& links = leaving_.at(from);
  const auto found = std::find_if(links.begin(), links.end(), [&](EdgeId id) {
    return graph_.node(graph_.edge(id).to).cube == cube;
  });
  if (found == links.end()) {
    throw std::logic_error(fmt::format("{} has no link to cube {}", graph_.name(from), cube));
  }
  return *found;
}

std::vector<EdgeId> CarriedLinks::through_noc(NodeId from, NodeId to) const {
  const Node& source = graph_.node(from);
  const std::uint16_t fabric = fabric_of(source);
  const zoo::EndpointRoutes& routes = *noc_of(graph_.spec(), fabric == kNoIndex).topology.routes;
  const auto channels = routes.route(endpoint_of(source), endpoint_of(graph_.node(to)));
  if (!channels) return {};
  std::vector<EdgeId> links = {leaving_.at(from).front()};
  for (const std::uint32_t channel : *channels) {
    links.emplace_back(first_channel(fabric).value() + channel);
  }
  links.push_back(arriving_.at(to));
  return links;
}

}  // namespace kernbench::topology
