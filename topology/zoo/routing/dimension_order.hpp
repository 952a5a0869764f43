#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/spec/topology_spec.hpp"
#include "topology/zoo/layout/grid.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::topology::zoo {

/// How a packet moves within one dimension, that is along a row or a column.
enum class DimensionStep : std::uint8_t {
  Neighbour,     ///< lines and meshes: to the neighbour that is nearer; 1 virtual channel
  Direct,        ///< flattened butterflies: at once; 1 virtual channel
  ForwardRing,   ///< unidirectional rings and tori; 2 virtual channels
  ShortestRing,  ///< bidirectional ones: the shorter way, of equal ones upwards; 2 virtual channels
};

/// Dimension order: a packet first travels along one dimension until that coordinate is right, then
/// along the other.
///
/// Deadlock-free: no packet ever turns from the second dimension back into the first, and within a
/// dimension no channel depends on itself. In a line and in a mesh, because a packet never turns
/// round (Dally and Seitz 1987: an acyclic channel dependency graph; Glass and Ni 1992: XY leaves
/// out the turns that close a cycle). In a flattened butterfly, because a dimension is one hop. In
/// a ring by a dateline (Dally and Seitz 1987): packets start on virtual channel 0 and change to 1
/// at the channel between the last node and the first. Virtual channel 0 has no wrap-around
/// channel, and no packet is on virtual channel 1 as long as to come to that channel again.
class DimensionOrderRouting : public RoutingRelation {
 public:
  /// `topology` is numbered as `grid` says; lines and rings are grids of one row.
  DimensionOrderRouting(const BaseTopology& topology, const Grid& grid, DimensionStep step,
                        DimensionOrder order);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::uint32_t n_vcs() const override;
  [[nodiscard]] std::vector<Hop> next(std::uint32_t at, std::optional<Hop> in,
                                      std::uint32_t dst) const override;

 private:
  Grid grid_;
  DimensionStep step_;
  DimensionOrder order_;
};

}  // namespace kernbench::topology::zoo
