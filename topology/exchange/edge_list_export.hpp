#pragma once

#include <ostream>

#include "topology/exchange/edge_list_import.hpp"

namespace kernbench::topology {

// A plain graph in the formats that import_edge_list() reads; reading it back gives the same graph.

void to_csv(const ImportedGraph& graph, std::ostream& out);
void to_graphml(const ImportedGraph& graph, std::ostream& out);

}  // namespace kernbench::topology
