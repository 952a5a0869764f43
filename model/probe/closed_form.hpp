// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "common/units.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::probe {

/// The latency of an access, divided by cause along the path of the last flit of its response. The
/// terms add up to the latency, to the picosecond.
struct Breakdown {
  common::SimTime overhead;  ///< node overheads, there and back
  common::SimTime travel;    ///< along wires; at a MAZE, until its next clock edge and in its links
  common::SimTime serialization;  ///< the flit's own time on each wire
  common::SimTime memory;         ///< service by the HBM channel
  common::SimTime pipeline;       ///< waits for earlier flits
  [[nodiscard]] common::SimTime latency() const {
    return overhead + travel + serialization + memory + pipeline;
  }
};

/// An access on an otherwise idle machine.
struct LoneAccess {
  bool write = false;
  std::span<const topology::EdgeId> there;  ///< route from the requester to the hbm_ctrl
  std::span<const topology::EdgeId> back;   ///< route of the response
  std::uint64_t address = 0;                ///< within the slice
  std::uint64_t bytes = 0;
  std::uint64_t row_bytes = 0;  ///< row size of a rectangle, as in components::RoutedAccess
  std::uint64_t row_stride = 0;
};

/// Returns the latency of an uncontended access by the recurrence of DESIGN section 5, flit by flit
/// and wire by wire. Shares only the rounding of single terms with the simulation, so that each
/// checks the other.
[[nodiscard]] Breakdown closed_form(const topology::TopologyGraph& graph, const LoneAccess& access);

}  // namespace kernbench::model::probe
