// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/fabric/seam/maze_node_kind.hpp"

namespace kernbench::model::fabric {

/// Parameters of the waiting terms, which can be fitted to a cycle-accurate fabric. They affect
/// only transfers that share something. The first three apply to finite queues (AnalyticSettings).
/// The defaults are those of a MAZE.
struct AnalyticParameters {
  /// Packets of one input and QoS that a node queues before the link to it stalls.
  std::uint32_t queue_packets = 2;
  /// Packets that each stage of a stalled link holds.
  std::uint32_t stage_packets = 2;
  /// Cycles until the start of a link sees the end of a stall, in addition to one per stage.
  std::uint32_t restart_cycles = 1;
  /// Packets by which a copy of a multicast may be ahead of the slowest copy at a node, at least 1.
  /// A multicast costs one event per copy and stride.
  std::uint32_t multicast_stride = 16;
  /// Most packets of a long transfer that go by a link in one turn, at least 1. A turn costs a few
  /// events; with 1 the errors are smallest.
  std::uint32_t quantum_packets = 8;

  friend bool operator==(const AnalyticParameters&, const AnalyticParameters&) = default;
};

/// Returns the parameters of a MAZE with these nodes: those that the structure gives.
[[nodiscard]] constexpr AnalyticParameters default_parameters(MazeNodeKind nodes) {
  AnalyticParameters parameters;
  if (nodes == MazeNodeKind::Ideal) {
    parameters.queue_packets = 16;
    parameters.restart_cycles = 0;
    parameters.quantum_packets = 1;
  }
  return parameters;
}

/// Returns the smallest `queue_packets` that do not slow down a transfer that shares nothing. Room
/// that a packet makes is seen at the start of the link after a cycle for each stage, and the
/// packet that uses it takes as many cycles again to arrive.
[[nodiscard]] constexpr std::uint64_t least_queue_packets(const AnalyticParameters& parameters) {
  return std::uint64_t{1} + parameters.restart_cycles;
}

/// Throws std::invalid_argument for a stride or quantum of 0, and for queues or stages so small
/// that they would slow down a transfer that shares nothing.
void require_sound(const AnalyticParameters& parameters);

}  // namespace kernbench::model::fabric
