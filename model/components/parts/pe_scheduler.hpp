// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/api.hpp"
#include "model/components/parts/pe_engine.hpp"
#include "model/engine/slot_pool.hpp"

namespace kernbench::model::components {

/// The sole dispatcher of a PE (Architecture, "pe_scheduler"). It dispatches as many tiles of a
/// command as may be in flight, and another one whenever a tile returns. Tiles of several commands
/// may be in flight.
class KERNBENCH_API PeScheduler : public PePart {
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
