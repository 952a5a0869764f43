// SPDX-License-Identifier: Apache-2.0
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

/// Answers queries of the viewer about one topology as JSON (docs/developer/developer-guide.md). A
/// name denotes a node or a block. The block "sip0.cube3" consists of all nodes whose names begin
/// with "sip0.cube3.". Throws ApiError for unknown names and invalid arguments. Thread-safe.
class TopologyApi {
 public:
  /// `spec` is the name of the topology file. `graph` must outlive the object.
  TopologyApi(const topology::TopologyGraph& graph, std::string spec);

  /// Returns the view "system", "sip", "cube" or "pe" of the SIP, cube or PE named `of`, or of the
  /// first one if `of` is empty.
  [[nodiscard]] nlohmann::json view(std::string_view level, std::string_view of) const;
  /// Returns the parameters and edges of a node, or the contents and border edges of a block.
  [[nodiscard]] nlohmann::json node(std::string_view name) const;
  /// Returns the edge with this number.
  [[nodiscard]] nlohmann::json edge(std::string_view id) const;
  /// Returns for each routing intent the route, or the reason why there is none. Each end is a
  /// node, a block or a physical address.
  [[nodiscard]] nlohmann::json routes(std::string_view from, std::string_view to) const;
  /// Returns the first names of nodes and blocks that contain the text, ignoring case.
  [[nodiscard]] nlohmann::json names(std::string_view contains) const;

 private:
  struct Intent;

  [[nodiscard]] bool is_block(std::string_view name) const;
  [[nodiscard]] nlohmann::json node_json(topology::NodeId id) const;
  [[nodiscard]] nlohmann::json block_json(std::string_view name) const;
  [[nodiscard]] nlohmann::json edge_json(topology::EdgeId id) const;
  /// Returns the edges between nodes for which `inside` holds and all other nodes.
  template <typename Inside>
  [[nodiscard]] nlohmann::json border_json(std::span<const topology::EdgeId> edges,
                                           const Inside& inside) const;
  [[nodiscard]] std::span<const topology::EdgeId> incident(topology::NodeId node) const;

  [[nodiscard]] topology::NodeId end_of_route(std::string_view name, const Intent& intent,
                                              bool is_source) const;
  [[nodiscard]] nlohmann::json route_json(const Intent& intent, std::string_view from,
                                          std::string_view to) const;
  [[nodiscard]] nlohmann::json hop_json(std::span<const topology::EdgeId> wires) const;

  const topology::TopologyGraph& graph_;
  std::string spec_;
  topology::AddressResolver resolver_;
  topology::PathRouter router_;
  std::vector<PlacedView> views_;  ///< views by level
  nlohmann::json attributes_;      ///< attributes by node kind
  std::vector<std::string> blocks_;
  std::vector<std::uint32_t> first_incident_;  ///< node i has incident_[first[i]..first[i + 1])
  std::vector<topology::EdgeId> incident_;     ///< outgoing and incoming edges of all nodes
};

}  // namespace kernbench::cli::web
