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

namespace node_names = topology::node_names;

/// Returns the numbers of SIPs, of cubes of a SIP and of PEs of a cube.
std::vector<std::uint32_t> counts_of(const TopologySpec& spec) {
  return {spec.system.sips, spec.sip.cubes(), spec.cube.pes()};
}

/// The SIP, cube or PE that a view shows.
struct Subject {
  std::vector<std::uint32_t> numbers;  ///< from the SIP down
  std::string name;                    ///< name such as "sip1.cube3"; empty for the system
  std::string first;                   ///< name in the view of the graph, such as "sip0.cube0"
};

Subject subject_of(const TopologySpec& spec, ViewLevel level, std::string_view of) {
  const auto parts = static_cast<std::size_t>(level);
  Subject subject;
  subject.numbers.resize(parts);
  subject.first = node_names::place(subject.numbers);
  if (!of.empty()) {
    const auto numbers = node_names::numbers_of(of);
    const std::vector<std::uint32_t> limits = counts_of(spec);
    bool known = numbers && numbers->size() == parts;
    for (std::size_t i = 0; known && i < parts; ++i) known = (*numbers)[i] < limits[i];
    if (!known) {
      throw ApiError(404, fmt::format("{} '{}' not found",
                                      common::name_of(topology::kViewLevelNames, level), of));
    }
    subject.numbers = *numbers;
  }
  subject.name = node_names::place(subject.numbers);
  return subject;
}

/// Returns the way from the system down to each level: the name of the part, or of the first one
/// below the subject, and the names of all the parts of that level beside it.
json path_json(const TopologySpec& spec, const Subject& subject) {
  const std::vector<std::uint32_t> limits = counts_of(spec);
  std::vector<std::uint32_t> numbers;
  json path = json::array();
  for (std::size_t level = 0; level <= limits.size(); ++level) {
    if (level > 0) {
      numbers.push_back(level <= subject.numbers.size() ? subject.numbers[level - 1] : 0);
    }
    json beside = json::array();
    for (std::uint32_t i = 0; level > 0 && i < limits[level - 1]; ++i) {
      std::vector<std::uint32_t> other = numbers;
      other.back() = i;
      beside.push_back(node_names::place(other));
    }
    path.push_back({{"of", node_names::place(numbers)}, {"beside", std::move(beside)}});
  }
  return path;
}

/// Returns the name of a box of the graph's view in the view of the subject.
std::string renamed(const Subject& subject, const ViewNode& node) {
  // The HBM zone represents its controllers.
  if (node.shape == ViewShape::HbmZone) {
    return std::string(node_names::block_of(node_names::hbm_ctrl(subject.name, 0)));
  }
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
  /// `ids` are the names of the boxes of the view; all of them begin with `subject`.
  LineEdges(const TopologyGraph& graph, const View& view, const std::vector<std::string>& ids,
            std::string_view subject)
      : graph_(graph), lines_(view.edges.size()) {
    for (std::size_t i = 0; i < ids.size(); ++i) places_.emplace(ids[i], i);
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
      name = node_names::block_of(name);
      if (name.empty()) return kNowhere;
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

  std::vector<std::string> ids;
  ids.reserve(view.nodes.size());
  for (const ViewNode& node : view.nodes) ids.push_back(renamed(subject, node));
  // Some cubes lack PHYs that the view shows: only cubes beside an IO chiplet have all of them.
  std::vector<bool> is_there;
  is_there.reserve(ids.size());
  for (const std::string& name : ids) is_there.push_back(graph_.find(name) || is_block(name));

  const LineEdges edges(graph_, view, ids, subject.name);
  json nodes = json::array();
  std::vector<std::size_t> position(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    position[i] = nodes.size();
    if (is_there[i]) nodes.push_back(node_box_json(placed, i, ids[i]));
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
                 {"path", path_json(spec, subject)},
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
