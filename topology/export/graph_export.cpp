// SPDX-License-Identifier: Apache-2.0
#include "topology/export/graph_export.hpp"

#include <fmt/format.h>

#include <string_view>

#include "common/decimal_text.hpp"

namespace kernbench::topology {

namespace {

// Names consist of letters, digits, '_' and '.', as the spec reader ensures, so no format needs
// escapes.

std::string overhead_ns(const Node& node) {
  return common::decimal_text(node.overhead.ps(), 3);
}
std::string mm(std::int64_t nm) {
  return common::decimal_text(nm, 6);
}

std::string dot_node(const TopologyGraph& graph, NodeId id) {
  const Node& node = graph.node(id);
  // Points of 1/72 inch, and the y axis of Graphviz points upwards.
  constexpr double kPointsPerMm = 72.0;
  return fmt::format("  \"{}\" [kind=\"{}\", x_mm={}, y_mm={}, overhead_ns={}, pos=\"{},{}\"];\n",
                     graph.name(id), name(node.kind), node.position.x, node.position.y,
                     overhead_ns(node), kPointsPerMm * node.position.x,
                     0.0 - kPointsPerMm * node.position.y);
}

std::string dot_edge(const TopologyGraph& graph, const Edge& edge) {
  return fmt::format("  \"{}\" -> \"{}\" [kind=\"{}\", bw_gbs={}, length_mm={}, weight_mm={}];\n",
                     graph.name(edge.from), graph.name(edge.to), name(edge.kind), edge.bw_gbs,
                     mm(edge.length_nm), mm(edge.weight_nm()));
}

constexpr std::string_view kGraphmlHead =
    R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
 <key id="kind" for="all" attr.name="kind" attr.type="string"/>
 <key id="x_mm" for="node" attr.name="x_mm" attr.type="double"/>
 <key id="y_mm" for="node" attr.name="y_mm" attr.type="double"/>
 <key id="overhead_ns" for="node" attr.name="overhead_ns" attr.type="double"/>
 <key id="bw_gbs" for="edge" attr.name="bw_gbs" attr.type="double"/>
 <key id="length_mm" for="edge" attr.name="length_mm" attr.type="double"/>
 <key id="weight_mm" for="edge" attr.name="weight_mm" attr.type="double"/>
 <graph id="topology" edgedefault="directed">
)";

std::string graphml_node(const TopologyGraph& graph, NodeId id) {
  const Node& node = graph.node(id);
  return fmt::format(
      "  <node id=\"{}\"><data key=\"kind\">{}</data><data key=\"x_mm\">{}</data>"
      "<data key=\"y_mm\">{}</data><data key=\"overhead_ns\">{}</data></node>\n",
      graph.name(id), name(node.kind), node.position.x, node.position.y, overhead_ns(node));
}

std::string graphml_edge(const TopologyGraph& graph, const Edge& edge) {
  return fmt::format(
      "  <edge source=\"{}\" target=\"{}\"><data key=\"kind\">{}</data>"
      "<data key=\"bw_gbs\">{}</data><data key=\"length_mm\">{}</data>"
      "<data key=\"weight_mm\">{}</data></edge>\n",
      graph.name(edge.from), graph.name(edge.to), name(edge.kind), edge.bw_gbs, mm(edge.length_nm),
      mm(edge.weight_nm()));
}

}  // namespace

void to_dot(const TopologyGraph& graph, std::ostream& out) {
  out << "// Draw it with `dot -Tsvg`: the engine nop2, as with -Knop2, keeps the positions of the "
         "nodes.\n// With -Kdot, which makes a layout of its own, large graphs take minutes to "
         "hours.\n"
         "digraph topology {\n  layout=nop2;\n  splines=false;\n  node [shape=box, fontsize=5, "
         "width=0.1, height=0.1, margin=\"0.03,0.02\"];\n";
  for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) out << dot_node(graph, NodeId(i));
  for (const Edge& edge : graph.edges()) out << dot_edge(graph, edge);
  out << "}\n";
}

void to_graphml(const TopologyGraph& graph, std::ostream& out) {
  out << kGraphmlHead;
  for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) out << graphml_node(graph, NodeId(i));
  for (const Edge& edge : graph.edges()) out << graphml_edge(graph, edge);
  out << " </graph>\n</graphml>\n";
}

}  // namespace kernbench::topology
