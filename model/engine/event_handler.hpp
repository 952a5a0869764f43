#pragma once

#include <cstdint>

namespace kernbench::model::engine {

/// What the simulation calls when a scheduled event is due. Models with very many events (a flit
/// on a wire) schedule these directly; everything else is a process.
class EventHandler {
 public:
  EventHandler() = default;
  virtual ~EventHandler() = default;
  /// `argument` is what was given to Simulation::schedule().
  virtual void on_event(std::uint64_t argument) = 0;

 private:
  friend class ProcessRecord;
  friend class Simulation;
  enum class Kind : bool { Process };
  explicit EventHandler(Kind /*kind*/) : is_process_(true) {}

  bool is_process_ = false;  ///< a ProcessRecord, which the simulation resumes without a call
};

}  // namespace kernbench::model::engine
