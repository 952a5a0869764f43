#pragma once

#include <cstdint>

#include "model/components/parts/pe_engine.hpp"
#include "model/engine/event_handler.hpp"

namespace kernbench::model::components {

/// An engine that computes one tile at a time, first come first served, at so many units of work a
/// clock cycle. It keeps nothing from tile to tile.
class ComputeEngine : public PeEngine, public engine::EventHandler {
 public:
  using PeEngine::PeEngine;
  void on_event(engine::EventArgument argument) override;

 protected:
  /// `work` takes ceil(work / per_cycle) cycles of pe.clock_ghz, together rounded up to a
  /// picosecond.
  void compute(TileToken& token, std::string_view what, std::uint64_t work,
               std::uint32_t per_cycle);

 private:
  ServiceChannel unit_;
};

}  // namespace kernbench::model::components
