#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/engine/event_handler.hpp"
#include "model/engine/ring_queue.hpp"
#include "model/fabric/clocked/link_array.hpp"
#include "model/fabric/clocked/maze_nodes.hpp"
#include "model/fabric/seam/fabric.hpp"

namespace kernbench::model::fabric {

/// A MAZE that is moved cycle by cycle: the node model above, links of any kind below. It has an
/// event at every clock edge as long as a transfer is under way, and none otherwise.
class ClockedFabric final : public Fabric, private engine::EventHandler {
 public:
  /// `simulation` must outlive it. `tick_until`: every edge up to this one is stepped, whether or
  /// not there is anything to do, which changes nothing but the time that it takes. Throws
  /// std::invalid_argument as Fabric does.
  ClockedFabric(engine::Simulation& simulation, common::SimTime period,
                std::unique_ptr<LinkArray> links, const MazeNodeSettings& nodes,
                Edge tick_until = 0);

  /// Steps on for as long as a packet could still come out of a link. To be called when all
  /// transfers are done, at the end: a packet too many, which nobody waits for, is seen only then.
  /// Throws FabricFailure for one.
  void drain();

  [[nodiscard]] const MazeNodes& nodes() const { return nodes_; }
  [[nodiscard]] LinkArray& links() { return *links_; }
  /// Cycles that were stepped.
  [[nodiscard]] std::uint64_t cycles() const { return cycles_; }

 private:
  struct Submitted {
    Slot slot = kNoSlot;
    Edge seen = 0;
    common::SimTime at;
  };
  void carry(const Transfer& transfer) override;
  void on_event(engine::EventArgument argument) override;
  void step(Edge edge);
  void schedule(Edge edge);

  std::unique_ptr<LinkArray> links_;
  PacketObserver* observer_;
  MazeNodes nodes_;
  maze::TopoOutputs outputs_;
  engine::RingQueue<Submitted> submitted_;  ///< that no edge has seen yet
  std::vector<std::uint64_t> done_;
  Edge tick_until_;
  Edge last_ = 0;  ///< edge that was stepped
  bool ticking_ = false;
  std::uint64_t cycles_ = 0;
};

}  // namespace kernbench::model::fabric
