// SPDX-License-Identifier: Apache-2.0
// The GraphML importer takes any bytes: it answers with errors or with a graph, which comes back as
// it was.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "topology/exchange/edge_list_export.hpp"
#include "topology/exchange/edge_list_import.hpp"

using kernbench::common::Diagnostics;
using kernbench::topology::import_graphml;
using kernbench::topology::ImportedGraph;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Diagnostics diagnostics;
  const ImportedGraph graph =
      import_graphml({reinterpret_cast<const char*>(data), size}, "fuzz.graphml", diagnostics);
  if (!diagnostics.empty()) {
    static_cast<void>(diagnostics.render());
    if (graph != ImportedGraph{}) std::abort();
    return 0;
  }
  std::ostringstream out;
  kernbench::topology::to_graphml(graph, out);
  if (graph.edges.empty() || import_graphml(out.str(), "again.graphml", diagnostics) != graph)
    std::abort();
  return 0;
}
