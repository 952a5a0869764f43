#pragma once

#include <cstdint>
#include <vector>

#include "maze/topo_model.hpp"
#include "sim/cover/coverage_data.hpp"
#include "sim/harness/extension.hpp"
#include "sim/harness/plane_counter.hpp"

namespace kernbench::sim {

/// Collects functional coverage, on all links at once: bins are planes of sticky bits. Only payload
/// bits and types are looked at packet by packet, and only at ports that still miss some.
class FunctionalCoverage : public Extension {
 public:
  /// `reference`, if there is one, must be clocked with every cycle before this extension sees it
  /// (Lockstep, added to the harness earlier, does that) and must outlive it; without one, stage
  /// transitions, Filled, Drained and ResetWhileHolding are not collected. `at_least` as in
  /// CoverageData. Throws std::invalid_argument when `links` or `reference` is of another fabric.
  FunctionalCoverage(const maze::Shape& shape, const topology::MazeLinks& links,
                     BackPressure back_pressure, const maze::TopoModel* reference,
                     std::uint64_t at_least);

  void on_cycle(const CycleView& view) override;

  /// What was hit up to now.
  [[nodiscard]] const CoverageData& data();

 private:
  /// One IRS stage of all links that arrive at one port, as the reference shows it.
  struct Stage {
    const std::uint64_t* one_or_more;
    const std::uint64_t* two;
    const std::uint64_t* pushed;
    const std::uint64_t* popped;
  };
  /// What is still to be looked for among the links of one plane word.
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
  [[nodiscard]] std::uint64_t node_mask(unsigned word) const;

  maze::Shape shape_;
  BackPressure back_pressure_;
  CoverageData data_;
  PlaneCounter delivered_;
  unsigned qos_shift_;
  unsigned type_shift_;
  unsigned age_ = 0;  ///< cycles since what is complete was dropped

  bool in_reset_ = false;  ///< in the cycle before
  bool moved_ = false;     ///< a packet moved in the cycle before
  maze::BitPlane fired_before_;

  std::vector<Missing> missing_;          ///< [word of a plane]
  std::vector<std::uint64_t> started_;    ///< [word of a plane] has a packet in last_
  std::vector<maze::Payload> last_;       ///< [port*nodes + node] packet delivered last
  std::vector<std::uint8_t> types_seen_;  ///< [port*nodes + node] bit t: a packet of type t

  std::vector<std::vector<Stage>> stages_;    ///< [port][stage]; empty without a reference
  std::vector<std::uint8_t> stages_missing_;  ///< [port] a transition, Filled or Drained
  maze::BitPlane holding_;                    ///< a stage holds a packet after the last edge
  maze::BitPlane was_filled_;                 ///< since the last reset
};

}  // namespace kernbench::sim
