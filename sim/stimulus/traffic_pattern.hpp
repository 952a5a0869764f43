#pragma once

#include <cstdint>
#include <memory>

#include "common/random.hpp"
#include "maze/link_frame.hpp"
#include "sim/stimulus/traffic_spec.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

/// What a pattern may know about the fabric in one cycle.
struct FabricState {
  const maze::BitPlane& free;      ///< links that offer no packet, by source
  const maze::BitPlane& in_ready;  ///< links whose receiver is ready, by receiver
};

/// Decides which links begin to offer a packet in which cycle (MAZE Topo, injection).
class TrafficPattern {
 public:
  TrafficPattern() = default;
  TrafficPattern(const TrafficPattern&) = delete;
  TrafficPattern& operator=(const TrafficPattern&) = delete;
  virtual ~TrafficPattern() = default;

  /// Sets `start`, overwriting all of it, to the links that begin a packet in this cycle; all of
  /// them are free. Called once in every cycle in which packets may begin, with rising cycles.
  virtual void start(std::uint64_t cycle, const FabricState& state, maze::BitPlane& start) = 0;
  /// True when no packet will ever begin again.
  [[nodiscard]] virtual bool exhausted() const { return false; }
  /// The links, by source, that the pattern can use.
  [[nodiscard]] virtual const maze::BitPlane& links() const = 0;
};

/// The pattern of a spec, with random decisions from `rng`. `links` must outlive it.
/// Throws std::invalid_argument with what `problem(spec, shape)` finds (traffic_rules.hpp), and for
/// Pattern::Trace, whose pattern is a TraceReplay.
[[nodiscard]] std::unique_ptr<TrafficPattern> make_traffic_pattern(const TrafficSpec& spec,
                                                                   const maze::Shape& shape,
                                                                   const topology::MazeLinks& links,
                                                                   common::Rng rng);

}  // namespace kernbench::sim
