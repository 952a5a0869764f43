#pragma once

#include <cstdint>

namespace kernbench::model::engine {

/// What the simulation calls when a scheduled event is due. Models with very many events (a flit
/// on a wire) schedule these directly; everything else is a process.
class EventHandler {
 public:
  virtual ~EventHandler() = default;
  /// `argument` is what was given to Simulation::schedule().
  virtual void on_event(std::uint64_t argument) = 0;
};

}  // namespace kernbench::model::engine
