// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <stdexcept>
#include <utility>

#include "common/api.hpp"
#include "common/crash_handler.hpp"
#include "model/engine/event.hpp"
#include "model/engine/fiber_sanitizer.hpp"
#include "model/engine/occurrence.hpp"
#include "model/engine/process.hpp"

namespace kernbench::model::engine {

/// Default address space of a fiber's stack. Memory is taken as it is touched. A stack that
/// overflows runs into a guard page.
inline constexpr std::size_t kFiberStackBytes = std::size_t{256} << 10U;

/// The work of a fiber, for the report of a crash.
class FiberWork {
 public:
  /// Adds for example "kernel 'k' on sip0.cube0.pe0 crashed after tl.load at k.cpp:3". Called in a
  /// signal handler. Returns false when the work is over.
  virtual bool describe_crash(common::FixedText& text) const = 0;

 protected:
  ~FiberWork() = default;
};

/// Plain code on a stack of its own. The body can wait for events at any call depth, also inside an
/// exception handler. run_on_fiber() makes a process of it. process.hpp tells when to use one.
///
/// Destroying a suspended fiber makes wait() throw an object that is not a std::exception, which
/// unwinds the stack. If the body swallows it and waits again, wait() throws again.
///
/// A fiber must be resumed and destroyed in the thread that resumed it first.
class KERNBENCH_API Fiber {
 public:
  using Body = std::function<void(Fiber&)>;

  explicit Fiber(Body body, std::size_t stack_bytes = kFiberStackBytes);
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber();

  /// Suspends the body until the event is triggered. To be called by the body.
  [[gnu::always_inline]] void wait(Event& event) {
    if (!event.triggered()) suspend(event);
  }

  /// Returns the fiber that runs in this thread, or null. Callable in a signal handler.
  [[nodiscard]] static const Fiber* running() { return running_; }
  /// Sets the work that a crash of this fiber is reported for; it must outlive the fiber.
  void set_work(const FiberWork* work) { work_ = work; }
  [[nodiscard]] const FiberWork* work() const { return work_; }
  /// Returns true if `address` is in the guard page of the stack.
  [[nodiscard]] bool is_in_guard_page(const void* address) const;
  /// Returns the size of the stack without its guard page.
  [[nodiscard]] std::size_t stack_bytes() const { return stack_.bytes - stack_.guard_bytes; }

  /// Returns true while the stack is unwound because the fiber is destroyed.
  [[nodiscard]] bool abandoned() const { return abandoned_; }

  /// Runs the body until it waits. Returns the event that it waits for, or null when the body has
  /// ended. Rethrows what the body throws. Throws std::logic_error when the body ended before.
  [[nodiscard]] Event* resume();

  /// Runs the body until it waits, and makes the process wait for the same event. Returns false
  /// when the body has ended.
  [[gnu::always_inline]] bool resume_in(ProcessRecord& process) {
    Event* const event = run_until_wait();
    if (event != nullptr) wait_.enter(process, *event);
    return event != nullptr;
  }

 private:
  friend class FiberPart;
  /// Memory of a stack, with a guard page below it.
  struct Stack {
    explicit Stack(std::size_t least_bytes);
    Stack(const Stack&) = delete;
    Stack& operator=(const Stack&) = delete;
    ~Stack();
    void* top = nullptr;
    std::size_t bytes = 0;        ///< with the guard page
    std::size_t guard_bytes = 0;  ///< size of the guard page, at the lowest addresses
  };
  /// A suspended stack.
  using Context = void*;
  struct Switched {
    Context from;  ///< the stack that switched to this one
    void* data;    ///< passed by that switch
  };
  /// Exceptions in flight. The C++ runtime has one such record for each thread, but each stack
  /// needs its own (Itanium C++ ABI, section 2.2.2).
  struct ExceptionState {
    void* caught = nullptr;
    unsigned uncaught = 0;
  };

  // The only uses of boost::context and of the C++ runtime's internals (fiber.cpp).
  struct Entry;
  static Switched switch_stack(Context to, void* data);
  static ExceptionState& exceptions_of_thread();

  [[noreturn]] void enter(Context from);
  void run() noexcept;
  /// Binds the fiber to the running thread when it is resumed for the first time.
  void bind_to_thread() {
    if (exceptions_ == nullptr) exceptions_ = &exceptions_of_thread();
  }
  void rethrow() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }
  [[gnu::always_inline]] inline void suspend(Event& event);
  [[gnu::always_inline]] inline void switch_to_fiber();
  /// Returns the event that the body waits for, or null when it has ended.
  [[gnu::always_inline]] Event* run_until_wait() {
    waits_for_ = nullptr;
    switch_to_fiber();
    return waits_for_;
  }
  [[noreturn]] static void abandon();

  static inline constinit thread_local const Fiber* running_ = nullptr;

  Body body_;
  const FiberWork* work_ = nullptr;
  Stack stack_;
  FiberSanitizer sanitizer_;
  Context other_side_;  ///< the suspended one: the fiber, or the code that resumed it
  Event* waits_for_ = nullptr;
  EventWait wait_;  ///< entered by the process that runs the fiber
  std::exception_ptr error_;
  ExceptionState* exceptions_ = nullptr;  ///< the thread's record; null before the first resume
  bool ended_ = false;
  bool abandoned_ = false;
};

// Inlined: after a switch of stacks the processor mispredicts every return (7 to 15 ns each), so
// few functions may be on the stack. switch_stack() adds one jump and no return.

inline void Fiber::suspend(Event& event) {
  if (abandoned_) abandon();
  waits_for_ = &event;
  const ExceptionState mine = *exceptions_;
  sanitizer_.leave_fiber(false);
  other_side_ = switch_stack(other_side_, this).from;
  sanitizer_.enter_fiber();
  *exceptions_ = mine;
  if (abandoned_) abandon();
}

inline void Fiber::switch_to_fiber() {
  const ExceptionState mine = *exceptions_;
  const Fiber* const outer = running_;
  running_ = this;
  sanitizer_.leave_caller();
  other_side_ = switch_stack(other_side_, this).from;
  sanitizer_.enter_caller();
  running_ = outer;
  *exceptions_ = mine;
}

inline Event* Fiber::resume() {
  if (ended_) throw std::logic_error("a fiber that has ended cannot be resumed");
  bind_to_thread();
  Event* const event = run_until_wait();
  rethrow();
  return event;
}

/// Returns a process that runs `body` on a fiber.
[[nodiscard]] Process run_on_fiber(Fiber::Body body, std::size_t stack_bytes = kFiberStackBytes);

}  // namespace kernbench::model::engine
