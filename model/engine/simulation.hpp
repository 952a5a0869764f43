#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "common/units.hpp"
#include "model/engine/event_handler.hpp"
#include "model/engine/event_queue.hpp"
#include "model/engine/process.hpp"
#include "model/engine/wait_list.hpp"

namespace kernbench::model::engine {

/// One discrete-event simulation. Events run in the order of (time, order of scheduling). It shares
/// nothing with other simulations; each may run in a thread of its own.
///
/// Processes that still wait when it is destroyed are destroyed first, the youngest first; nobody
/// is woken by that. What they refer to may have been destroyed before.
class Simulation {
 public:
  Simulation() = default;
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation();

  [[nodiscard]] common::SimTime now() const { return now_; }

  /// `handler` gets `argument` at `at`, after everything that was scheduled for `at` before. Throws
  /// std::logic_error when `at` is past. The handler has to live until then, or until the end of
  /// the simulation.
  void schedule(common::SimTime at, EventHandler& handler, EventArgument argument = {}) {
    push(at, handler, argument);
  }

  /// The process starts at now(), after everything that was scheduled for now() before.
  ProcessHandle spawn(std::string name, Process process) {
    return start(std::move(name), std::move(process), false);
  }
  /// As spawn(), for a process that serves others in an endless loop: that it waits when nothing
  /// else happens is its normal end and no deadlock.
  ProcessHandle spawn_service(std::string name, Process process) {
    return start(std::move(name), std::move(process), true);
  }

  /// `co_await sim.delay(t)` goes on at now() + t; with t = 0 after everything that was scheduled
  /// for now() before. Throws std::logic_error when `duration` is negative or longer than
  /// simulated time.
  class DelayWait;
  [[nodiscard]] DelayWait delay(common::SimTime duration);

  /// Runs until nothing is scheduled any more. Throws ProcessError when a process fails, and
  /// Deadlock when processes other than services still wait at the end. What a handler throws
  /// passes through.
  void run();

  /// As run(), but not beyond `limit`: says whether everything ended before. now() is then the time
  /// of the last thing that happened.
  bool run_within(common::SimTime limit);

  /// Runs everything that is due up to and including `end`, which is then now(). Says whether
  /// something is still scheduled. Processes may wait: the caller may yet do what they wait for.
  /// Throws std::logic_error when `end` is past, and ProcessError when a process fails.
  bool run_until(common::SimTime end);

  /// How many processes have not ended, services among them.
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
  /// Resumes a process that waits, at now(), after everything that was scheduled for now() before.
  void wake(ProcessRecord& record);
  void note_end(ProcessRecord& record) noexcept { ended_ = &record; }
  void cancel(ProcessRecord& record);
  void retire(ProcessRecord& record);
  void run_events(std::uint64_t limit);
  [[noreturn]] void report_deadlock() const;
  /// The process that runs now; a default handle outside of processes.
  [[nodiscard]] ProcessHandle current() const {
    return current_ == nullptr ? ProcessHandle() : ProcessHandle(*current_);
  }
  [[noreturn]] void fail(const std::string& process, const std::exception_ptr& error) const;
  [[noreturn]] void reject_delay(common::SimTime duration) const;
  [[noreturn]] void reject_past(common::SimTime at) const;

  EventQueue queue_;
  common::SimTime now_;
  ProcessRecord* current_ = nullptr;
  ProcessRecord* ended_ = nullptr;  // by the event that runs
  bool tearing_down_ = false;
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
