#pragma once

#include <cstdint>

#include "common/units.hpp"
#include "model/engine/event_handler.hpp"
#include "model/engine/event_queue.hpp"

namespace kernbench::model::engine {

/// One discrete-event simulation. Events run in the order of (time, order of scheduling). It shares
/// nothing with other simulations; each may run in a thread of its own.
class Simulation {
 public:
  Simulation() = default;
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  [[nodiscard]] common::SimTime now() const { return now_; }

  /// `handler` gets `argument` at `at`, after everything that was scheduled for `at` before. Throws
  /// std::logic_error when `at` is past. The handler has to live until then, or until the end of
  /// the simulation.
  void schedule(common::SimTime at, EventHandler& handler, std::uint64_t argument = 0) {
    if (at < now_) reject_past(at);
    queue_.push(static_cast<std::uint64_t>(at.ps()), handler, argument);
  }

  /// Runs until nothing is scheduled any more. What a handler throws passes through.
  void run();

  /// Runs everything that is due up to and including `end`, which is then now(). Says whether
  /// something is still scheduled. Throws std::logic_error when `end` is past.
  bool run_until(common::SimTime end);

 private:
  void run_events(std::uint64_t limit);
  [[noreturn]] void reject_past(common::SimTime at) const;

  EventQueue queue_;
  common::SimTime now_;
};

}  // namespace kernbench::model::engine
