// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/api.hpp"
#include "common/strong_id.hpp"
#include "common/units.hpp"
#include "topology/graph/kinds.hpp"
#include "topology/graph/view.hpp"
#include "topology/mesh/cube_mesh.hpp"
#include "topology/spec/spec_forward.hpp"
#include "topology/spec/spec_values.hpp"

namespace kernbench::topology {

/// Index of a node in its graph, in order of creation.
using NodeId = common::StrongId<struct NodeTag>;
/// Index of a directed edge in its graph, in order of creation.
using EdgeId = common::StrongId<struct EdgeTag>;

/// "None" in Node::sip, Node::cube and Node::pe.
inline constexpr std::uint16_t kNoIndex = 0xFFFF;

/// A node of the graph, its place and its position in the hierarchy.
struct Node {
  common::SimTime overhead;  ///< time added to each flit, rounded half up to a picosecond
  PositionMm position;       ///< relative to its SIP; for switch and host, to the system
  NodeKind kind = NodeKind::Router;
  std::uint16_t sip = kNoIndex;   ///< none for switch and host
  std::uint16_t cube = kNoIndex;  ///< y * w + x within its SIP; none outside cubes
  std::uint16_t pe = kNoIndex;    ///< within its cube, for PE parts and hbm_ctrl; none elsewhere
  std::uint8_t lane = 0;          ///< lane of its PHY (routing/stops.hpp), for ucie_conn; else 0
};

/// A directed edge: a wire with its bandwidth.
struct Edge {
  NodeId from;
  NodeId to;
  double bw_gbs = 0;                   ///< 10^9 bytes/s
  std::int64_t routing_weight_nm = 0;  ///< replaces the length in routing; 0 if unset
  std::uint32_t length_nm = 0;         ///< physical length
  EdgeKind kind = EdgeKind::RouterMesh;
  /// True for a router_mesh edge along a column, and for an edge between a router and a connection
  /// on the north or south side.
  bool vertical = false;
  std::uint8_t maze_depth = 0;  ///< IRS stages of a maze_link
  std::uint8_t maze_port = 0;   ///< output port of a maze_link at `from`; x ports first

  /// Returns routing_weight_nm, or the length if it is unset (ADR-0051 D2).
  [[nodiscard]] std::int64_t weight_nm() const {
    return routing_weight_nm != 0 ? routing_weight_nm : length_nm;
  }
};

/// The compiled form of a spec (ADR-0053 D1): nodes, edges and four views. Immutable.
class KERNBENCH_API TopologyGraph {
 public:
  [[nodiscard]] const TopologySpec& spec() const { return *spec_; }
  [[nodiscard]] const CubeMesh& mesh() const { return mesh_; }

  [[nodiscard]] std::span<const Node> nodes() const { return nodes_; }
  [[nodiscard]] std::span<const Edge> edges() const { return edges_; }
  [[nodiscard]] const Node& node(NodeId id) const { return nodes_[id.value()]; }
  [[nodiscard]] const Edge& edge(EdgeId id) const { return edges_[id.value()]; }
  /// Returns, for example, "sip0.cube3.pe1.pe_dma".
  [[nodiscard]] std::string_view name(NodeId id) const;
  [[nodiscard]] std::optional<NodeId> find(std::string_view name) const;

  [[nodiscard]] const View& system_view() const { return views_[0]; }
  [[nodiscard]] const View& sip_view() const { return views_[1]; }
  [[nodiscard]] const View& cube_view() const { return views_[2]; }
  [[nodiscard]] const View& pe_view() const { return views_[3]; }
  [[nodiscard]] const View& view(ViewLevel level) const {
    return views_[static_cast<std::size_t>(level)];
  }

 private:
  friend class GraphBuilder;
  TopologyGraph(const TopologySpec& spec, CubeMesh mesh);

  void index_names();
  /// Returns the slot of name_index_ that holds `name`, or the free slot where it belongs.
  [[nodiscard]] std::size_t index_slot(std::string_view name) const;

  /// Shared, so that this header does not need the members of a spec.
  std::shared_ptr<const TopologySpec> spec_;
  CubeMesh mesh_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> name_ends_;  ///< node i's name is names_[ends[i-1], ends[i])
  std::string names_;
  std::vector<std::uint32_t> name_index_;  ///< open addressing: node id + 1; 0 is a free slot
  std::array<View, 4> views_;
};

}  // namespace kernbench::topology
