// SPDX-License-Identifier: Apache-2.0
#include "topology/graph/view_parts.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "topology/graph/node_names.hpp"
#include "topology/spec/length.hpp"

namespace kernbench::topology {

ViewNode view_node(std::string id, std::string label, NodeKind kind, PositionMm center,
                   double overhead_ns) {
  ViewNode node;
  node.id = std::move(id);
  node.label = std::move(label);
  node.kind = kind;
  node.center = center;
  node.details = {{"kind", std::string(name(kind))},
                  {"overhead", fmt::format("{} ns", overhead_ns)}};
  return node;
}

ViewEdge view_line(std::size_t from, std::size_t to, EdgeKind kind, const LinkSpec& link) {
  ViewEdge edge;
  edge.from = from;
  edge.to = to;
  edge.kind = kind;
  edge.bw_gbs = link.bw_gbs;
  edge.length_mm = link.distance_mm;
  return edge;
}

std::string short_label(const TopologyGraph& graph, NodeId id) {
  const std::string_view name = graph.name(id);
  // The last part is enough for "sip0.cube0.noc.r0c4"; connections and slices need two parts.
  const NodeKind kind = graph.node(id).kind;
  const bool two =
      kind == NodeKind::HbmCtrl || kind == NodeKind::IoConn || kind == NodeKind::IoUcie;
  return std::string(node_names::last_parts(name, two ? 2 : 1));
}

void append_graph(const TopologyGraph& graph, View& view) {
  const std::size_t first = view.nodes.size();
  for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
    const NodeId id(i);
    const Node& node = graph.node(id);
    view.nodes.push_back(view_node(std::string(graph.name(id)), short_label(graph, id), node.kind,
                                   node.position, node.overhead.ns()));
  }
  using Ends = std::tuple<std::uint32_t, std::uint32_t, EdgeKind>;
  std::map<Ends, std::size_t> lines;  // a reverse edge with these ends joins the line
  for (const Edge& edge : graph.edges()) {
    // The kind in the key keeps control-plane pairs apart from data pairs between the same nodes.
    const auto back = lines.find(Ends{edge.to.value(), edge.from.value(), opposite(edge.kind)});
    if (back != lines.end()) {
      ViewEdge& line = view.edges[back->second];
      if (!line.both_ways && line.bw_gbs == edge.bw_gbs &&
          to_nm(line.length_mm) == edge.length_nm) {
        line.both_ways = true;
        continue;
      }
    }
    lines.emplace(Ends{edge.from.value(), edge.to.value(), edge.kind}, view.edges.size());
    ViewEdge line = view_line(first + edge.from.value(), first + edge.to.value(), edge.kind,
                              {edge.bw_gbs, to_mm(edge.length_nm)});
    line.both_ways = false;
    line.maze_depth = edge.maze_depth;
    view.edges.push_back(line);
  }
}

}  // namespace kernbench::topology
