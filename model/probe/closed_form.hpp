#pragma once

#include <cstdint>
#include <span>

#include "common/units.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::probe {

/// Where the time of an access went, for the last flit of its response and what it waited for.
/// The terms add up to the latency, to the picosecond.
struct Breakdown {
  common::SimTime overhead;       ///< of nodes, there and back
  common::SimTime travel;         ///< along wires; to the first edge of a MAZE and in its links
  common::SimTime serialization;  ///< the flit's own, on each wire
  common::SimTime memory;         ///< its service by its HBM channel
  common::SimTime pipeline;       ///< waiting for the flits before it
  [[nodiscard]] common::SimTime latency() const {
    return overhead + travel + serialization + memory + pipeline;
  }
};

/// An access with the machine to itself.
struct LoneAccess {
  bool write = false;
  std::span<const topology::EdgeId> there;  ///< from the requester to the hbm_ctrl
  std::span<const topology::EdgeId> back;
  std::uint64_t address = 0;  ///< within the slice
  std::uint64_t bytes = 0;
  std::uint64_t row_bytes = 0;  ///< of a rectangle, as in components::RoutedAccess
  std::uint64_t row_stride = 0;
};

/// The latency of an uncontended access from the recurrence of DESIGN section 5, flit by flit and
/// wire by wire. It shares no code with the simulation but the rounding of a single term, so that
/// each is the other's check.
[[nodiscard]] Breakdown closed_form(const topology::TopologyGraph& graph, const LoneAccess& access);

}  // namespace kernbench::model::probe
