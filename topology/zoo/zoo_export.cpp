// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/zoo_export.hpp"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>

namespace kernbench::topology::zoo {
namespace {

/// Calls `visit(src, dst, hops)` for every pair of different nodes, by source, then destination.
template <typename Visit>
void for_each_route(const RoutingRelation& relation, Visit visit) {
  const std::uint32_t nodes = relation.topology().n_nodes();
  for (std::uint32_t src = 0; src < nodes; ++src) {
    for (std::uint32_t dst = 0; dst < nodes; ++dst) {
      if (src != dst) visit(src, dst, preferred_route(relation, src, dst));
    }
  }
}

/// Returns a cell of CSV, in quotes if it has to be.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + "\"";
}

}  // namespace

std::vector<Hop> preferred_route(const RoutingRelation& relation, std::uint32_t src,
                                 std::uint32_t dst) {
  const std::vector<Channel>& channels = relation.topology().channels();
  const std::size_t longest = channels.size() * relation.n_vcs();
  std::vector<Hop> route;
  std::optional<Hop> in;
  for (std::uint32_t at = src; at != dst; at = channels[in->channel].dst) {
    const std::vector<Hop> hops = relation.next(at, in, dst);
    if (hops.empty()) return {};
    if (route.size() == longest) {
      throw std::invalid_argument(
          fmt::format("the routing has a loop: its route from {} to {} does not end", src, dst));
    }
    in = hops.front();
    route.push_back(*in);
  }
  return route;
}

ImportedGraph plain_graph(const BaseTopology& topology) {
  ImportedGraph graph;
  graph.nodes = topology.n_nodes();
  graph.names = topology.node_names();
  for (const Channel& channel : topology.channels()) {
    graph.edges.emplace_back(channel.src, channel.dst);
  }
  return graph;
}

void to_routes_csv(const RoutingRelation& relation, std::ostream& out) {
  const std::vector<Channel>& channels = relation.topology().channels();
  const BaseTopology& topology = relation.topology();
  const auto name = [&](std::uint32_t node) {
    return topology.has_node_names() ? csv_cell(topology.node_names()[node]) : std::to_string(node);
  };
  out << "src,dst,step,from,to,vc\n";
  for_each_route(relation, [&](std::uint32_t src, std::uint32_t dst, const std::vector<Hop>& hops) {
    for (std::size_t i = 0; i < hops.size(); ++i) {
      const Channel& channel = channels[hops[i].channel];
      out << name(src) << ',' << name(dst) << ',' << i << ',' << name(channel.src) << ','
          << name(channel.dst) << ',' << hops[i].vc << '\n';
    }
  });
}

void to_json(const RoutingRelation& relation, const common::ReportEnvelope& frame,
             std::ostream& out) {
  const BaseTopology& topology = relation.topology();
  common::ReportEnvelope envelope = frame;
  envelope.kind = "base-topology";
  const common::ReportFrame around = common::frame_of_report(envelope);
  out << around.head
      << fmt::format("{{\n  \"name\": {},\n  \"nodes\": {},\n",
                     nlohmann::json(topology.name()).dump(), topology.n_nodes());
  if (topology.has_node_names()) {
    out << "  \"node_names\": " << nlohmann::json(topology.node_names()).dump() << ",\n";
  }
  out << "  \"channels\": [";
  const char* separator = "\n   ";
  for (const Channel& channel : topology.channels()) {
    out << separator << '[' << channel.src << ',' << channel.dst << ']';
    separator = ",\n   ";
  }
  out << fmt::format("\n  ],\n  \"routing\": {{\"relation\": {}, \"vcs\": {}}},\n  \"routes\": [",
                     nlohmann::json(relation.name()).dump(), relation.n_vcs());
  separator = "\n   ";
  for_each_route(relation, [&](std::uint32_t src, std::uint32_t dst, const std::vector<Hop>& hops) {
    if (hops.empty()) return;
    out << separator << R"({"src": )" << src << R"(, "dst": )" << dst << R"(, "hops": [)";
    for (std::size_t i = 0; i < hops.size(); ++i) {
      out << (i == 0 ? "[" : ",[") << hops[i].channel << ',' << hops[i].vc << ']';
    }
    out << "]}";
    separator = ",\n   ";
  });
  out << "\n  ]\n }" << around.tail;
}

}  // namespace kernbench::topology::zoo
