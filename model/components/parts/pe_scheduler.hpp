#pragma once

#include <deque>
#include <vector>

#include "model/components/parts/pe_engine.hpp"

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

  std::deque<TileToken> tokens_;
  std::vector<TileToken*> free_tokens_;  ///< of no tile in flight
};

}  // namespace kernbench::model::components
