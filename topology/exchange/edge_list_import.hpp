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

/// A directed graph as a file gives it: no edge twice, none from a node to itself.
struct ImportedGraph {
  std::uint32_t nodes = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  ///< (from, to), in file order
  friend bool operator==(const ImportedGraph&, const ImportedGraph&) = default;
};

// A file beyond these limits is refused.
inline constexpr std::size_t kMaxImportBytes = std::size_t{64} << 20U;
inline constexpr std::uint32_t kMaxImportNodes = 1U << 20U;
inline constexpr std::size_t kMaxImportEdges = std::size_t{4} << 20U;

/// Reads a `.csv` or `.graphml` file; the name's ending decides. All that is wrong is added to
/// `diagnostics`, with file, line and column, and then the graph is empty. Throws nothing.
[[nodiscard]] ImportedGraph import_edge_list(const std::filesystem::path& path,
                                             common::Diagnostics& diagnostics);

// The same for text in memory; `file` stands for it in messages.

/// CSV: the header `src,dst`, then one directed edge to a line as two node numbers from 0, without
/// blanks. There are as many nodes as the largest number says, or as a first line `# nodes: N`
/// does.
[[nodiscard]] ImportedGraph import_csv(std::string_view text, const std::string& file,
                                       common::Diagnostics& diagnostics);

/// GraphML: one graph in UTF-8, nodes numbered in their order in the file. An edge that is not
/// directed becomes one in each direction. Keys, data and descriptions are passed over; what would
/// change the graph's structure (ports, hyperedges, nested graphs, DTDs) is refused.
[[nodiscard]] ImportedGraph import_graphml(std::string_view text, const std::string& file,
                                           common::Diagnostics& diagnostics);

}  // namespace kernbench::topology
