// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/engine/event_handler.hpp"
#include "model/engine/ring_queue.hpp"
#include "model/fabric/clocked/link_load.hpp"
#include "model/fabric/clocked/stepped_network.hpp"
#include "model/fabric/seam/fabric.hpp"

namespace kernbench::model::fabric {

/// The fabric of a network that is simulated cycle by cycle. While transfers are in flight there is
/// an event at every clock edge; otherwise there is none.
class ClockedFabric final : public Fabric, private engine::EventHandler {
 public:
  /// `simulation` must outlive the fabric. Edges up to `tick_until` are stepped even when idle,
  /// which affects host time only. Throws std::invalid_argument as Fabric does.
  ClockedFabric(engine::Simulation& simulation, common::SimTime period,
                std::unique_ptr<SteppedNetwork> network, Edge tick_until = 0);

  /// Steps until every link must be empty, and ends the network. Call it at the end, when all
  /// transfers are complete: only then does a surplus packet show up. Throws FabricFailure for a
  /// surplus packet, and as SteppedNetwork::finish() does.
  void drain();

  [[nodiscard]] const SteppedNetwork& network() const { return *network_; }
  /// Returns the packets of each link over time.
  [[nodiscard]] LinkWindows link_windows() const { return load_.windows(*network_); }
  /// Returns true when the last step threw a FabricFailure.
  [[nodiscard]] bool failed() const { return stepping_; }
  /// Returns the number of stepped cycles.
  [[nodiscard]] std::uint64_t cycles() const { return cycles_; }

 private:
  struct Submitted {
    Slot slot = kNoSlot;
    Edge seen = 0;
    common::SimTime at;
  };
  void carry(const Transfer& transfer) override;
  void on_event(engine::EventArgument argument) override;
  const std::vector<std::uint64_t>& step(Edge edge);
  void schedule(Edge edge);

  std::unique_ptr<SteppedNetwork> network_;
  LinkLoad load_;
  engine::RingQueue<Submitted> submitted_;  ///< transfers not yet seen by an edge
  Edge tick_until_;
  Edge last_ = 0;  ///< last stepped edge
  bool ticking_ = false;
  bool stepping_ = false;
  std::uint64_t cycles_ = 0;
};

}  // namespace kernbench::model::fabric
