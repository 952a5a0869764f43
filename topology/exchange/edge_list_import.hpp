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

/// A directed graph read from a file, without self-loops. Equal edges are parallel links.
struct ImportedGraph {
  std::uint32_t nodes = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  ///< (from, to), in file order
  std::vector<std::string> names = {};  ///< ids of the nodes; empty if they have numbers
  /// Number of endpoints at each node; empty if the format does not count them.
  std::vector<std::uint32_t> endpoints = {};
  /// Register stages of each edge, at most kMaxImportStages; empty if the file gives none.
  std::vector<std::uint32_t> stages = {};
  friend bool operator==(const ImportedGraph&, const ImportedGraph&) = default;
};

// Limits for imported files; larger ones are rejected.
inline constexpr std::size_t kMaxImportBytes = std::size_t{64} << 20U;
inline constexpr std::uint32_t kMaxImportNodes = 1U << 20U;
inline constexpr std::size_t kMaxImportEdges = std::size_t{4} << 20U;
// Names of the data of GraphML that become endpoints and stages.
inline constexpr std::string_view kEndpointsKey = "endpoints";
inline constexpr std::string_view kStagesKey = "stages";
inline constexpr std::uint32_t kMaxImportStages = 15;
inline constexpr std::uint32_t kMaxImportEndpoints = 1024;  ///< at a node

/// Reads a `.csv`, `.graphml` or `.anynet` file, by its extension. Adds all errors to
/// `diagnostics`, with file, line and column; the graph is then empty. Does not throw. Adds a line
/// to `notes` for each kind of thing in the file that the graph does not have.
[[nodiscard]] ImportedGraph import_edge_list(const std::filesystem::path& path,
                                             common::Diagnostics& diagnostics,
                                             std::vector<std::string>* notes = nullptr);

// The following functions parse text in memory; `file` is the name in messages.

/// Parses CSV: the header `src,dst`, then one directed edge per line as two node numbers from 0,
/// without blanks. With the header `src,dst,stages`, a line has the edge's register stages, too.
/// The number of nodes follows from the largest number, or from an optional first line `# nodes:
/// N`, which a line `# endpoints: 1,0,2` may follow with the number at each node.
[[nodiscard]] ImportedGraph import_csv(std::string_view text, const std::string& file,
                                       common::Diagnostics& diagnostics);

/// Parses GraphML: one graph in UTF-8, nodes numbered in file order and called by their ids. If all
/// ids are numbers, as n0 or 0, nodes are called by their labels, which yEd and data with the key
/// `label` or `name` give; labels have to differ. An undirected edge becomes two directed ones, and
/// so does one at which yEd draws two arrows or none. Other data and descriptions are ignored.
/// Links that join the same nodes in the same direction are parallel edges; nodes of nested graphs
/// become nodes of the graph, and a node that contains a graph (a group) is one only if a link ends
/// at it; ports are not told apart. A note names each. Anything else that would change the graph's
/// structure (hyperedges, DTDs) is rejected.
[[nodiscard]] ImportedGraph import_graphml(std::string_view text, const std::string& file,
                                           common::Diagnostics& diagnostics,
                                           std::vector<std::string>* notes = nullptr);

/// Parses a network file of BookSim2's `anynet`: lines such as `router 0 node 0 node 1 router 1 4`,
/// in which a router or node stands first and then what it is joined with, each with a latency that
/// may follow. Routers are numbered from 0 without gaps, and so are nodes; nodes become endpoints
/// of their routers. Links lead both ways. Notes say that latencies, and the order of the nodes
/// where it is not that of their routers, are not kept.
[[nodiscard]] ImportedGraph import_anynet(std::string_view text, const std::string& file,
                                          common::Diagnostics& diagnostics,
                                          std::vector<std::string>* notes = nullptr);

}  // namespace kernbench::topology
