#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::topology::zoo {

// A base topology in YAML:
//
//   topology:
//     kind: HierarchicalTopology
//     base: {kind: UnidirectionalTorus1D, n: 4}
//     children:
//       - {base_node: 0, child_node: 2, topology: {kind: BidirectionalLine, n: 5}}
//
// The kinds and their keys are those of zoo_kinds(); a CustomTopology has its edges as a list,
// `edges: [[0, 1], [1, 2]]`, or instead of `n` and `edges` the name of a CSV or GraphML file that
// has them, `edges_from: graph.csv`, relative to the spec's folder.

/// Reads such a file. Throws common::BadInput with all errors, each with file, line and column.
[[nodiscard]] TopologyPtr load_zoo_spec(const std::filesystem::path& path);

/// The same for text in memory; `name` stands for the file in messages. Relative paths in it are
/// taken from `folder`.
[[nodiscard]] TopologyPtr parse_zoo_spec(std::string_view text, const std::string& name,
                                         const std::filesystem::path& folder = {});

}  // namespace kernbench::topology::zoo
