#include "topology/graph/view_parts.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "topology/mesh/length.hpp"

namespace kernbench::topology {

namespace {

/// Edges that are drawn as one line when both directions are there: a control-plane pair and a
/// data pair between the same two nodes stay apart.
EdgeKind line_kind(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::HbmToRouter:
      return EdgeKind::RouterToHbm;
    case EdgeKind::McpuToRouter:
      return EdgeKind::RouterToMcpu;
    case EdgeKind::SramToRouter:
      return EdgeKind::RouterToSram;
    case EdgeKind::UcieConnToRouter:
      return EdgeKind::RouterToUcieConn;
    case EdgeKind::UcieConnToNoc:
      return EdgeKind::NocToUcieConn;
    case EdgeKind::CubeToIo:
      return EdgeKind::IoToCube;
    default:
      return kind;
  }
}

}  // namespace

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
  // Of "sip0.cube0.noc.r0c4" the last part says enough; a connection or a slice needs two.
  const std::size_t dot = name.rfind('.');
  const NodeKind kind = graph.node(id).kind;
  if (kind == NodeKind::HbmCtrl || kind == NodeKind::IoConn || kind == NodeKind::IoUcie) {
    return std::string(name.substr(name.rfind('.', dot - 1) + 1));
  }
  return std::string(name.substr(dot + 1));
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
  std::map<Ends, std::size_t> lines;  // to the line that an opposite edge would join
  for (const Edge& edge : graph.edges()) {
    const EdgeKind kind = line_kind(edge.kind);
    const auto opposite = lines.find(Ends{edge.to.value(), edge.from.value(), kind});
    if (opposite != lines.end()) {
      ViewEdge& line = view.edges[opposite->second];
      if (!line.both_ways && line.bw_gbs == edge.bw_gbs &&
          to_nm(line.length_mm) == edge.length_nm) {
        line.both_ways = true;
        continue;
      }
    }
    lines.emplace(Ends{edge.from.value(), edge.to.value(), kind}, view.edges.size());
    ViewEdge line = view_line(first + edge.from.value(), first + edge.to.value(), edge.kind,
                              {edge.bw_gbs, to_mm(edge.length_nm)});
    line.both_ways = false;
    line.maze_depth = edge.maze_depth;
    view.edges.push_back(line);
  }
}

}  // namespace kernbench::topology
