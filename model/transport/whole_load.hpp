// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/units.hpp"
#include "model/transport/flit_receiver.hpp"

namespace kernbench::model::transport {

/// The load of a wire or a channel of a memory by messages that move as wholes, in place of a queue
/// of flits. Called a wire here.
///
/// The first flit of a message books the time that all its flits occupy the wire. If they become
/// ready over a while, as those behind a slower wire do, a part of the booked time is still to
/// come: pending. It falls evenly until the last flit is expected. Messages that come before use
/// the time that is not pending. So short messages pass long slow ones, as they would between
/// flits, while the wire never does more work than time passes.
///
/// The last flit of a message waits for all that has been booked and is not pending when it is
/// ready: messages delay those that began before them. Such delays on the way make it later than
/// expected, so 1 / kLate of the booked time stays pending until it has come. Without that share
/// (reduce_scatter of 4 SIPs: 16 % too slow) wires would delay flits that have not come yet; with a
/// half of it (mlp: 4.5 % too fast) messages would not delay each other enough.
class WholeLoad {
 public:
  /// Books a message whose flits occupy the wire for `work` together, and are ready from
  /// `ready.first` to `ready.last`. Returns when the first and the last have left if no further
  /// message comes: the first `flit` after it has started, the last no earlier than `flit` after it
  /// is ready. If they are not all ready at once, finish() has to follow.
  FlitTimes serve(std::uint32_t message, const FlitTimes& ready, common::SimTime work,
                  common::SimTime flit) {
    const common::SimTime start = std::max(ready.first, booked_ - pending_at(ready.first));
    booked_ = std::max(booked_, ready.first) + work;
    const common::SimTime end =
        std::max({start + work, ready.last + flit, booked_ - pending_at(ready.last)});
    if (ready.last > ready.first) coming_.push_back({message, ready, work});
    return {std::min(start + flit, end), end};
  }
  /// Returns when the last flit of a booked message has left, which is ready at `ready`.
  common::SimTime finish(std::uint32_t message, common::SimTime ready, common::SimTime flit) {
    std::erase_if(coming_, [&](const Coming& coming) { return coming.message == message; });
    return std::max(ready + flit, booked_ - pending_at(ready));
  }

 private:
  static constexpr std::int64_t kLate = 5;

  /// The booked time of a message whose last flit has not come, and when flits are expected.
  struct Coming {
    std::uint32_t message = 0;
    FlitTimes expected;
    common::SimTime work;
  };

  [[nodiscard]] common::SimTime pending_at(common::SimTime time) const {
    std::int64_t pending_ps = 0;
    for (const auto& [message, expected, work] : coming_) {
      const std::int64_t late = work.ps() / kLate;
      const std::int64_t left = std::max<std::int64_t>(0, (expected.last - time).ps());
      const std::int64_t all = (expected.last - expected.first).ps();
      pending_ps += late + (work.ps() - late) * std::min(left, all) / all;
    }
    return common::SimTime::from_ps(pending_ps);
  }

  common::SimTime booked_;  ///< end of all booked time
  std::vector<Coming> coming_;
};

}  // namespace kernbench::model::transport
