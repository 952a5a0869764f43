#include "model/engine/simulation.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace kernbench::model::engine {

using common::SimTime;

void Simulation::run() {
  run_events(static_cast<std::uint64_t>(SimTime::max().ps()));
}

bool Simulation::run_until(SimTime end) {
  if (end < now_) {
    throw std::logic_error(
        fmt::format("cannot run until {} ps: it is {} ps already", end.ps(), now_.ps()));
  }
  run_events(static_cast<std::uint64_t>(end.ps()));
  now_ = end;
  return queue_.size() != 0;
}

void Simulation::run_events(std::uint64_t limit) {
  DueEvent due;
  while (queue_.pop(limit, due)) {
    now_ = SimTime::from_ps(static_cast<std::int64_t>(due.time));
    due.handler->on_event(due.argument);
  }
}

void Simulation::reject_past(SimTime at) const {
  throw std::logic_error(
      fmt::format("cannot schedule an event at {} ps: it is {} ps already", at.ps(), now_.ps()));
}

}  // namespace kernbench::model::engine
