// SPDX-License-Identifier: Apache-2.0
#include "model/engine/simulation.hpp"

#include <fmt/format.h>

#include <exception>
#include <stdexcept>
#include <utility>

#include "model/engine/errors.hpp"
#include "model/engine/fiber.hpp"
#include "model/engine/occurrence.hpp"

namespace kernbench::model::engine {

using common::SimTime;

namespace {

// Destroys a part before the process that awaits it, as a local variable would be.
void destroy_frames(Process::Frame frame) {
  while (frame) {
    const Process::Frame outer = frame.promise().outer;
    frame.destroy();
    frame = outer;
  }
}

}  // namespace

[[gnu::always_inline]] inline void Simulation::resume(ProcessRecord& record) {
  record.wakeup = nullptr;
  record.wait = nullptr;
  if (records_causes_) cause_ = std::move(record.cause);
  current_ = &record;
  if (record.fiber == nullptr || !record.fiber->resume_in(record)) record.frame.resume();
  current_ = nullptr;
  if (ended_ != nullptr) [[unlikely]] {
    ended_ = nullptr;
    const std::exception_ptr error = record.frame.promise().error;
    const std::string name = error ? record.name : std::string();
    retire(record);
    if (error) fail(name, error);
  }
}

void ProcessRecord::on_event(EventArgument /*argument*/) {
  simulation.resume(*this);
}

Simulation::~Simulation() {
  tearing_down_ = true;
  while (!living_.empty()) {
    ProcessRecord& record = static_cast<ProcessRecord&>(living_.back());
    if (record.wait != nullptr) record.wait->abandon();
    retire(record);
  }
}

void Simulation::reject_delay(SimTime duration) const {
  throw std::logic_error(fmt::format("cannot delay by {} ps at {} ps", duration.ps(), now_.ps()));
}

void Simulation::run() {
  run_events(static_cast<std::uint64_t>(SimTime::max().ps()));
  if (processes_ != services_) report_deadlock();
}

bool Simulation::run_within(SimTime limit) {
  run_events(static_cast<std::uint64_t>(limit.ps()));
  if (queue_.size() != 0) return false;
  if (processes_ != services_) report_deadlock();
  return true;
}

bool Simulation::run_until(SimTime end) {
  if (end < now_) {
    throw std::logic_error(
        fmt::format("cannot run until {} ps: now is {} ps", end.ps(), now_.ps()));
  }
  run_events(static_cast<std::uint64_t>(end.ps()));
  now_ = end;
  return queue_.size() != 0;
}

void Simulation::run_events(std::uint64_t limit) {
  DueEvent due;
  while (queue_.pop(limit, due)) {
    now_ = SimTime::from_ps(static_cast<std::int64_t>(due.time));
    last_event_ps_.store(now_.ps(), std::memory_order_relaxed);
    // Inlined, as few functions may be on the stack when a fiber is switched (fiber.hpp).
    if (due.handler->is_process_) {
      resume(static_cast<ProcessRecord&>(*due.handler));
    } else {
      due.handler->on_event(due.argument);
    }
  }
}

ProcessHandle Simulation::start(std::string name, Process process, bool is_service) {
  if (!process.frame_) {
    throw std::logic_error(fmt::format("process '{}' was moved from before it started", name));
  }
  if (free_records_.empty()) free_records_.push_back(&records_.emplace_back(*this));
  ProcessRecord& record = *free_records_.back();
  free_records_.pop_back();
  record.name = std::move(name);
  record.frame = std::exchange(process.frame_, nullptr);
  record.frame.promise().record = &record;
  record.is_service = is_service;
  record.fiber = nullptr;
  record.wait = nullptr;
  if (records_causes_) record.cause = cause_;
  record.wakeup = &queue_.push(static_cast<std::uint64_t>(now_.ps()), record, 0);
  living_.push_back(record);
  ++processes_;
  if (is_service) ++services_;
  return ProcessHandle(record);
}

void Simulation::wake(ProcessRecord& record) {
  if (tearing_down_) return;
  if (records_causes_) record.cause = cause_;
  record.wakeup = &queue_.push(static_cast<std::uint64_t>(now_.ps()), record, 0);
}

void Simulation::cancel(ProcessRecord& record) {
  if (&record == current_) {
    throw std::logic_error(fmt::format("process '{}' cannot cancel itself", record.name));
  }
  if (record.wakeup != nullptr) queue_.cancel(*std::exchange(record.wakeup, nullptr));
  if (record.wait != nullptr) record.wait->abandon();
  retire(record);
}

void Simulation::retire(ProcessRecord& record) {
  record.unlink();
  --processes_;
  if (record.is_service) --services_;
  ++record.generation;
  destroy_frames(std::exchange(record.frame, nullptr));
  notify_all(record.joiners);
  record.name.clear();
  free_records_.push_back(&record);
}

void Simulation::fail(const std::string& name, const std::exception_ptr& error) const {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& reason) {
    std::throw_with_nested(ProcessError(name, now_, reason.what()));
  } catch (...) {
    std::throw_with_nested(ProcessError(name, now_, "an exception that is not a std::exception"));
  }
}

void Simulation::report_deadlock() const {
  std::vector<WaitingProcess> waiting;
  for (const bool services : {false, true}) {
    living_.for_each([&](const ListNode& node) {
      const auto& record = static_cast<const ProcessRecord&>(node);
      if (record.is_service != services) return;
      waiting.push_back({record.name, record.wait->description(), services});
    });
  }
  throw Deadlock(now_, std::move(waiting));
}

void Simulation::reject_past(SimTime at) const {
  throw std::logic_error(
      fmt::format("cannot schedule an event at {} ps: now is {} ps", at.ps(), now_.ps()));
}

}  // namespace kernbench::model::engine
