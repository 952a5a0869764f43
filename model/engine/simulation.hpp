// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "common/api.hpp"
#include "common/units.hpp"
#include "model/engine/cause.hpp"
#include "model/engine/event_handler.hpp"
#include "model/engine/event_queue.hpp"
#include "model/engine/process.hpp"
#include "model/engine/wait_list.hpp"

namespace kernbench::model::engine {

/// A discrete-event simulation. Events run in the order of (time, order of scheduling). Simulations
/// share nothing, so each may run in a thread of its own.
///
/// The destructor destroys the processes that still wait, youngest first, and resumes none. Objects
/// that they refer to may have been destroyed before.
///
/// A simulation is about 200 KB large (EventQueue), which nearly fills the stack of a fiber.
class KERNBENCH_API Simulation {
 public:
  Simulation() = default;
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation();

  [[nodiscard]] common::SimTime now() const { return now_; }
  /// Returns the time of the last event. May be called by other threads.
  [[nodiscard]] common::SimTime last_event() const {
    return common::SimTime::from_ps(last_event_ps_.load(std::memory_order_relaxed));
  }

  /// Calls handler.on_event(argument) at `at`, after all events scheduled for `at` earlier. Throws
  /// std::logic_error when `at` is in the past. The handler must live until then or until the end
  /// of the simulation.
  void schedule(common::SimTime at, EventHandler& handler, EventArgument argument = {}) {
    push(at, handler, argument);
  }

  /// Starts a process at now(), after all events scheduled for now() earlier.
  ProcessHandle spawn(std::string name, Process process) {
    return start(std::move(name), std::move(process), false);
  }
  /// Starts a process that serves others in an endless loop. Its waiting at the end of the run is
  /// not a deadlock.
  ProcessHandle spawn_service(std::string name, Process process) {
    return start(std::move(name), std::move(process), true);
  }

  /// `co_await sim.delay(t)` resumes at now() + t, after all events scheduled for that time
  /// earlier. Throws std::logic_error when `duration` is negative or exceeds the range of simulated
  /// time.
  class DelayWait;
  [[nodiscard]] DelayWait delay(common::SimTime duration);

  /// Runs until no event is scheduled. Throws ProcessError when a process fails, and Deadlock when
  /// processes other than services still wait at the end. Exceptions of handlers pass through.
  void run();

  /// Runs like run(), but not beyond `limit`. Returns true when no event is left. Leaves now() at
  /// the time of the last event that ran.
  bool run_within(common::SimTime limit);

  /// Runs all events up to and including `end`, which becomes now(). Returns true when events are
  /// still scheduled. Waiting processes are not a deadlock: the caller may still resume them.
  /// Throws std::logic_error when `end` is in the past, and ProcessError when a process fails.
  bool run_until(common::SimTime end);

  /// Records causes from now on. A process that is woken has the cause of what woke it; handlers of
  /// events set the cause of theirs.
  void record_causes() { records_causes_ = true; }
  [[nodiscard]] bool records_causes() const { return records_causes_; }
  /// Returns what made the current event happen; null if causes are not recorded.
  [[nodiscard]] const Cause& cause() const { return cause_; }
  /// Keeps steps that began before now apart from later ones, so that a path can start here.
  void keep_causes_apart() { causes_apart_before_ = now_; }
  [[nodiscard]] common::SimTime causes_apart_before() const { return causes_apart_before_; }
  /// Does nothing if causes are not recorded.
  void set_cause(Cause&& cause) {
    if (records_causes_) cause_ = std::move(cause);
  }

  /// Returns the number of processes that have not ended, including services.
  [[nodiscard]] std::size_t processes() const { return processes_; }

 private:
  friend class ProcessHandle;
  friend class ProcessRecord;
  friend class OccurrenceWait;
  friend class Resource;
  friend struct Process::promise_type::FinalAwaiter;
  template <typename T>
  friend class Channel;

  EventRecord& push(common::SimTime at, EventHandler& handler, EventArgument argument) {
    if (at < now_) reject_past(at);
    return queue_.push(static_cast<std::uint64_t>(at.ps()), handler, argument);
  }
  ProcessHandle start(std::string name, Process process, bool is_service);
  void resume(ProcessRecord& record);
  /// Schedules a waiting process for now(), after all events scheduled for now() earlier.
  void wake(ProcessRecord& record);
  void note_end(ProcessRecord& record) noexcept { ended_ = &record; }
  void cancel(ProcessRecord& record);
  void retire(ProcessRecord& record);
  void run_events(std::uint64_t limit);
  [[noreturn]] void report_deadlock() const;
  /// Returns the running process, or a default handle outside of processes.
  [[nodiscard]] ProcessHandle current() const {
    return current_ == nullptr ? ProcessHandle() : ProcessHandle(*current_);
  }
  [[noreturn]] void fail(const std::string& process, const std::exception_ptr& error) const;
  [[noreturn]] void reject_delay(common::SimTime duration) const;
  [[noreturn]] void reject_past(common::SimTime at) const;

  EventQueue queue_;
  common::SimTime now_;
  std::atomic<std::int64_t> last_event_ps_{0};
  ProcessRecord* current_ = nullptr;
  ProcessRecord* ended_ = nullptr;  // process that ended in the running event
  bool tearing_down_ = false;
  bool records_causes_ = false;
  Cause cause_;
  common::SimTime causes_apart_before_;
  std::size_t processes_ = 0;
  std::size_t services_ = 0;
  std::deque<ProcessRecord> records_;
  std::vector<ProcessRecord*> free_records_;
  WaitList living_;  // in order of spawning
};

class Simulation::DelayWait {
 public:
  DelayWait(Simulation& simulation, common::SimTime until)
      : simulation_(simulation), until_(until) {}
  [[nodiscard]] bool await_ready() const noexcept { return false; }
  void await_suspend(Process::Frame frame) const {
    ProcessRecord& record = *frame.promise().record;
    record.wakeup = &simulation_.push(until_, record, 0);
    if (simulation_.records_causes_) record.cause = simulation_.cause_;
  }
  void await_resume() const noexcept {}

 private:
  Simulation& simulation_;
  common::SimTime until_;
};

inline Simulation::DelayWait Simulation::delay(common::SimTime duration) {
  if (duration < common::SimTime() || duration > common::SimTime::max() - now_) {
    reject_delay(duration);
  }
  return {*this, now_ + duration};
}

}  // namespace kernbench::model::engine
