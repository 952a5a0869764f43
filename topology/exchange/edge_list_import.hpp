// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/diagnostics.hpp"

namespace kernbench::topology {

/// A directed graph read from a file, without duplicate edges or self-loops.
struct ImportedGraph {
  std::uint32_t nodes = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  ///< (from, to), in file order
  std::vector<std::string> names = {};  ///< node names in the file; empty if nodes have numbers
  friend bool operator==(const ImportedGraph&, const ImportedGraph&) = default;
};

// Limits for imported files; larger ones are rejected.
inline constexpr std::size_t kMaxImportBytes = std::size_t{64} << 20U;
inline constexpr std::uint32_t kMaxImportNodes = 1U << 20U;
inline constexpr std::size_t kMaxImportEdges = std::size_t{4} << 20U;

/// Reads a `.csv` or `.graphml` file, by its extension. Adds all errors to `diagnostics`, with
/// file, line and column; the graph is then empty. Does not throw.
[[nodiscard]] ImportedGraph import_edge_list(const std::filesystem::path& path,
                                             common::Diagnostics& diagnostics);

// The following functions parse text in memory; `file` is the name in messages.

/// Parses CSV: the header `src,dst`, then one directed edge per line as two node numbers from 0,
/// without blanks. The number of nodes follows from the largest number, or from an optional first
/// line `# nodes: N`.
[[nodiscard]] ImportedGraph import_csv(std::string_view text, const std::string& file,
                                       common::Diagnostics& diagnostics);

/// Parses GraphML: one graph in UTF-8, nodes numbered in file order and called by their ids, unless
/// these are n0, n1 and so on as to_graphml() writes them. An undirected edge becomes two
/// directed ones. Keys, data and descriptions are ignored. Anything else that would change the
/// graph's structure (ports, hyperedges, nested graphs, DTDs) is rejected.
[[nodiscard]] ImportedGraph import_graphml(std::string_view text, const std::string& file,
                                           common::Diagnostics& diagnostics);

}  // namespace kernbench::topology
