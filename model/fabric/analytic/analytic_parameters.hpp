#pragma once

#include <cstdint>

namespace kernbench::model::fabric {

/// What can be fitted to a fabric that is simulated cycle by cycle. They decide how transfers get
/// into each other's way; those that meet no others are exact whatever they are. The first three
/// are of networks whose queues are finite (AnalyticSettings). The defaults are those of a MAZE.
struct AnalyticParameters {
  /// Packets that wait at a node, of one input and QoS, when the link to it stalls.
  std::uint32_t queue_packets = 16;
  /// Packets that each stage of a link holds when it stalls.
  std::uint32_t stage_packets = 2;
  /// Cycles until the end of a stall is seen where the link begins, besides one for each stage.
  std::uint32_t restart_cycles = 0;
  /// Packets of a multicast that leave a node by one output before the slowest one has to follow.
  /// At least 1. An event for each so many packets and each copy is what a multicast costs.
  std::uint32_t multicast_stride = 16;

  friend bool operator==(const AnalyticParameters&, const AnalyticParameters&) = default;
};

/// Throws std::invalid_argument for a stride of 0, and for rooms so small that they would slow down
/// a transfer that meets no other.
void require_sound(const AnalyticParameters& parameters);

}  // namespace kernbench::model::fabric
