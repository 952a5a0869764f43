// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "topology/exchange/edge_list_import.hpp"

namespace kernbench::topology {

// Writers of plain graphs in the formats of import_edge_list(). Reading the output gives the same
// graph.

void to_csv(const ImportedGraph& graph, std::ostream& out);
void to_graphml(const ImportedGraph& graph, std::ostream& out);

}  // namespace kernbench::topology
