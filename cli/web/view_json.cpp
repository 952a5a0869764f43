// SPDX-License-Identifier: Apache-2.0
// The views of TopologyApi.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "cli/web/api_error.hpp"
#include "cli/web/topology_api.hpp"
#include "common/enum_names.hpp"
#include "common/numbers.hpp"
#include "topology/diagram/view_style.hpp"
#include "topology/graph/node_names.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::cli::web {

using nlohmann::json;
using topology::Edge;
using topology::EdgeKind;
using topology::NodeId;
using topology::TopologyGraph;
using topology::TopologySpec;
using topology::View;
using topology::ViewEdge;
using topology::ViewLevel;
using topology::ViewNode;
using topology::ViewShape;

namespace {

/// The SIP, cube or PE that a view shows.
struct Subject {
  std::array<std::uint32_t, 3> indices{};
  std::string name;   ///< name such as "sip1.cube3"; empty for the system
  std::string first;  ///< name in the view of the graph, such as "sip0.cube0"
};

std::string name_of(std::size_t parts, const std::array<std::uint32_t, 3>& indices) {
  switch (parts) {
    case 0:
      return {};
    case 1:
      return topology::node_names::sip(indices[0]);
    case 2:
      return topology::node_names::cube(indices[0], indices[1]);
    default:
      return topology::node_names::pe(indices[0], indices[1], indices[2]);
  }
}

/// Parses "sip1.cube3" into the indices 1 and 3. Returns std::nullopt for a malformed name or an
/// index out of range.
std::optional<std::array<std::uint32_t, 3>> parse_indices(const TopologySpec& spec,
                                                          std::size_t parts,
                                                          std::string_view text) {
  const std::array<std::uint32_t, 3> limits = {spec.system.sips, spec.sip.cubes(), spec.cube.pes()};
  constexpr std::array<std::string_view, 3> kPrefixes = {"sip", "cube", "pe"};
  std::array<std::uint32_t, 3> indices{};
  for (std::size_t i = 0; i < parts; ++i) {
    const std::size_t dot = text.find('.');
    const std::string_view part = text.substr(0, dot);
    if (!part.starts_with(kPrefixes.at(i)) || (dot == std::string_view::npos) != (i + 1 == parts)) {
      return std::nullopt;
    }
    const auto index = common::parse_u64(part.substr(kPrefixes.at(i).size()));
    if (!index || *index >= limits.at(i)) return std::nullopt;
    indices.at(i) = static_cast<std::uint32_t>(*index);
    if (dot != std::string_view::npos) text.remove_prefix(dot + 1);
  }
  return indices;
}

Subject subject_of(const TopologySpec& spec, ViewLevel level, std::string_view of) {
  const auto parts = static_cast<std::size_t>(level);
  Subject subject;
  subject.first = name_of(parts, {});
  if (!of.empty()) {
    const auto indices = parse_indices(spec, parts, of);
    if (!indices || name_of(parts, *indices) != of) {
      throw ApiError(404, fmt::format("{} '{}' not found",
                                      common::name_of(topology::kViewLevelNames, level), of));
    }
    subject.indices = *indices;
  }
  subject.name = name_of(parts, subject.indices);
  return subject;
}

/// Returns the name of a box of the graph's view in the view of the subject.
std::string renamed(const Subject& subject, const ViewNode& node) {
  // The HBM zone represents its controllers.
  if (node.shape == ViewShape::HbmZone) return subject.name + ".hbm_ctrl";
  if (!subject.first.empty() && node.id.starts_with(subject.first)) {
    return subject.name + node.id.substr(subject.first.size());
  }
  return node.id;
}

double rounded(double px) {
  return std::round(px * 100) / 100;
}

json point_json(plot::PointPx p) {
  return {rounded(p.x), rounded(p.y)};
}

/// Returns the view that a box opens.
json opens(const ViewNode& node) {
  switch (node.shape) {
    case ViewShape::SipBlock:
      return "sip";
    case ViewShape::CubeBlock:
      return "cube";
    case ViewShape::PeBlock:
      return "pe";
    default:
      return nullptr;
  }
}

/// Finds the edges of the graph that each line of a view represents.
class LineEdges {
 public:
  /// `names` are the names of the boxes of the view; all of them begin with `subject`.
  LineEdges(const TopologyGraph& graph, const View& view, const std::vector<std::string>& names,
            std::string_view subject)
      : graph_(graph), lines_(view.edges.size()) {
    for (std::size_t i = 0; i < names.size(); ++i) places_.emplace(names[i], i);
    for (std::size_t i = 0; i < view.edges.size(); ++i) {
      const ViewEdge& line = view.edges[i];
      lines_by_key_[key(line.from, line.to, line.kind)].push_back(i);
    }
    std::vector<std::size_t> place(graph.nodes().size(), kNowhere);
    for (std::uint32_t i = 0; i < place.size(); ++i) {
      const std::string_view name = graph.name(NodeId(i));
      if (name.starts_with(subject)) place[i] = place_of(name);
    }
    for (std::uint32_t i = 0; i < graph.edges().size(); ++i) {
      const Edge& edge = graph.edges()[i];
      const std::size_t from = place[edge.from.value()];
      const std::size_t to = place[edge.to.value()];
      if (from != kNowhere && to != kNowhere && from != to) add(i, key(from, to, edge.kind));
    }
    for (const auto& [line_key, pairs] : pairs_by_key_) assign(view, line_key, pairs, place);
  }

