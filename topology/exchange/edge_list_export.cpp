// SPDX-License-Identifier: Apache-2.0
#include "topology/exchange/edge_list_export.hpp"

#include <fmt/format.h>

#include "common/markup.hpp"

namespace kernbench::topology {

void to_csv(const ImportedGraph& graph, std::ostream& out) {
  out << "# nodes: " << graph.nodes << "\nsrc,dst\n";
  for (const auto& [from, to] : graph.edges) out << from << ',' << to << '\n';
}

void to_graphml(const ImportedGraph& graph, std::ostream& out) {
  const auto id = [&](std::uint32_t node) {
    return graph.names.empty() ? fmt::format("n{}", node)
                               : common::escape_markup(graph.names.at(node));
  };
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
         " <graph edgedefault=\"directed\">\n";
  for (std::uint32_t i = 0; i < graph.nodes; ++i) out << "  <node id=\"" << id(i) << "\"/>\n";
  for (const auto& [from, to] : graph.edges) {
    out << "  <edge source=\"" << id(from) << "\" target=\"" << id(to) << "\"/>\n";
  }
  out << " </graph>\n</graphml>\n";
}

}  // namespace kernbench::topology
