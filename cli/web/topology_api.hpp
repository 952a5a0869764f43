#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/web/placed_view.hpp"
#include "topology/graph/topology_graph.hpp"
#include "topology/routing/address_resolver.hpp"
#include "topology/routing/path_router.hpp"

namespace kernbench::cli::web {

/// Answers the viewer's questions about one topology, as JSON (docs/viewer.md). A name is that of
/// a node or of a block: of everything whose names begin with it and a dot ("sip0.cube3"). ApiError
/// is thrown for what is not there. Threads may share one.
class TopologyApi {
 public:
  /// `spec` is the file's name, for the reader. The graph must outlive it.
  TopologyApi(const topology::TopologyGraph& graph, std::string spec);

  /// The view "system", "sip", "cube" or "pe", of the SIP, cube or PE named by `of`; of the first
  /// one when that is empty.
  [[nodiscard]] nlohmann::json view(std::string_view level, std::string_view of) const;
  /// A node's parameters and edges; a block's contents and the edges that cross its border.
  [[nodiscard]] nlohmann::json node(std::string_view name) const;
  /// The edge with this number.
  [[nodiscard]] nlohmann::json edge(std::string_view id) const;
  /// The way for each routing intent, or why there is none. Ends are nodes, blocks or physical
  /// addresses.
  [[nodiscard]] nlohmann::json routes(std::string_view from, std::string_view to) const;
  /// The first names of nodes and blocks that contain the text, letter case aside.
  [[nodiscard]] nlohmann::json names(std::string_view contains) const;

 private:
  struct Intent;

  [[nodiscard]] bool is_block(std::string_view name) const;
  [[nodiscard]] nlohmann::json node_json(topology::NodeId id) const;
  [[nodiscard]] nlohmann::json block_json(std::string_view name) const;
  [[nodiscard]] nlohmann::json edge_json(topology::EdgeId id) const;
  /// Edges of everything for which `inside` holds to everything else.
  template <typename Inside>
  [[nodiscard]] nlohmann::json border_json(std::span<const topology::EdgeId> edges,
                                           const Inside& inside) const;
  [[nodiscard]] std::span<const topology::EdgeId> incident(topology::NodeId node) const;

  [[nodiscard]] topology::NodeId end_of_route(std::string_view name, const Intent& intent,
                                              bool is_source) const;
  [[nodiscard]] nlohmann::json route_json(const Intent& intent, std::string_view from,
                                          std::string_view to) const;
  [[nodiscard]] nlohmann::json hop_json(const topology::Route& route, std::size_t hop) const;

  const topology::TopologyGraph& graph_;
  std::string spec_;
  topology::AddressResolver resolver_;
  topology::PathRouter router_;
  std::vector<PlacedView> views_;  ///< by level
  nlohmann::json attributes_;      ///< by kind of node
  std::vector<std::string> blocks_;
  std::vector<std::uint32_t> first_incident_;  ///< node i's are [first[i], first[i + 1])
  std::vector<topology::EdgeId> incident_;     ///< leaving and arriving
};

}  // namespace kernbench::cli::web
