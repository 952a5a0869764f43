// SPDX-License-Identifier: Apache-2.0
#include "cli/web/topology_api.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <numeric>
#include <utility>

#include "cli/web/api_error.hpp"
#include "common/numbers.hpp"
#include "topology/export/graph_export.hpp"
#include "topology/graph/node_names.hpp"
#include "topology/spec/length.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::cli::web {

using nlohmann::json;
using topology::Edge;
using topology::EdgeId;
using topology::EdgeKind;
using topology::Node;
using topology::NodeId;

namespace {

namespace node_names = topology::node_names;

constexpr std::size_t kMostBorderEdges = 200;
constexpr std::size_t kMostNames = 40;
constexpr std::size_t kRouteCacheBytes = std::size_t{64} << 20U;

/// Returns all block names, that is, the prefixes of node names before a dot, in the order of their
/// first appearance.
std::vector<std::string> blocks_of(const topology::TopologyGraph& graph) {
  std::vector<std::string> blocks;
  std::map<std::string, bool, std::less<>> seen;
  for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
    const std::string_view name = graph.name(NodeId(i));
    std::vector<std::string_view> around;  // from the smallest to the largest
    for (std::string_view block = node_names::block_of(name); !block.empty();
         block = node_names::block_of(block)) {
      around.push_back(block);
    }
    for (auto block = around.rbegin(); block != around.rend(); ++block) {
      if (graph.find(*block) || seen.contains(*block)) continue;
      seen.emplace(*block, true);
      blocks.emplace_back(*block);
    }
  }
  return blocks;
}

/// Returns the view in which a node or a block has its own box.
json home_json(std::string_view name) {
  const std::string_view of = node_names::place_around(name);
  const std::size_t level = node_names::numbers_of(of)->size();
  return {{"view", topology::kViewLevelNames.at(level).first}, {"of", of}};
}

json index_or_null(std::uint16_t index) {
  return index == topology::kNoIndex ? json(nullptr) : json(index);
}

bool contains_ignoring_case(std::string_view text, std::string_view part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end(), [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) ==
                  std::tolower(static_cast<unsigned char>(b));
         }) != text.end();
}

}  // namespace

TopologyApi::TopologyApi(const topology::TopologyGraph& graph, std::string spec)
    : graph_(graph),
      spec_(std::move(spec)),
      resolver_(graph),
      router_(graph, kRouteCacheBytes),
      attributes_(topology::component_attributes(graph)),
      blocks_(blocks_of(graph)),
      first_incident_(graph.nodes().size() + 1, 0) {
  for (const auto& named : topology::kViewLevelNames) {
    views_.push_back(place_view(graph.view(named.second)));
  }
  for (const Edge& edge : graph.edges()) {
    ++first_incident_[edge.from.value() + 1];
    ++first_incident_[edge.to.value() + 1];
  }
  std::partial_sum(first_incident_.begin(), first_incident_.end(), first_incident_.begin());
  incident_.resize(2 * graph.edges().size());
  std::vector<std::uint32_t> next(first_incident_.begin(), first_incident_.end() - 1);
  for (std::uint32_t i = 0; i < graph.edges().size(); ++i) {
    const Edge& edge = graph.edges()[i];
    incident_[next[edge.from.value()]++] = EdgeId(i);
    incident_[next[edge.to.value()]++] = EdgeId(i);
  }
}

std::span<const EdgeId> TopologyApi::incident(NodeId node) const {
  const std::uint32_t first = first_incident_[node.value()];
  return std::span(incident_).subspan(first, first_incident_[node.value() + 1] - first);
}

bool TopologyApi::is_block(std::string_view name) const {
  return std::find(blocks_.begin(), blocks_.end(), name) != blocks_.end();
}

json TopologyApi::node(std::string_view name) const {
  if (const auto id = graph_.find(name)) return node_json(*id);
  if (is_block(name)) return block_json(name);
  throw ApiError(404, fmt::format("node '{}' not found", name));
}

