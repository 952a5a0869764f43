// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "common/units.hpp"
#include "model/transport/flit_receiver.hpp"

namespace kernbench::model::transport {

/// The load of a wire or memory by messages that move as wholes, in place of a queue of flits.
///
/// A message books the time that its flits occupy the server. If they become ready over a while, as
/// those behind a slower wire do, a part of the booked time is still to come: pending. It falls
/// evenly to 0 until the last flit is ready. Others that come before use the time that is not
/// pending. So short messages pass long slow ones, as they would between flits, while the server
/// never does more work than time passes.
class WholeLoad {
 public:
  /// Serves a message whose flits occupy the server for `work` together. The first is served `flit`
  /// after it has started, and the last no earlier than `flit` after it is ready. Returns when the
  /// first and the last have been served.
  FlitTimes serve(const FlitTimes& ready, common::SimTime work, common::SimTime flit) {
    const common::SimTime pending = pending_at(ready.first);
    const common::SimTime start = std::max(ready.first, booked_ - pending);
    booked_ = std::max(booked_, ready.first) + work;
    from_ = std::max(from_, ready.first);
    pending_ = ready.last > ready.first ? pending + work : pending;
    until_ = std::max(until_, ready.last);
    const common::SimTime end =
        std::max({start + work, ready.last + flit, booked_ - pending_at(ready.last)});
    return {std::min(start + flit, end), end};
  }

 private:
  [[nodiscard]] common::SimTime pending_at(common::SimTime time) const {
    if (time >= until_) return {};
    if (time <= from_) return pending_;
    return common::SimTime::from_ps(pending_.ps() * (until_ - time).ps() / (until_ - from_).ps());
  }

  common::SimTime booked_;   ///< end of all booked time
  common::SimTime pending_;  ///< pending time at `from_`
  common::SimTime from_;
  common::SimTime until_;  ///< when no time is pending
};

}  // namespace kernbench::model::transport
