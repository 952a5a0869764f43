#pragma once

#include "model/components/parts/pe_engine.hpp"
#include "model/engine/slot_pool.hpp"

namespace kernbench::model::components {

/// The sole dispatcher within a PE (Architecture, "pe_scheduler"). It sends the first tiles of a
/// command's plan to their engines, as many as may be in flight, and the next one whenever a tile
/// has come back. Tiles of several commands may be in flight.
class PeScheduler : public PePart {
 public:
  using PePart::PePart;
  void on_message(Message message) override;

 private:
  void start(PeCommand& command);
  void dispatch_next(PeCommand& command);
  void finish(TileToken& token);

  engine::SlotPool<TileToken> tokens_;  ///< tiles in flight
};

}  // namespace kernbench::model::components
