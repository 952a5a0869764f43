#pragma once

#include "model/components/parts/pe_engine.hpp"
#include "model/engine/event_handler.hpp"

namespace kernbench::model::components {

/// Moves tiles between TCM and registers (Architecture, "pe_fetch_store"): sends the TCM a request
/// and goes on when the bytes have passed the TCM's channel of that direction. It holds nothing
/// up itself; fetches and stores overlap, as the TCM's channels do.
class PeFetchStore : public PeEngine, public engine::EventHandler {
 public:
  using PeEngine::PeEngine;
  /// The TCM is done with a token's request.
  void on_event(engine::EventArgument argument) override;

 protected:
  void accept(TileToken& token) override;
};

}  // namespace kernbench::model::components
