// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/grid.hpp"
#include "topology/spec/spec_values.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::topology::zoo {

/// Movement of packets within one dimension, that is along a row or a column.
enum class DimensionStep : std::uint8_t {
  Neighbour,     ///< lines and meshes: one node at a time; 1 virtual channel
  Direct,        ///< flattened butterflies: a single hop; 1 virtual channel
  ForwardRing,   ///< unidirectional rings and tori; 2 virtual channels
  ShortestRing,  ///< bidirectional ones: the shorter way, upwards if equal; 2 virtual channels
};

/// Dimension-order routing: a packet first travels along one dimension until that coordinate is
/// right, then along the other.
///
/// Deadlock-free: no packet turns from the second dimension back into the first, and within a
/// dimension no channel depends on itself:
/// - In a line or mesh, packets never reverse (Dally and Seitz 1987: an acyclic channel dependency
///   graph; Glass and Ni 1992: XY excludes the turns that close a cycle).
/// - In a flattened butterfly, a dimension takes one hop.
/// - A ring has a dateline (Dally and Seitz 1987): packets start on virtual channel 0 and switch to
///   1 at the channel between the last node and the first. Virtual channel 0 has no wrap-around
///   channel, and no packet stays on virtual channel 1 long enough to reach the dateline again.
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
