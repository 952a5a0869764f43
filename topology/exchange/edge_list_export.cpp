// SPDX-License-Identifier: Apache-2.0
#include "topology/exchange/edge_list_export.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "common/markup.hpp"

namespace kernbench::topology {

void to_csv(const ImportedGraph& graph, std::ostream& out) {
  out << "# nodes: " << graph.nodes << '\n';
  if (!graph.endpoints.empty()) {
    out << "# endpoints: " << fmt::format("{}", fmt::join(graph.endpoints, ",")) << '\n';
  }
  const bool has_stages = !graph.stages.empty();
  out << (has_stages ? "src,dst,stages\n" : "src,dst\n");
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    out << graph.edges[i].first << ',' << graph.edges[i].second;
    if (has_stages) out << ',' << graph.stages[i];
    out << '\n';
  }
}

void to_graphml(const ImportedGraph& graph, std::ostream& out) {
  const auto id = [&](std::uint32_t node) {
    return graph.names.empty() ? fmt::format("n{}", node)
                               : common::escape_markup(graph.names.at(node));
  };
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
  // An element with a number of the graph, or without one.
  const auto element = [&](const std::string& tag, std::string_view name, std::string_view key,
                           const std::vector<std::uint32_t>& numbers, std::size_t i) {
    out << "  <" << tag;
    if (numbers.empty()) {
      out << "/>\n";
    } else {
      out << "><data key=\"" << key << "\">" << numbers[i] << "</data></" << name << ">\n";
    }
  };
  const auto declare = [&](std::string_view owner, std::string_view key,
                           const std::vector<std::uint32_t>& numbers) {
    if (numbers.empty()) return;
    out << fmt::format(" <key id=\"{0}\" for=\"{1}\" attr.name=\"{0}\" attr.type=\"int\"/>\n", key,
                       owner);
  };
  declare("node", kEndpointsKey, graph.endpoints);
  declare("edge", kStagesKey, graph.stages);
  out << " <graph edgedefault=\"directed\">\n";
  for (std::uint32_t i = 0; i < graph.nodes; ++i) {
    element(fmt::format("node id=\"{}\"", id(i)), "node", kEndpointsKey, graph.endpoints, i);
  }
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    const auto& [from, to] = graph.edges[i];
    element(fmt::format("edge source=\"{}\" target=\"{}\"", id(from), id(to)), "edge", kStagesKey,
            graph.stages, i);
  }
  out << " </graph>\n</graphml>\n";
}

}  // namespace kernbench::topology
