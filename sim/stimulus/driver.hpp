// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "maze/link_frame.hpp"
#include "sim/stimulus/back_pressure.hpp"
#include "sim/stimulus/payload_source.hpp"
#include "sim/stimulus/traffic_pattern.hpp"
#include "sim/stimulus/traffic_spec.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

enum class Phase {
  Reset,  ///< no packet is offered; of the receivers all, none or random ones are ready
  Run,    ///< the pattern starts packets, the back-pressure sets the receivers' ready
  Drain,  ///< offered packets stay, no packet starts, every receiver is ready
};

/// Drives all nodes around a TOPO. Offers packets, holds valid and payload of each until the fabric
/// accepts it, and drives the receivers' ready. The specs and the seed determine everything;
/// traffic, payloads and back-pressure have separate random streams.
class Driver {
 public:
  /// `links` is the map of the shape and must outlive the driver. Throws std::invalid_argument with
  /// the text of `problem` (traffic_rules.hpp), and common::BadInput when a trace cannot be used.
  Driver(const maze::Shape& shape, const topology::MazeLinks& links, const TrafficSpec& traffic,
         const BackPressureSpec& back_pressure, std::uint64_t seed);

  /// Sets the inputs of one cycle. Must be called once per cycle, in ascending order and always
  /// with the same `inputs`: payloads of packets that are still offered are not written again.
  /// `source_fired` are the outputs whose packet the fabric accepted in the previous cycle.
  void drive(std::uint64_t cycle, Phase phase, const maze::BitPlane& source_fired,
             maze::TopoInputs& inputs);

  /// Packets offered by the last drive(), by source.
  [[nodiscard]] const maze::BitPlane& offered() const { return offered_; }
  /// True when no packet is offered.
  [[nodiscard]] bool idle() const;
  /// True when the pattern will not start another packet. The last ones may still be offered.
  [[nodiscard]] bool exhausted() const { return pattern_->exhausted(); }
  /// Links that the pattern can use, by source.
  [[nodiscard]] const maze::BitPlane& links() const { return pattern_->links(); }
  /// Links on which the pattern started a packet since the last reset, by source.
  [[nodiscard]] const maze::BitPlane& reached() const { return reached_; }
  /// True when the pattern never started a packet.
  [[nodiscard]] bool silent() const { return ever_started_ == 0; }

 private:
  void start_packets(std::uint64_t cycle, maze::TopoInputs& inputs);
  void ready_in_reset(maze::BitPlane& in_ready);

  std::shared_ptr<TrafficPattern> pattern_;
  std::shared_ptr<PayloadSource> payloads_;  ///< same object as pattern_ for a trace
  BackPressureGenerator back_pressure_;
  common::Rng reset_rng_;
  std::uint64_t reset_ready_ = 0;  ///< receivers ready in this reset: 0 all, 1 none, 2 random ones
  bool in_reset_ = false;
  maze::BitPlane every_;
  maze::BitPlane offered_;
  maze::BitPlane reached_;
  std::uint64_t ever_started_ = 0;  ///< the words of all starts, or'ed
  maze::BitPlane free_;
  maze::BitPlane start_;
};

}  // namespace kernbench::sim
