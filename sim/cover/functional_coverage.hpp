// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "maze/topo_model.hpp"
#include "sim/cover/coverage_data.hpp"
#include "sim/harness/extension.hpp"
#include "sim/harness/plane_counter.hpp"

namespace kernbench::sim {

/// Collects functional coverage for all links at once: bins are planes of sticky bits. Only payload
/// bits and types are examined packet by packet, and only where some are still missing.
class FunctionalCoverage : public Extension {
 public:
  /// `reference` must outlive this extension and must be clocked in every cycle before this
  /// extension observes it, as a Lockstep attached earlier does. With a null reference, stage
  /// transitions, Filled, Drained and ResetWhileHolding are not collected. `at_least` as in
  /// CoverageData. Throws std::invalid_argument when `links` or `reference` describes another
  /// fabric.
  FunctionalCoverage(const maze::Shape& shape, const topology::MazeLinks& links,
                     BackPressure back_pressure, const maze::TopoModel* reference,
                     std::uint64_t at_least);

  void on_cycle(const CycleView& view) override;

  /// Returns the bins hit so far.
  [[nodiscard]] const CoverageData& data();

 private:
  /// Planes of the reference for one IRS stage of all links that arrive at one port.
  struct Stage {
    const std::uint64_t* one_or_more;
    const std::uint64_t* two;
    const std::uint64_t* pushed;
    const std::uint64_t* popped;
  };
  /// Groups of bins that some link of a plane word still misses.
  struct Missing {
    bool payload = true;  ///< a payload bit or a type
    bool types = true;
  };

  void reset_cycle();
  void observe_links(const CycleView& view);
  void observe_packets(const CycleView& view);
  void observe_word(std::uint64_t fired, std::size_t word, std::size_t first_slot,
                    const maze::Payload* packets);
  void observe_stages(unsigned port);
  void observe_holding(unsigned port);
  void drop_complete_words();
  void drop_complete_stages();

  maze::Shape shape_;
  BackPressure back_pressure_;
  CoverageData data_;
  PlaneCounter delivered_;
  unsigned qos_shift_;
  unsigned type_shift_;
  unsigned age_ = 0;  ///< cycles since the last drop_complete_*()

  bool in_reset_ = false;  ///< in the previous cycle
  bool moved_ = false;     ///< a packet moved in the previous cycle
  maze::BitPlane fired_before_;

  std::vector<Missing> missing_;          ///< [word of a plane]
  std::vector<std::uint64_t> started_;    ///< [word of a plane] links with a packet in last_
  std::vector<maze::Payload> last_;       ///< [port*nodes + node] packet delivered last
  std::vector<std::uint8_t> types_seen_;  ///< [port*nodes + node] bit t: a packet of type t

  std::vector<std::vector<Stage>> stages_;    ///< [port][stage]; empty without a reference
  std::vector<std::uint8_t> stages_missing_;  ///< [port] a transition, Filled or Drained is missing
  maze::BitPlane holding_;                    ///< a stage holds a packet after the last edge
  maze::BitPlane was_filled_;                 ///< links that were filled since the last reset
};

}  // namespace kernbench::sim
