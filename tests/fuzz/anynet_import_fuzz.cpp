// SPDX-License-Identifier: Apache-2.0
// The importer of BookSim's network files takes any bytes: it answers with errors or with a graph
// whose edges join two of its nodes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "topology/exchange/edge_list_import.hpp"

using kernbench::common::Diagnostics;
using kernbench::topology::ImportedGraph;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Diagnostics diagnostics;
  const ImportedGraph graph = kernbench::topology::import_anynet(
      {reinterpret_cast<const char*>(data), size}, "fuzz.anynet", diagnostics);
  if (!diagnostics.empty()) {
    static_cast<void>(diagnostics.render());
    if (graph != ImportedGraph{}) std::abort();
    return 0;
  }
  if (graph.edges.empty() || graph.endpoints.size() != graph.nodes) std::abort();
  for (const auto& [from, to] : graph.edges) {
    if (from >= graph.nodes || to >= graph.nodes || from == to) std::abort();
  }
  return 0;
}
