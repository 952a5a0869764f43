// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "common/api.hpp"
#include "model/engine/cause.hpp"
#include "model/engine/simulation.hpp"
#include "model/trace/hop_trace.hpp"

namespace kernbench::model::trace {

/// Uses of time on the way from a cause to its effect.
enum class TimeUse : std::uint8_t {
  Overhead,     ///< a message passes or reaches the node
  WireWait,     ///< the wire carries other flits
  Wire,         ///< the flit occupies the wire
  Travel,       ///< the flit moves along the wire
  Fabric,       ///< the flit moves from port to port of a fabric
  ChannelWait,  ///< the memory's channel serves others
  Service,      ///< the memory serves the access
  EngineWait,   ///< the engine works for others
  Work,         ///< the engine works
};
inline constexpr std::size_t kTimeUses = 9;

/// A part of a step's time.
struct TimeShare {
  std::string_view what;    ///< label of the step
  std::string_view behind;  ///< label of what a wait waits for
  TimeUse use = TimeUse::Overhead;
  bool own = false;         ///< waits for earlier flits of the same transaction
  std::uint32_t place = 0;  ///< number of the edge of a wire, of the node of others
  common::SimTime time;
  common::SimTime at{};  ///< its start; of shares that are added up, the start of their window
};

/// Steps of a chain of causes, one after the other: messages until their last flit has arrived, or
/// work of parts.
///
/// A step takes over the steps before it that nothing else refers to, so that the memory of a chain
/// does not grow with its length. Of many steps it keeps one share for each window of time, kind
/// and place. Windows are 2^k ps long, and as long as it takes for at most kMostWindows of them.
class KERNBENCH_API PathStep final : public engine::CauseStep {
 public:
  /// Makes a step from what happens now to `end`. The simulation must record causes.
  PathStep(const engine::Simulation& simulation, common::SimTime at, const Label& label);

  /// Adds a share, unless it takes no time. `behind` is what a wait waits for.
  void add(TimeUse use, std::uint32_t place, common::SimTime time, const Label& behind = {}) {
    if (time == common::SimTime()) return;
    const bool own = behind.transaction != 0 && behind.transaction == label_.transaction;
    shares_.push_back({label_.what, behind.what, use, own, place, time});
  }
  /// Adds a wait for a channel or an engine that worked for `behind`; transaction 0: for this one.
  void add_wait(TimeUse use, std::uint32_t place, common::SimTime time, const Label& behind) {
    add(use, place, time, behind.transaction != 0 ? behind : label_);
  }
  /// Sets the starts of shares. To be called when the step is complete.
  void place_in_time();
  /// Sets the cause, in place of what happened when the step was made.
  void set_cause(engine::Cause before) { cause = std::move(before); }

  [[nodiscard]] const Label& label() const { return label_; }
  [[nodiscard]] common::SimTime begin() const {
    return cause != nullptr ? cause->end : common::SimTime();
  }
  /// Returns the number of steps, those taken over included.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  [[nodiscard]] const std::vector<TimeShare>& shares() const { return shares_; }
  /// Returns 2^k ps, the length of the windows of shares that have been added up; 0 if none have.
  [[nodiscard]] common::SimTime window() const { return window_; }

  static constexpr std::int64_t kMostWindows = 32;

 private:
  void take_over(common::SimTime not_before);
  void add_up();
  void cut_at_windows();

  Label label_;
  std::uint64_t steps_ = 1;
  std::vector<TimeShare> shares_;
  std::size_t most_shares_ = 64;  ///< with more, equal ones are added up
  std::size_t summed_ = 0;        ///< first shares, which are sorted and unlike each other
  bool placed_ = false;           ///< the shares have their starts
  common::SimTime window_;
};

}  // namespace kernbench::model::trace
