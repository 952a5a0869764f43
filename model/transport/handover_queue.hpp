// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/units.hpp"
#include "model/transport/flit.hpp"
#include "model/transport/ready_queue.hpp"
#include "model/transport/route_table.hpp"

namespace kernbench::model::transport {

/// Flits of opened flows that have been handed over to their first wire, each with the time at
/// which it will be ready. A flit takes the wire in an event at that time, unless its event may be
/// left out.
///
/// Deferral. An event is left out if nothing can observe when the flit takes the wire. The flit
/// then takes the wire, with the start time that it would have had, just before a later flit or
/// message does. This is exact:
/// - The wire leaves a memory. No route passes through a memory, so only hand-overs and messages
///   that begin there use the wire. Both first take the hand-overs that are ready, so the order on
///   the wire stays the order of readiness.
/// - The flit's route ends after the wire, so no other wire sees the flit.
/// - The flit is unreported, so no receiver sees it.
/// No flit is left behind: the last flit of a message is reported, so a flit with an event follows
/// each deferred one.
class HandoverQueue {
 public:
  /// `from_memory`: the wire leaves a memory. `routes` must outlive the queue.
  HandoverQueue(const RouteTable& routes, bool from_memory)
      : routes_(routes), from_memory_(from_memory) {}

  /// Returns whether the flit needs no event.
  [[nodiscard]] bool is_deferrable(const Flit& flit) const {
    return from_memory_ && flit.is_unreported && routes_.is_end(flit.hop + 1);
  }

  void push(common::SimTime ready, const Flit& flit) { flits_.push(ready, flit); }
  [[nodiscard]] bool has_ready(common::SimTime now) const {
    return !flits_.empty() && flits_.ready() <= now;
  }
  /// Returns when the first flit is ready. There must be one.
  [[nodiscard]] common::SimTime ready() const { return flits_.ready(); }
  Flit pop() { return flits_.pop(); }

  /// Returns when the next event is needed; SimTime::max() for never.
  [[nodiscard]] common::SimTime next_event() const {
    return flits_.ready_of_first([this](const Flit& flit) { return !is_deferrable(flit); });
  }
  /// Returns whether an event has to be scheduled at `time`, because none is scheduled by then.
  [[nodiscard]] bool plan_event(common::SimTime time) {
    if (time >= planned_) return false;
    planned_ = time;
    return true;
  }
  /// Returns whether the event at `now` is the planned one. If not, an earlier event was planned
  /// after it and has done its work.
  [[nodiscard]] bool begin_event(common::SimTime now) {
    if (planned_ != now) return false;
    planned_ = common::SimTime::max();
    return true;
  }

 private:
  const RouteTable& routes_;
  ReadyQueue<Flit> flits_;
  common::SimTime planned_ = common::SimTime::max();  ///< time of the next event
  bool from_memory_;
};

}  // namespace kernbench::model::transport
