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
  Reset,  ///< nothing is offered, every receiver is ready
  Run,    ///< packets begin as the pattern says, receivers are ready as the back-pressure says
  Drain,  ///< what is offered stays offered, nothing begins, every receiver is ready
};

/// Plays all nodes around a TOPO: offers packets and keeps each, valid and payload, until it is
/// taken, and drives the receivers' ready. Everything follows from the specs and the seed; traffic,
/// payloads and back-pressure have random streams of their own.
class Driver {
 public:
  /// `links` is the map of the shape and must outlive the driver. Throws std::invalid_argument with
  /// what `problem` finds (traffic_rules.hpp), common::BadInput when a trace cannot be used.
  Driver(const maze::Shape& shape, const topology::MazeLinks& links, const TrafficSpec& traffic,
         const BackPressureSpec& back_pressure, std::uint64_t seed);

  /// Sets the inputs of one cycle. Called once a cycle with rising cycles, and with the same
  /// `inputs` every time: payloads of packets that are still offered are left where they are.
  /// `source_fired` are the offered packets that the fabric took in the cycle before.
  void drive(std::uint64_t cycle, Phase phase, const maze::BitPlane& source_fired,
             maze::TopoInputs& inputs);

  /// What the last drive() offers, by source.
  [[nodiscard]] const maze::BitPlane& offered() const { return offered_; }
  /// True when nothing is offered.
  [[nodiscard]] bool idle() const;
  /// True when the pattern will never begin another packet; the last ones may still be offered.
  [[nodiscard]] bool exhausted() const { return pattern_->exhausted(); }
  /// The links, by source, that the pattern can use.
  [[nodiscard]] const maze::BitPlane& links() const { return pattern_->links(); }

 private:
  void start_packets(std::uint64_t cycle, maze::TopoInputs& inputs);

  std::shared_ptr<TrafficPattern> pattern_;
  std::shared_ptr<PayloadSource> payloads_;  ///< for a trace the same object as pattern_
  BackPressureGenerator back_pressure_;
  maze::BitPlane every_;
  maze::BitPlane offered_;
  maze::BitPlane free_;
  maze::BitPlane start_;
};

}  // namespace kernbench::sim
