// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "maze/link_frame.hpp"
#include "sim/stimulus/back_pressure.hpp"
#include "sim/stimulus/payload_source.hpp"
#include "sim/stimulus/ready_in_reset.hpp"
#include "sim/stimulus/stimulus.hpp"
#include "sim/stimulus/traffic_pattern.hpp"
#include "sim/stimulus/traffic_spec.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

/// Drives all nodes around a TOPO. Offers packets and drives the receivers' ready. The specs and
/// the seed determine everything; traffic, payloads and back-pressure have separate random streams.
class Driver final : public Stimulus {
 public:
  /// `links` is the map of the shape and must outlive the driver. Throws std::invalid_argument with
  /// the text of `problem` (traffic_rules.hpp), and common::BadInput when a trace cannot be used.
  Driver(const maze::Shape& shape, const topology::MazeLinks& links, const TrafficSpec& traffic,
         const BackPressureSpec& back_pressure, std::uint64_t seed);

  void drive(std::uint64_t cycle, Phase phase, const maze::BitPlane& source_fired,
             maze::TopoInputs& inputs) override;

  /// Packets offered by the last drive(), by source.
  [[nodiscard]] const maze::BitPlane& offered() const { return offered_; }
  /// True when no packet is offered.
  [[nodiscard]] bool idle() const;
  [[nodiscard]] bool exhausted() const override { return pattern_->exhausted(); }
  /// Links that the pattern can use, by source.
  [[nodiscard]] const maze::BitPlane& links() const { return pattern_->links(); }
  /// Links on which the pattern started a packet since the last reset, by source.
  [[nodiscard]] const maze::BitPlane& reached() const { return reached_; }
  /// True when the pattern never started a packet.
  [[nodiscard]] bool silent() const { return ever_started_ == 0; }

 private:
  void start_packets(std::uint64_t cycle, maze::TopoInputs& inputs);

  std::shared_ptr<TrafficPattern> pattern_;
  std::shared_ptr<PayloadSource> payloads_;  ///< same object as pattern_ for a trace
  BackPressureGenerator back_pressure_;
  ReadyInReset ready_in_reset_;
  maze::BitPlane every_;
  maze::BitPlane offered_;
  maze::BitPlane reached_;
  std::uint64_t ever_started_ = 0;  ///< the words of all starts, or'ed
  maze::BitPlane free_;
  maze::BitPlane start_;
};

}  // namespace kernbench::sim
