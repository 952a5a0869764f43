// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

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
// zoo_kinds() lists the kinds and their keys. A CustomTopology has a list of edges,
// `edges: [[0, 1], [1, 2]]`. `edges_from: graph.csv` replaces `n` and `edges` by a CSV, GraphML
// or BookSim file, relative to the spec's folder. Beside `topology`, `routes: mesh.csv` replaces
// the routes of the kind by those of a file (topology/zoo/table/), and `routing: up_down`
// by a relation that is registered (topology/zoo/routing/routing_kind.hpp).

/// Reads such a file. Throws common::BadInput with all errors, each with file, line and column.
/// Adds lines to `notes` about what a file of `edges_from` has and the topology has not.
[[nodiscard]] TopologyPtr load_zoo_spec(const std::filesystem::path& path,
                                        std::vector<std::string>* notes = nullptr);

/// Parses text in memory like load_zoo_spec(); `name` replaces the file name in messages. Relative
/// paths start from `folder`.
[[nodiscard]] TopologyPtr parse_zoo_spec(std::string_view text, const std::string& name,
                                         const std::filesystem::path& folder = {},
                                         std::vector<std::string>* notes = nullptr);

/// Returns whether a text names a file of the zoo: one that ends in .yaml or .yml.
[[nodiscard]] bool is_zoo_file(std::string_view text);
/// Returns the topology of such a file, whose relative path starts from `folder`, or of a short
/// text (zoo_text.hpp).
[[nodiscard]] TopologyPtr open_topology(const std::string& text_or_file,
                                        std::vector<std::string>* notes = nullptr,
                                        const std::filesystem::path& folder = {});

}  // namespace kernbench::topology::zoo