  [[nodiscard]] const std::vector<std::uint32_t>& of_line(std::size_t line) const {
    return lines_[line];
  }

 private:
  using Key = std::tuple<std::size_t, std::size_t, EdgeKind>;
  /// The edges of the graph between two nodes, in both directions.
  struct Pair {
    NodeId a;
    NodeId b;
    std::vector<std::uint32_t> edges;
  };
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

  static Key key(std::size_t from, std::size_t to, EdgeKind kind) {
    return {std::min(from, to), std::max(from, to), std::min(kind, topology::opposite(kind))};
  }

  /// Returns the box of the node, or of the smallest block that contains it.
  [[nodiscard]] std::size_t place_of(std::string_view name) const {
    for (;;) {
      const auto found = places_.find(name);
      if (found != places_.end()) return found->second;
      const std::size_t dot = name.rfind('.');
      if (dot == std::string_view::npos) return kNowhere;
      name = name.substr(0, dot);
    }
  }

  void add(std::uint32_t id, const Key& line_key) {
    if (!lines_by_key_.contains(line_key)) return;
    const Edge& edge = graph_.edges()[id];
    std::vector<Pair>& pairs = pairs_by_key_[line_key];
    for (Pair& pair : pairs) {
      if (pair.a == edge.to && pair.b == edge.from) {
        pair.edges.push_back(id);
        return;
      }
    }
    pairs.push_back({edge.from, edge.to, {id}});
  }

  /// Assigns one pair to each line if their numbers are equal, and all pairs to each line
  /// otherwise.
  void assign(const View& view, const Key& line_key, const std::vector<Pair>& pairs,
              const std::vector<std::size_t>& place) {
    const std::vector<std::size_t>& lines = lines_by_key_.at(line_key);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const ViewEdge& line = view.edges[lines[i]];
      for (std::size_t p = 0; p < pairs.size(); ++p) {
        if (pairs.size() == lines.size() && p != i) continue;
        for (const std::uint32_t id : pairs[p].edges) {
          const bool along = place[graph_.edges()[id].from.value()] == line.from;
          if (line.both_ways || along) lines_[lines[i]].push_back(id);
        }
      }
    }
  }

  const TopologyGraph& graph_;
  std::unordered_map<std::string_view, std::size_t> places_;
  std::map<Key, std::vector<std::size_t>> lines_by_key_;
  std::map<Key, std::vector<Pair>> pairs_by_key_;
  std::vector<std::vector<std::uint32_t>> lines_;
};

