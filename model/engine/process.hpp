#pragma once

#include <coroutine>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/engine/event_handler.hpp"
#include "model/engine/event_queue.hpp"
#include "model/engine/wait_list.hpp"

namespace kernbench::model::engine {

class Fiber;
class ProcessRecord;
class Simulation;

/// The return type of a coroutine that acts in simulated time:
///
///     Process copy(Simulation& sim, Channel<int>& from, Channel<int>& to) {
///       const int item = co_await from.get();
///       co_await sim.delay(SimTime::from_ps(20));
///       co_await to.put(item);
///     }
///
/// It starts when it is given to Simulation::spawn(), or as a part of another process with
/// `co_await copy(...)`, which also passes its exceptions on. What its parameters refer to has to
/// live until it ends; a lambda that captures has to live that long, too.
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

/// What a suspended process waits for.
class Wait {
 public:
  /// For the wait-for list: "event 'done'".
  [[nodiscard]] virtual std::string description() const = 0;
  /// The process will not be resumed: leaves all lists, and gives back what was granted already.
  virtual void abandon() = 0;

 protected:
  ~Wait() = default;
};

/// One of several places at which a Wait is entered.
struct WaitNode : ListNode {
  class OccurrenceWait* wait = nullptr;
  bool notified = false;
};

/// A process as its simulation keeps it. Used again for a later process, with another generation.
class ProcessRecord final : public EventHandler, public ListNode {
 public:
  explicit ProcessRecord(Simulation& owner) : EventHandler(Kind::Process), simulation(owner) {}
  void on_event(EventArgument argument) override;  // resumes it

  Simulation& simulation;
  std::string name;
  Process::Frame frame;           // the innermost one, of the part that runs
  EventRecord* wakeup = nullptr;  // scheduled resumption
  Fiber* fiber = nullptr;         // goes on instead of the frame, until it ends
  Wait* wait = nullptr;           // none during a delay
  std::uint64_t generation = 0;
  bool is_service = false;
  WaitList joiners;
  std::vector<WaitNode> nodes;  // of a wait for a list of occurrences; kept for the next such wait
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
  Frame outer;  // the one that awaits this part
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

/// Refers to a process of a simulation, and must not be used after the simulation is gone. A
/// default handle refers to a process that has ended.
class ProcessHandle {
 public:
  ProcessHandle() = default;

  /// Whether it returned, failed or was cancelled.
  [[nodiscard]] bool ended() const {
    return record_ == nullptr || record_->generation != generation_;
  }
  /// "" when it has ended.
  [[nodiscard]] std::string_view name() const {
    return ended() ? std::string_view() : std::string_view(record_->name);
  }
  /// Ends it where it is suspended: its local variables are destroyed at once, and whoever waits
  /// for its end goes on. Does nothing when it has ended. Throws std::logic_error when it is the
  /// process that runs now.
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
