// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/zoo_export.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <stdexcept>

#include "common/description.hpp"

namespace kernbench::topology::zoo {
namespace {

/// Calls `visit(src, dst, hops)` for every pair of different nodes with endpoints, by source, then
/// destination.
template <typename Visit>
void for_each_route(const RoutingRelation& relation, Visit visit) {
  const std::uint32_t nodes = relation.topology().n_nodes();
  for (std::uint32_t src = 0; src < nodes; ++src) {
    for (std::uint32_t dst = 0; dst < nodes; ++dst) {
      if (relation.topology().is_pair(src, dst))
        visit(src, dst, preferred_route(relation, src, dst));
    }
  }
}

/// The preferred route of a pair of nodes that has one.
struct RouteRow {
  std::uint32_t src = 0;
  std::uint32_t dst = 0;
  const std::vector<Hop>& hops;
};
using Pair = std::array<std::uint32_t, 2>;

std::vector<Pair> channel_pairs(const RoutingRelation& relation) {
  std::vector<Pair> pairs;
  for (const Channel& channel : relation.topology().channels()) {
    pairs.push_back({channel.src, channel.dst});
  }
  return pairs;
}

common::LongList<RouteRow> route_rows(const RoutingRelation& relation) {
  return {[&relation](const auto& take) {
    for_each_route(relation,
                   [&](std::uint32_t src, std::uint32_t dst, const std::vector<Hop>& hops) {
                     if (!hops.empty()) take({src, dst, hops});
                   });
  }};
}

std::vector<Pair> hop_pairs(const RouteRow& route) {
  std::vector<Pair> pairs;
  for (const Hop& hop : route.hops) pairs.push_back({hop.channel, hop.vc});
  return pairs;
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
  graph.endpoints = topology.endpoints();
  for (const Channel& channel : topology.channels()) {
    graph.edges.emplace_back(channel.src, channel.dst);
    if (channel.stages) graph.stages.push_back(*channel.stages);
  }
  return graph;
}

void to_routes_csv(const RoutingRelation& relation, std::ostream& out) {
  const std::vector<Channel>& channels = relation.topology().channels();
  const BaseTopology& topology = relation.topology();
  const auto name = [&](std::uint32_t node) {
    return topology.has_node_names() ? csv_cell(topology.node_names()[node]) : std::to_string(node);
  };
  const bool lanes = topology.has_parallel_channels();
  out << "src,dst,step,from,to,vc" << (lanes ? ",lane\n" : "\n");
  for_each_route(relation, [&](std::uint32_t src, std::uint32_t dst, const std::vector<Hop>& hops) {
    for (std::size_t i = 0; i < hops.size(); ++i) {
      const Channel& channel = channels[hops[i].channel];
      out << name(src) << ',' << name(dst) << ',' << i << ',' << name(channel.src) << ','
          << name(channel.dst) << ',' << hops[i].vc;
      if (lanes) out << ',' << topology.lane_of(hops[i].channel);
      out << '\n';
    }
  });
}

}  // namespace kernbench::topology::zoo

namespace kernbench::common {

using topology::zoo::RouteRow;
using topology::zoo::RoutingRelation;

template <>
const Description<RouteRow>& description_of() {
  static const auto kAll = Description<RouteRow>()
                               .add("src", &RouteRow::src)
                               .add("dst", &RouteRow::dst)
                               .add("hops", topology::zoo::hop_pairs,
                                    "pairs of a position in `channels` and a virtual channel");
  return kAll;
}

template <>
const Description<RoutingRelation>& description_of() {
  static const auto kAll =
      Description<RoutingRelation>()
          .add("name", [](const auto& relation) { return relation.topology().name(); })
          .add("nodes", [](const auto& relation) { return relation.topology().n_nodes(); })
          .at_least(1)
          .add(
              "node_names", [](const auto& relation) { return relation.topology().node_names(); },
              "by number")
          .absent_unless("the topology's file names its nodes",
                         [](const auto& relation) { return relation.topology().has_node_names(); })
          .add(
              "endpoints", [](const auto& relation) { return relation.topology().endpoints(); },
              "number at each node")
          .absent_unless("the topology's file counts them",
                         [](const auto& relation) { return relation.topology().has_endpoints(); })
          .add("channels", topology::zoo::channel_pairs, "pairs of source and destination")
          .add_section("routing",
                       Description<RoutingRelation>()
                           .add("relation", [](const auto& relation) { return relation.name(); })
                           .add(
                               "vcs", [](const auto& relation) { return relation.n_vcs(); },
                               "virtual channels of each channel")
                           .at_least(1))
          .add("routes", topology::zoo::route_rows, "of all pairs that have one");
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::topology::zoo {

const plot::ReportKind kBaseTopologyReport = {.name = "base-topology",
                                              .command = "topology zoo --format json",
                                              .about = "A base topology with its routes",
                                              .envelope = {.grade = false},
                                              .form = common::form_of<RoutingRelation>};

void to_json(const RoutingRelation& relation, const common::ReportEnvelope& frame,
             std::ostream& out) {
  common::ReportEnvelope envelope = frame;
  envelope.kind = kBaseTopologyReport.name;
  common::write_report(envelope, relation, out);
}

}  // namespace kernbench::topology::zoo
