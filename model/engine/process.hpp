// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <coroutine>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/api.hpp"
#include "model/engine/cause.hpp"
#include "model/engine/event_handler.hpp"
#include "model/engine/event_queue.hpp"
#include "model/engine/wait_list.hpp"

namespace kernbench::model::engine {

class Fiber;
class ProcessRecord;
class Simulation;

// There are three ways to act in simulated time:
//
// - Coroutine (Process): the default, for everything that waits. Costs one heap frame; can suspend
//   only in its own body, not in a function that it calls, except by `co_await`ing that part.
// - Fiber (fiber.hpp): for user code that must look like plain functions and may wait at any call
//   depth, i.e. kernels and benches. Costs a stack (256 KB of address space) and a stack switch for
//   each wait. run_on_fiber() turns it into a process.
// - EventHandler (event_handler.hpp): for state machines with very many events and no local state
//   between them, i.e. flits on wires, fabrics and compute engines. An event costs a virtual call
//   and allocates nothing, but it does not appear in the wait-for list of a deadlock.

/// The return type of a coroutine that acts in simulated time:
///
///     Process copy(Simulation& sim, Channel<int>& from, Channel<int>& to) {
///       const int item = co_await from.get();
///       co_await sim.delay(SimTime::from_ps(20));
///       co_await to.put(item);
///     }
///
/// It starts with Simulation::spawn(), or as a part of another process with `co_await copy(...)`,
/// which rethrows its exceptions. Objects that its parameters refer to must outlive it, and so must
/// a lambda that captures.
class [[nodiscard]] Process {
 public:
  struct promise_type;
  using Frame = std::coroutine_handle<promise_type>;

  Process(Process&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  Process& operator=(Process&& other) noexcept {
    std::swap(frame_, other.frame_);
    return *this;
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() {
    if (frame_) frame_.destroy();
  }

  class PartWait;
  PartWait operator co_await() &&;

 private:
  friend class Simulation;
  explicit Process(Frame frame) : frame_(frame) {}
  Frame frame_;
};

/// The reason why a process is suspended.
class Wait {
 public:
  /// Returns the entry for the wait-for list, e.g. "event 'done'".
  [[nodiscard]] virtual std::string description() const = 0;
  /// Called when the process is cancelled: leaves all lists and frees what was granted already.
  virtual void abandon() = 0;

 protected:
  ~Wait() = default;
};

/// Entry of a Wait in the list of one occurrence.
struct WaitNode : ListNode {
  class OccurrenceWait* wait = nullptr;
  bool notified = false;
};

/// The simulation's record of a process. Reused for later processes, with a new generation.
class KERNBENCH_API ProcessRecord final : public EventHandler, public ListNode {
 public:
  explicit ProcessRecord(Simulation& owner) : EventHandler(Kind::Process), simulation(owner) {}
  void on_event(EventArgument argument) override;  // resumes the process

  Simulation& simulation;
  std::string name;
  Process::Frame frame;           // innermost frame: the part that runs
  EventRecord* wakeup = nullptr;  // scheduled resumption
  Fiber* fiber = nullptr;         // resumed instead of the frame until it ends
  Wait* wait = nullptr;           // null during a delay
  std::uint64_t generation = 0;
  Cause cause;  ///< cause of its resumption
  bool is_service = false;
  WaitList joiners;
  std::vector<WaitNode> nodes;  // buffer of ListWait, kept for the next one
};

struct Process::promise_type {
  struct FinalAwaiter {
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    [[nodiscard]] std::coroutine_handle<> await_suspend(Frame frame) const noexcept;
    void await_resume() const noexcept {}
  };

  Process get_return_object() { return Process(Frame::from_promise(*this)); }
  std::suspend_always initial_suspend() noexcept { return {}; }
  FinalAwaiter final_suspend() noexcept { return {}; }
  void return_void() noexcept {}
  void unhandled_exception() noexcept { error = std::current_exception(); }

  ProcessRecord* record = nullptr;
  Frame outer;  // frame that awaits this part
  std::exception_ptr error;
};

/// `co_await part(...)`
class Process::PartWait {
 public:
  explicit PartWait(Frame part) : part_(part) {}
  [[nodiscard]] bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(Frame outer) noexcept;
  void await_resume();

 private:
  Frame part_;
};

inline Process::PartWait Process::operator co_await() && {
  return PartWait(std::exchange(frame_, nullptr));
}

/// Reference to a process of a simulation, which must outlive the handle. A default handle refers
/// to a process that has ended.
class KERNBENCH_API ProcessHandle {
 public:
  ProcessHandle() = default;

  /// Returns true when the process has returned, failed or been cancelled.
  [[nodiscard]] bool ended() const {
    return record_ == nullptr || record_->generation != generation_;
  }
  /// Returns "" when the process has ended.
  [[nodiscard]] std::string_view name() const {
    return ended() ? std::string_view() : std::string_view(record_->name);
  }
  /// Ends the process where it is suspended. Destroys its local variables at once and resumes all
  /// that wait for its end. Does nothing when it has ended. Throws std::logic_error when the
  /// process is running.
  void cancel() const;

 private:
  friend class Occurrence;
  friend class Simulation;
  explicit ProcessHandle(ProcessRecord& record)
      : record_(&record), generation_(record.generation) {}
  ProcessRecord* record_ = nullptr;
  std::uint64_t generation_ = 0;
};

}  // namespace kernbench::model::engine
