// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/dimension_order.hpp"
#include "topology/grid.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::topology::zoo {

/// Movement of packets within one dimension, that is along a row or a column.
enum class DimensionStep : std::uint8_t {
  Neighbour,     ///< lines and meshes: one node at a time; 1 virtual channel
  Direct,        ///< flattened butterflies: a single hop; 1 virtual channel
  ForwardRing,   ///< unidirectional rings and tori; 2 virtual channels
  ShortestRing,  ///< bidirectional ones: the shorter way; 2 virtual channels
};

/// Dimension-order routing: a packet first travels along one dimension until that coordinate is
/// right, then along the other.
///
/// Deadlock-free: no packet turns from the second dimension back into the first, and within a
/// dimension no channel depends on itself:
/// - In a line or mesh, packets never reverse (Dally and Seitz 1987: an acyclic channel dependency
///   graph; Glass and Ni 1992: XY excludes the turns that close a cycle).
/// - In a flattened butterfly, a dimension takes one hop.
/// - A ring has a dateline (Dally and Seitz 1987): the channel between its ends. A packet is on
///   virtual channel 1 until it has passed the dateline, then on 0. So no packet on 0 uses the
///   dateline, and none on 1 uses a channel behind it. A packet that never passes it takes 1 if its
///   destination is in the first half of its direction, else 0, which loads both alike.
///
/// Half of the packets whose two ways around a ring are equally long take each way. In the first
/// dimension, the coordinate plus the destination's coordinate in the second dimension is even for
/// the way up. In the second dimension, it is the coordinate, plus 1 for packets that came up the
/// first dimension. So uniform traffic loads all channels of a dimension alike, as far as a number
/// of whole routes can: a side of 4n+2 beside an odd side leaves a difference of one route in half.
class DimensionOrderRouting : public RoutingRelation {
 public:
  /// `topology` must be numbered like `grid`; lines and rings are grids of one row.
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
