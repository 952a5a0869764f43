// SPDX-License-Identifier: Apache-2.0
// The routes of TopologyApi.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "cli/web/api_error.hpp"
#include "cli/web/topology_api.hpp"
#include "common/numbers.hpp"
#include "topology/spec/length.hpp"

namespace kernbench::cli::web {

using nlohmann::json;
using topology::EdgeId;
using topology::Node;
using topology::NodeId;
using topology::NodeKind;
using topology::Path;
using topology::PathRouter;
using topology::TopologyGraph;

/// A purpose of a route.
struct TopologyApi::Intent {
  std::string_view name;  ///< name as in `kernbench topology route --intent`
  std::string_view title;
  Path (PathRouter::*find)(NodeId, NodeId) const;
  NodeKind source;                    ///< kind of node that represents a block given as the source
  NodeKind target;                    ///< kind of node that represents a block given as the target
  std::optional<NodeKind> only_from;  ///< required kind of the source
  std::optional<NodeKind> only_to;    ///< required kind of the target
};

namespace {

bool is_pe_part(NodeKind kind) {
  return std::find(topology::kPeParts.begin(), topology::kPeParts.end(), kind) !=
         topology::kPeParts.end();
}

/// Returns the first node of this kind within a block.
std::optional<NodeId> first_inside(const TopologyGraph& graph, std::string_view block,
                                   NodeKind kind) {
  for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
    const NodeId id(i);
    if (graph.node(id).kind != kind) continue;
    const std::string_view name = graph.name(id);
    if (name.size() > block.size() && name.starts_with(block) && name[block.size()] == '.') {
      return id;
    }
  }
  return std::nullopt;
}

/// Returns "an m_cpu", "a pe_dma".
std::string with_article(NodeKind kind) {
  const bool vowel = kind == NodeKind::MCpu || kind == NodeKind::HbmCtrl;
  return fmt::format("{} {}", vowel ? "an" : "a", name(kind));
}

}  // namespace

NodeId TopologyApi::end_of_route(std::string_view name, const Intent& intent,
                                 bool is_source) const {
  if (name.starts_with("0x")) {
    const auto bits = common::parse_u64(name);
    if (!bits) {
      throw ApiError(400, fmt::format("'{}' is not an address: expected 0x and up to 16 "
                                      "hexadecimal digits",
                                      name));
    }
    try {
      return resolver_.resolve(topology::decode_phys_addr(*bits));
    } catch (const topology::RoutingError& error) {
      throw ApiError(404, error.what());
    }
  }
  if (const auto id = graph_.find(name)) {
    // Any part of a PE stands for its DMA engine, which performs all of its transfers.
    const Node& node = graph_.node(*id);
    if (is_source && intent.only_from == NodeKind::PeDma && is_pe_part(node.kind)) {
      return resolver_.find_pe_part(node.sip, node.cube, node.pe, NodeKind::PeDma);
    }
    return *id;
  }
  if (!is_block(name)) throw ApiError(404, fmt::format("node '{}' not found", name));
  const std::array<NodeKind, 5> wanted = {is_source ? intent.source : intent.target, NodeKind::MCpu,
                                          is_source ? NodeKind::PeDma : NodeKind::PeTcm,
                                          NodeKind::PcieEp, NodeKind::HbmCtrl};
  for (const NodeKind kind : wanted) {
    if (const auto id = first_inside(graph_, name, kind)) return *id;
  }
  throw ApiError(400,
                 fmt::format("a route cannot end at the block '{}': name one of its nodes", name));
}

json TopologyApi::hop_json(std::span<const EdgeId> wires) const {
  json answer = edge_json(wires.front());
  answer["to"] = graph_.name(graph_.edge(wires.back()).to);
  answer["edges"] = json::array();
  for (const EdgeId wire : wires) answer["edges"].push_back(wire.value());
  if (wires.size() == 1) return answer;
  // A hop through a fabric over several links.
  std::int64_t length_nm = 0;
  unsigned stages = 0;
  std::vector<std::string_view> through;
  for (const EdgeId wire : wires) {
    length_nm += graph_.edge(wire).length_nm;
    stages += graph_.edge(wire).maze_depth;
    through.push_back(graph_.name(graph_.edge(wire).to));
  }
  through.pop_back();
  answer["through"] = fmt::format("{}", fmt::join(through, ", "));
  answer["length_mm"] = topology::to_mm(length_nm);
  if (answer.contains("irs_stages")) answer["irs_stages"] = stages;
  return answer;
}

json TopologyApi::route_json(const Intent& intent, std::string_view from,
                             std::string_view to) const {
  json answer = {{"intent", intent.name}, {"title", intent.title}, {"found", false}};
  const NodeId source = end_of_route(from, intent, true);
  const NodeId target = end_of_route(to, intent, false);
  answer["from"] = graph_.name(source);
  answer["to"] = graph_.name(target);
  if (intent.only_from && graph_.node(source).kind != *intent.only_from) {
    answer["reason"] = fmt::format("must start at {}", with_article(*intent.only_from));
    return answer;
  }
  if (intent.only_to && graph_.node(target).kind != *intent.only_to) {
    answer["reason"] = fmt::format("must end at {}", with_article(*intent.only_to));
    return answer;
  }
  Path route;
  try {
    route = (router_.*intent.find)(source, target);
  } catch (const topology::RoutingError& error) {
    answer["reason"] = error.what();
    return answer;
  }
  json nodes = json::array();
  for (const NodeId node : route.nodes) nodes.push_back(graph_.name(node));
  json hops = json::array();
  std::int64_t wire_nm = 0;
  double narrowest = std::numeric_limits<double>::infinity();
  const std::vector<EdgeId> wires = router_.wires(route);
  for (std::size_t first = 0; first < wires.size();) {
    std::size_t end = first + 1;
    while (graph_.edge(wires[end - 1]).to != route.nodes[hops.size() + 1]) ++end;
    hops.push_back(hop_json(std::span(wires).subspan(first, end - first)));
    first = end;
  }
  for (const EdgeId wire : wires) {
    wire_nm += graph_.edge(wire).length_nm;
    narrowest = std::min(narrowest, graph_.edge(wire).bw_gbs);
  }
  answer["found"] = true;
  answer["routing_distance_mm"] = route.distance_mm();
  answer["wire_mm"] = topology::to_mm(wire_nm);
  answer["narrowest_gbs"] = route.edges.empty() ? json(nullptr) : json(narrowest);
  answer["nodes"] = std::move(nodes);
  answer["hops"] = std::move(hops);
  return answer;
}

json TopologyApi::routes(std::string_view from, std::string_view to) const {
  using enum NodeKind;
  const std::array<Intent, 4> intents = {
      {{"pe_dma", "PE DMA", &PathRouter::find_path, PeDma, HbmCtrl, PeDma, std::nullopt},
       {"mcpu_dma", "M_CPU DMA", &PathRouter::find_mcpu_dma_path, MCpu, HbmCtrl, MCpu, HbmCtrl},
       {"memory", "host memory access", &PathRouter::find_memory_path, PcieEp, HbmCtrl,
        std::nullopt, std::nullopt},
       {"node", "command", &PathRouter::find_node_path, MCpu, MCpu, std::nullopt, std::nullopt}}};
  json found = json::array();
  for (const Intent& intent : intents) found.push_back(route_json(intent, from, to));
  return {{"from", from}, {"to", to}, {"routes", std::move(found)}};
}

}  // namespace kernbench::cli::web
