// SPDX-License-Identifier: Apache-2.0
#include "cli/topology/topology_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "common/text_lines.hpp"
#include "topology/spec/length.hpp"
#include "topology/spec/noc_topologies.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::cli {

using common::counted;
using topology::Edge;
using topology::EdgeKind;
using topology::NodeId;
using topology::NodeKind;
using topology::TopologyGraph;

namespace {

/// Returns "1 SIP", "2 SIPs".
template <typename Kind, std::size_t N>
std::string kind_table(std::string_view title, const std::array<std::size_t, N>& counts) {
  std::string text = fmt::format("{}\n", title);
  for (std::size_t k = 0; k < N; ++k) {
    if (counts.at(k) == 0) continue;
    text +=
        fmt::format("  {:<20} {:>9}\n", name(static_cast<Kind>(k)), common::grouped(counts.at(k)));
  }
  return text;
}

std::string length_text(const Edge& edge) {
  return fmt::format("{} mm", topology::to_mm(edge.length_nm));
}

std::string hop_details(const Edge& edge) {
  std::string text =
      fmt::format("{:<20} {:>8} GB/s {:>14}", name(edge.kind), edge.bw_gbs, length_text(edge));
  if (edge.kind == EdgeKind::MazeLink) {
    text += fmt::format("  {} IRS stages", edge.maze_depth);
  }
  return text;
}

}  // namespace

std::string describe_graph(const TopologyGraph& graph) {
  const topology::TopologySpec& spec = graph.spec();
  std::array<std::size_t, topology::kNodeKinds> nodes{};
  std::array<std::size_t, topology::kEdgeKinds> edges{};
  for (const topology::Node& node : graph.nodes()) ++nodes.at(static_cast<std::size_t>(node.kind));
  for (const Edge& edge : graph.edges()) ++edges.at(static_cast<std::size_t>(edge.kind));
  std::string text =
      fmt::format("{} of {} x {} cubes of {}, joined by {}\n", counted(spec.system.sips, "SIP"),
                  spec.sip.cube_mesh_w, spec.sip.cube_mesh_h, counted(spec.cube.pes(), "PE"),
                  topology::interconnect_name(spec.sip));
  text += kind_table<NodeKind>(counted(graph.nodes().size(), "node"), nodes);
  text += kind_table<EdgeKind>(counted(graph.edges().size(), "edge"), edges);
  return text;
}

std::string describe_node(const TopologyGraph& graph, NodeId id) {
  const topology::Node& node = graph.node(id);
  std::string text =
      fmt::format("{}\n  kind      {}\n  overhead  {} ns\n  position  {} mm, {} mm {}\n",
                  graph.name(id), name(node.kind), node.overhead.ns(), node.position.x,
                  node.position.y, node.sip == topology::kNoIndex ? "in the system" : "in its SIP");
  std::size_t width = 0;
  for (const Edge& edge : graph.edges()) {
    if (edge.from == id) width = std::max(width, graph.name(edge.to).size());
  }
  text += "  edges\n";
  for (const Edge& edge : graph.edges()) {
    if (edge.from != id) continue;
    text += fmt::format("    to {:<{}}  {}\n", graph.name(edge.to), width, hop_details(edge));
  }
  return text;
}

std::string describe_route(const TopologyGraph& graph, const topology::PathRouter& router,
                           const topology::Path& route) {
  const std::vector<topology::EdgeId> wires = router.wires(route);
  std::size_t width = graph.name(route.nodes.front()).size();
  for (const topology::EdgeId id : wires) {
    width = std::max(width, graph.name(graph.edge(id).to).size());
  }
  std::string text = fmt::format(" hop  {:<{}}  {:<20} {:>13} {:>14}\n", "node", width, "edge",
                                 "bandwidth", "length");
  text += fmt::format("{:>4}  {}\n", 0, graph.name(route.nodes.front()));
  std::int64_t length_nm = 0;
  double bottleneck = std::numeric_limits<double>::infinity();
  std::size_t hop = 1;
  for (const topology::EdgeId id : wires) {
    const Edge& edge = graph.edge(id);
    length_nm += edge.length_nm;
    bottleneck = std::min(bottleneck, edge.bw_gbs);
    text += fmt::format("{:>4}  {:<{}}  {}\n", hop, graph.name(edge.to), width, hop_details(edge));
    if (edge.to == route.nodes[hop]) ++hop;  // else a link of a hop through a fabric
  }
  text +=
      fmt::format("{}, {} mm of wire, routing distance {} mm", counted(route.edges.size(), "hop"),
                  topology::to_mm(length_nm), route.distance_mm());
  if (!route.edges.empty()) text += fmt::format(", narrowest {} GB/s", bottleneck);
  return text + "\n";
}

std::string describe_check(const TopologyGraph& graph, const topology::StructureReport& report,
                           common::Outcome outcome) {
  std::string text = fmt::format("checked {} and {}\n", counted(graph.nodes().size(), "node"),
                                 counted(graph.edges().size(), "edge"));
  for (const topology::StructureFinding& finding : report.findings) {
    const bool warning = finding.rule == topology::StructureRule::DeadlockFree;
    text += fmt::format("{}: {}: {}\n", warning ? "warning" : "error", name(finding.rule),
                        finding.text);
  }
  if (report.routes != 0) {
    text += fmt::format("followed {} of every PE: {} and {}\n", counted(report.routes, "route"),
                        counted(report.channels, "channel"),
                        report.dependencies == 1
                            ? std::string("1 dependency")
                            : common::grouped(report.dependencies) + " dependencies");
    text += report.deadlock_free()
                ? "no deadlock: the channel dependency graph has no cycle\n"
                : "such a cycle can deadlock with finite buffers and one virtual channel; the "
                  "model's queues are unbounded\n";
  }
  if (outcome == common::Outcome::Pass) return text + "PASS\n";
  text += outcome == common::Outcome::Vacuous ? "VACUOUS  no route was followed\n" : "FAIL\n";
  return text;
}

}  // namespace kernbench::cli