json TopologyApi::node_json(NodeId id) const {
  const Node& node = graph_.node(id);
  json answer = {{"id", graph_.name(id)},
                 {"kind", name(node.kind)},
                 {"home", home_json(graph_.name(id))},
                 {"overhead_ns", node.overhead.ns()},
                 {"position_mm", {node.position.x, node.position.y}},
                 {"sip", index_or_null(node.sip)},
                 {"cube", index_or_null(node.cube)},
                 {"pe", index_or_null(node.pe)},
                 {"attributes", attributes_.value(std::string(name(node.kind)), json::object())}};
  answer.update(border_json(incident(id), [id](NodeId other) { return other == id; }));
  return answer;
}

json TopologyApi::block_json(std::string_view name) const {
  std::vector<bool> inside(graph_.nodes().size());
  std::map<std::string_view, std::size_t> kinds;
  std::vector<EdgeId> edges;
  for (std::uint32_t i = 0; i < graph_.nodes().size(); ++i) {
    const NodeId id(i);
    if (!node_names::is_inside(graph_.name(id), name)) continue;
    inside[i] = true;
    ++kinds[topology::name(graph_.node(id).kind)];
    edges.insert(edges.end(), incident(id).begin(), incident(id).end());
  }
  json answer = {
      {"id", name}, {"kind", "block"}, {"home", home_json(name)}, {"contents", json::object()}};
  for (const auto& [kind, count] : kinds) answer["contents"][kind] = count;
  answer.update(border_json(edges, [&](NodeId node) { return inside[node.value()]; }));
  return answer;
}

template <typename Inside>
json TopologyApi::border_json(std::span<const EdgeId> edges, const Inside& inside) const {
  json listed = json::array();
  std::size_t count = 0;
  for (const EdgeId id : edges) {
    const Edge& edge = graph_.edge(id);
    if (inside(edge.from) == inside(edge.to)) continue;
    if (++count <= kMostBorderEdges) listed.push_back(edge_json(id));
  }
  return {{"edges", std::move(listed)}, {"edge_count", count}};
}

json TopologyApi::edge_json(EdgeId id) const {
  const Edge& edge = graph_.edge(id);
  json answer = {{"id", id.value()},
                 {"from", graph_.name(edge.from)},
                 {"to", graph_.name(edge.to)},
                 {"kind", name(edge.kind)},
                 {"bandwidth_gbs", edge.bw_gbs},
                 {"length_mm", topology::to_mm(edge.length_nm)}};
  if (edge.routing_weight_nm != 0) {
    answer["routing_weight_mm"] = topology::to_mm(edge.routing_weight_nm);
  }
  if (edge.kind == EdgeKind::MazeLink) {
    answer["maze_port"] = edge.maze_port;
    answer["irs_stages"] = edge.maze_depth;
  }
  return answer;
}

json TopologyApi::edge(std::string_view id) const {
  const auto number = common::parse_u64(id);
  if (!number || *number >= graph_.edges().size()) {
    throw ApiError(404, fmt::format("edge '{}' not found: edges are numbered 0 to {}", id,
                                    graph_.edges().size() - 1));
  }
  const EdgeId edge_id(static_cast<std::uint32_t>(*number));
  const Edge& edge = graph_.edge(edge_id);
  json answer = edge_json(edge_id);
  answer["propagation_ns"] = topology::to_mm(edge.length_nm) * graph_.spec().system.wire_ns_per_mm;
  answer["flit_bytes"] = graph_.spec().system.flit_bytes;
  answer["flit_ns"] = graph_.spec().system.flit_bytes / edge.bw_gbs;
  answer["opposite"] = nullptr;
  for (const EdgeId back : incident(edge.to)) {
    const Edge& other = graph_.edge(back);
    if (other.from == edge.to && other.to == edge.from && other.kind == opposite(edge.kind)) {
      answer["opposite"] = back.value();
    }
  }
  return answer;
}

json TopologyApi::names(std::string_view contains) const {
  json found = json::array();
  for (const std::string& block : blocks_) {
    if (found.size() < kMostNames && contains_ignoring_case(block, contains))
      found.push_back(block);
  }
  for (std::uint32_t i = 0; i < graph_.nodes().size() && found.size() < kMostNames; ++i) {
    const std::string_view name = graph_.name(NodeId(i));
    if (contains_ignoring_case(name, contains)) found.push_back(name);
  }
  return {{"names", std::move(found)}};
}

}  // namespace kernbench::cli::web
