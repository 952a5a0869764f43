// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "common/units.hpp"
#include "model/engine/ring_queue.hpp"
#include "model/transport/flit.hpp"
#include "model/transport/flit_receiver.hpp"
#include "model/transport/handover_queue.hpp"
#include "model/transport/whole_load.hpp"
#include "model/transport/wire_table.hpp"
#include "model/transport/wire_time.hpp"

namespace kernbench::model::transport {

/// Use of a wire so far.
struct WireUse {
  std::uint64_t flits = 0;
  std::uint64_t bytes = 0;
  common::SimTime busy;          ///< time occupied
  common::SimTime longest_wait;  ///< longest time that a flit was ready before it started
};

/// A wire of the topology and the flits on it. It carries one flit at a time, in the order of the
/// calls. For a flit that is ready at a given time:
///   start = max(ready, free); free = start + occupancy; arrival = free + travel time
class alignas(64) Wire {
 public:
  /// A flit that arrives at the end of the wire.
  struct Arrival {
    Flit flit;
    common::SimTime time;
  };

  Wire(const WireTable& table, topology::EdgeId edge);

  /// Returns the overhead of the node at the beginning of the wire.
  [[nodiscard]] common::SimTime overhead() const { return overhead_; }
  [[nodiscard]] common::SimTime travel() const { return travel_; }
  /// Returns how much later than a flit's arrival an event may report it (WireTable).
  [[nodiscard]] common::SimTime notice_delay() const { return notice_delay_; }
  [[nodiscard]] common::SimTime occupancy_of(std::uint32_t bytes) const {
    return bytes == flit_bytes_ ? full_flit_ : occupancy(bytes, bw_gbs_);
  }

  /// Carries a full flit that is ready at `ready`; returns when it starts.
  common::SimTime carry_full(common::SimTime ready) { return carry(ready, full_flit_); }
  /// Carries a flit of fewer bytes.
  common::SimTime carry_short(common::SimTime ready, std::uint32_t bytes) {
    return carry(ready, count_short(bytes));
  }
  /// Carries `count` more flits of the message whose first flit was carried last, all ready at the
  /// same time as that: full ones and, at the end, one of `last_bytes`. Not part of longest_wait.
  void carry_rest(std::uint64_t count, std::uint32_t last_bytes);

  /// Carries `message`, of `count` flits, as a whole; the last has `last_bytes`. Returns when its
  /// flits arrive if no further messages come before the last one is ready.
  FlitTimes carry_whole(std::uint32_t message, const FlitTimes& ready, std::uint64_t count,
                        std::uint32_t last_bytes);
  /// Returns when the last flit of a message of carry_whole() arrives, which is ready at `ready`,
  /// behind all that has been carried by now. Is to be called if its flits were not ready at once.
  common::SimTime finish_whole(std::uint32_t message, common::SimTime ready) {
    return whole_load_.finish(message, ready, full_flit_) + travel_;
  }

  /// Returns when the flit that was carried last has left the node at the beginning.
  [[nodiscard]] common::SimTime free() const { return free_; }
  /// Returns when the flit that was carried last arrives.
  [[nodiscard]] common::SimTime last_arrival() const { return free_ + travel_; }

  /// The flits that arrive from now on, in order. Each arrives no earlier than the one before, so
  /// only the first one needs an event.
  [[nodiscard]] engine::RingQueue<Arrival>& arrivals() { return arrivals_; }

  /// The hand-overs to this wire; null until open_handovers().
  [[nodiscard]] HandoverQueue* handovers() { return handovers_.get(); }
  void open_handovers(const RouteTable& routes, bool from_memory) {
    if (handovers_ == nullptr) handovers_ = std::make_unique<HandoverQueue>(routes, from_memory);
  }

  [[nodiscard]] WireUse use() const;
  void forget_waits() { longest_wait_ = {}; }

 private:
  common::SimTime carry(common::SimTime ready, common::SimTime occupancy);
  /// Counts a flit of fewer bytes; returns its occupancy.
  common::SimTime count_short(std::uint32_t bytes);

  // Hops are memory-bound: one cache line holds the fields that every hop needs.
  engine::RingQueue<Arrival> arrivals_;
  common::SimTime free_;
  common::SimTime travel_;
  common::SimTime overhead_;
  common::SimTime full_flit_;  ///< occupancy of a full flit
  std::uint64_t flits_ = 0;    ///< flits carried, the short ones included

  common::SimTime longest_wait_;
  common::SimTime notice_delay_;
  std::uint64_t short_flits_ = 0;
  std::uint64_t short_bytes_ = 0;
  common::SimTime short_busy_;
  std::unique_ptr<HandoverQueue> handovers_;
  WholeLoad whole_load_;
  double bw_gbs_;
  std::uint32_t flit_bytes_;
};

inline common::SimTime Wire::carry(common::SimTime ready, common::SimTime occupancy) {
  common::SimTime start = ready;
  if (free_ > ready) {
    start = free_;
    longest_wait_ = std::max(longest_wait_, start - ready);
  }
  free_ = start + occupancy;
  ++flits_;
  return start;
}

}  // namespace kernbench::model::transport
