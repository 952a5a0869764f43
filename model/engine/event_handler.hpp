// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/event_argument.hpp"

namespace kernbench::model::engine {

/// Receives events scheduled with Simulation::schedule().
class EventHandler {
 public:
  EventHandler() = default;
  virtual ~EventHandler() = default;
  /// Called when an event is due, with the argument that was given to Simulation::schedule().
  virtual void on_event(EventArgument argument) = 0;

 private:
  friend class ProcessRecord;
  friend class Simulation;
  enum class Kind : bool { Process };
  explicit EventHandler(Kind /*kind*/) : is_process_(true) {}

  bool is_process_ = false;  ///< a ProcessRecord, resumed without the virtual call
};

}  // namespace kernbench::model::engine
