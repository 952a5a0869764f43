// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/api.hpp"
#include "topology/routing/adjacency.hpp"
#include "topology/routing/carried_links.hpp"
#include "topology/routing/phys_addr.hpp"
#include "topology/routing/shortest_paths.hpp"
#include "topology/spec/length.hpp"

namespace kernbench::topology {

/// A path through the graph. A transfer between ports of a fabric is one hop: the fabric decides
/// which links carry it (DESIGN section 6).
struct Path {
  std::vector<NodeId> nodes;     ///< from source to destination; one node if they are equal
  std::vector<EdgeId> edges;     ///< one per hop; the first link of a fabric's: see wires()
  std::int64_t distance_nm = 0;  ///< sum of the routing weights

  [[nodiscard]] double distance_mm() const { return to_mm(distance_nm); }
  friend bool operator==(const Path&, const Path&) = default;
};

/// Finds the path for each intent (ADR-0051 D2-D4): the shortest by routing weight, identical on
/// every machine, cached or not. Nodes are given by name or id. Throws RoutingError for an unknown
/// name or an unreachable goal. The graph must outlive the router. Thread-safe.
class KERNBENCH_API PathRouter {
 public:
  /// `cache_bytes` limits the memory kept between calls; with 0, only the latest search is kept.
  explicit PathRouter(const TopologyGraph& graph, std::size_t cache_bytes = kDefaultCacheBytes);

  /// Finds a PE DMA path from the pe_dma of a PE ("sip0.cube0.pe0"). It stays in the mesh within a
  /// cube, crosses cubes over UCIe or a fabric, and never uses the control plane (D3.1, D3.2).
  [[nodiscard]] Path find_path(std::string_view src_pe, std::string_view dst_node) const;
  /// Finds a PE DMA path from a pe_dma node.
  [[nodiscard]] Path find_path(NodeId pe_dma, NodeId dst) const;
  /// Finds an M_CPU DMA path to an HBM controller, through the mesh of its cube or over UCIe
  /// (D3.3). Data never uses the control plane, even if its wire to the M_CPU is shorter
  /// (Architecture, "m_cpu"). There is no path to the parts of a PE (D3.3).
  [[nodiscard]] Path find_mcpu_dma_path(std::string_view m_cpu, std::string_view dst_hbm) const;
  [[nodiscard]] Path find_mcpu_dma_path(NodeId m_cpu, NodeId dst_hbm) const;
  /// Finds a path for host memory access, outside the parts of PEs (D3.4) and the control plane.
  [[nodiscard]] Path find_memory_path(std::string_view src, std::string_view dst) const;
  [[nodiscard]] Path find_memory_path(NodeId src, NodeId dst) const;
  /// Finds a path between any two nodes, control plane included (D3.5).
  [[nodiscard]] Path find_node_path(std::string_view src, std::string_view dst) const;
  [[nodiscard]] Path find_node_path(NodeId src, NodeId dst) const;
  /// Plain searches of D3.6, on all edges except the control plane.
  [[nodiscard]] std::vector<NodeId> dijkstra(std::string_view start, std::string_view goal) const;
  [[nodiscard]] Path dijkstra_with_distance(std::string_view start, std::string_view goal) const;

  /// Returns the edges that a packet takes: those of the route, with each hop through a fabric as
  /// its links.
  [[nodiscard]] std::vector<EdgeId> wires(const Path& route) const;

  static constexpr std::size_t kDefaultCacheBytes = std::size_t{256} << 20U;

 private:
  /// Edges that a search may use.
  struct Policy {
    Adjacency adjacency;
    bool without_command;
  };
  using SearchKey = std::uint64_t;

  [[nodiscard]] NodeId node(std::string_view name) const;
  [[nodiscard]] bool same_cube(NodeId a, NodeId b) const;
  [[nodiscard]] Path find(Policy policy, NodeId start, NodeId goal) const;
  [[nodiscard]] Path search(ShortestPaths& paths, NodeId start, NodeId goal) const;
  void share_connections(std::vector<EdgeId>& edges, NodeId start, NodeId goal) const;
  [[nodiscard]] std::optional<EdgeId> edge_between(NodeId from, NodeId to) const;
  [[nodiscard]] ShortestPaths& search_from(SearchKey key, Policy policy, NodeId start) const;

  const TopologyGraph& graph_;
  CarriedLinks carried_;
  Stops stops_;
  std::array<ArcTable, kAdjacencies> adjacencies_;
  bool leaves_;
  bool shares_connections_;
  std::size_t max_searches_;
  std::size_t max_route_nodes_;

  mutable std::mutex mutex_;
  mutable std::unordered_map<SearchKey, std::unique_ptr<ShortestPaths>> searches_;
  mutable std::deque<SearchKey> search_order_;  ///< oldest first
  struct RouteKey {
    SearchKey search;
    std::uint32_t goal;
    friend bool operator==(const RouteKey&, const RouteKey&) = default;
  };
  struct RouteKeyHash {
    std::size_t operator()(const RouteKey& key) const noexcept;
  };
  mutable std::unordered_map<RouteKey, Path, RouteKeyHash> routes_;
  mutable std::size_t route_nodes_ = 0;  ///< nodes of all cached routes together
};

}  // namespace kernbench::topology
