// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "model/engine/ring_queue.hpp"
#include "model/fabric/analytic/flow.hpp"

namespace kernbench::model::fabric {

/// The finite queue of one QoS at the end of a channel. Only its first leg sends. Packets that have
/// started to cross the channel count as in the queue until their leg has finished, so the queue
/// includes the link's stages: it has room for
///
///     entered - forwarded <= queue_packets + stage_packets * stages
///
/// packets (AnalyticParameters).
struct LinkQueue {
  /// A flow over the channel whose last packet waits for room.
  struct Waiter {
    FlowId flow = kNoId;
    std::uint64_t forwarded = 0;  ///< value of LinkQueue::forwarded that makes room
    Edge delay = 0;               ///< cycles until the flow's source sees the room
  };

  engine::RingQueue<LegId> legs;  ///< in order of arrival
  std::uint64_t entered = 0;      ///< packets of all flows that started to cross the channel
  std::uint64_t forwarded = 0;    ///< packets of all legs that finished here
  std::optional<Waiter> waiter;
};

}  // namespace kernbench::model::fabric
