// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "common/random.hpp"
#include "maze/link_frame.hpp"
#include "sim/stimulus/traffic_spec.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

/// State of the fabric that is visible to a pattern in one cycle.
struct FabricState {
  const maze::BitPlane& free;      ///< links that offer no packet, by source
  const maze::BitPlane& in_ready;  ///< links whose receiver is ready, by receiver
};

/// Decides which links start to offer a packet in each cycle.
class TrafficPattern {
 public:
  TrafficPattern() = default;
  TrafficPattern(const TrafficPattern&) = delete;
  TrafficPattern& operator=(const TrafficPattern&) = delete;
  virtual ~TrafficPattern() = default;

  /// Sets all of `start` to the free links that start a packet in this cycle. Must be called once
  /// in every cycle in which packets may start, in ascending order.
  virtual void start(std::uint64_t cycle, const FabricState& state, maze::BitPlane& start) = 0;
  /// True when the pattern will not start another packet.
  [[nodiscard]] virtual bool exhausted() const { return false; }
  /// Links that the pattern can use, by source.
  [[nodiscard]] virtual const maze::BitPlane& links() const = 0;
};

/// Returns an upper bound on the cycles with a ready receiver that a link of depth D takes to empty
/// after it accepted its last packet: it holds at most 2D packets, and the last one needs D cycles.
/// Pattern::LinkWalk waits so long before it moves to the next link.
[[nodiscard]] constexpr unsigned walk_settling_cycles(const topology::MazeLink& link) {
  return 3 * link.depth;
}

/// Makes the pattern of a spec, which draws from `rng`. `links` must outlive it. Throws
/// std::invalid_argument with the text of `problem(spec, shape)` (traffic_rules.hpp), and for
/// Pattern::Trace, whose pattern is a TraceReplay.
[[nodiscard]] std::unique_ptr<TrafficPattern> make_traffic_pattern(const TrafficSpec& spec,
                                                                   const maze::Shape& shape,
                                                                   const topology::MazeLinks& links,
                                                                   common::Rng rng);

}  // namespace kernbench::sim