json node_box_json(const PlacedView& placed, std::size_t i, const std::string& id) {
  const ViewNode& node = placed.view->nodes[i];
  const topology::PlacedNode& at = placed.nodes[i];
  json details = json::array();
  for (const auto& [key, value] : node.details) details.push_back({key, value});
  json answer = {
      {"id", id},
      {"label", node.label},
      {"role", topology::role(node)},
      {"class", topology::css_class(node)},
      {"area", topology::is_area(node)},
      {"opens", opens(node)},
      {"box", {rounded(at.box.x), rounded(at.box.y), rounded(at.box.w), rounded(at.box.h)}},
      {"label_at", point_json(at.label)},
      {"font", placed.fonts[i]},
      {"details", std::move(details)}};
  if (at.displaced) answer["anchor"] = point_json(at.anchor);
  return answer;
}

json line_json(const PlacedView& placed, std::size_t i, const std::vector<std::uint32_t>& ids) {
  const ViewEdge& line = placed.view->edges[i];
  return {{"ids", ids},
          {"from", line.from},
          {"to", line.to},
          {"kind", topology::name(line.kind)},
          {"class", topology::css_class(line)},
          {"bandwidth_gbs", line.bw_gbs},
          {"length_mm", line.length_mm},
          {"both_ways", line.both_ways},
          {"path", placed.paths[i]}};
}

}  // namespace

json TopologyApi::view(std::string_view level_name, std::string_view of) const {
  std::optional<ViewLevel> level;
  for (const auto& [known, value] : topology::kViewLevelNames) {
    if (known == level_name) level = value;
  }
  if (!level) {
    throw ApiError(400, fmt::format("view: '{}' is not one of {}", level_name,
                                    fmt::join(common::names_of(topology::kViewLevelNames), ", ")));
  }
  const TopologySpec& spec = graph_.spec();
  const Subject subject = subject_of(spec, *level, of);
  const PlacedView& placed = views_.at(static_cast<std::size_t>(*level));
  const View& view = *placed.view;

  std::vector<std::string> names;
  names.reserve(view.nodes.size());
  for (const ViewNode& node : view.nodes) names.push_back(renamed(subject, node));
  // Some cubes lack PHYs that the view shows: only cubes beside an IO chiplet have all of them.
  std::vector<bool> is_there;
  is_there.reserve(names.size());
  for (const std::string& name : names) is_there.push_back(graph_.find(name) || is_block(name));

  const LineEdges edges(graph_, view, names, subject.name);
  json nodes = json::array();
  std::vector<std::size_t> position(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    position[i] = nodes.size();
    if (is_there[i]) nodes.push_back(node_box_json(placed, i, names[i]));
  }
  json lines = json::array();
  for (std::size_t i = 0; i < view.edges.size(); ++i) {
    const ViewEdge& edge = view.edges[i];
    if (!is_there[edge.from] || !is_there[edge.to]) continue;
    lines.push_back(line_json(placed, i, edges.of_line(i)));
    lines.back()["from"] = position[edge.from];
    lines.back()["to"] = position[edge.to];
  }
  json answer = {{"view", level_name},
                 {"of", subject.name},
                 {"title", view.title},
                 {"spec", spec_},
                 {"system",
                  {{"sips", spec.system.sips},
                   {"cubes_x", spec.sip.cube_mesh_w},
                   {"cubes_y", spec.sip.cube_mesh_h},
                   {"pes", spec.cube.pes()}}},
                 {"size", {rounded(placed.size.w), rounded(placed.size.h)}},
                 {"px_per_mm", placed.px_per_mm},
                 {"nodes", std::move(nodes)},
                 {"edges", std::move(lines)}};
  if (*level == ViewLevel::Cube || *level == ViewLevel::Pe) {
    answer["frame"] = {rounded(placed.origin.x), rounded(placed.origin.y),
                       rounded(view.w_mm * placed.px_per_mm),
                       rounded(view.h_mm * placed.px_per_mm)};
  }
  return answer;
}

}  // namespace kernbench::cli::web
