#pragma once

#include <cxxabi.h>
#include <boost/context/detail/fcontext.hpp>
#include <boost/context/stack_context.hpp>
#include <cstddef>
#include <exception>
#include <functional>
#include <stdexcept>
#include <utility>

#include "model/engine/event.hpp"
#include "model/engine/fiber_sanitizer.hpp"
#include "model/engine/occurrence.hpp"
#include "model/engine/process.hpp"

namespace kernbench::model::engine {

/// Address space for the stack of a fiber; memory is taken as it is touched. A stack that overflows
/// runs into a guard page.
inline constexpr std::size_t kFiberStackBytes = std::size_t{256} << 10U;

/// Plain code with a stack of its own, which can wait for events in simulated time wherever it is,
/// also while it handles an exception, without being a coroutine: kernels and benches.
/// run_on_fiber() makes a process of it.
///
/// When it is destroyed while it waits, wait() throws something that is no std::exception, which
/// unwinds its stack. Code that swallows it and waits again gets it again.
///
/// It is resumed and destroyed in the thread in which it was resumed first.
class Fiber {
 public:
  using Body = std::function<void(Fiber&)>;

  explicit Fiber(Body body, std::size_t stack_bytes = kFiberStackBytes);
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber();

  /// Within the body: goes on when the event is triggered.
  [[gnu::always_inline]] void wait(Event& event) {
    if (!event.triggered()) suspend(event);
  }

  /// Whether its stack is being unwound because it is destroyed.
  [[nodiscard]] bool abandoned() const { return abandoned_; }

  /// From outside: runs the body until it waits, and says for what; null when it has ended. Passes
  /// on what the body throws.
  [[nodiscard]] Event* resume();

  /// From outside, as a part of a process: runs the body until it waits, and lets the process wait
  /// for the same; false when the body has ended.
  [[gnu::always_inline]] bool go_on(ProcessRecord& process) {
    Event* const event = run_until_wait();
    if (event != nullptr) wait_.enter(process, *event);
    return event != nullptr;
  }

 private:
  friend class FiberPart;
  using Transfer = boost::context::detail::transfer_t;
  struct Stack {
    explicit Stack(std::size_t bytes);
    Stack(const Stack&) = delete;
    Stack& operator=(const Stack&) = delete;
    ~Stack();
    boost::context::stack_context memory;
  };

  /// The exceptions that a stack handles: the C++ runtime keeps them by thread, as the Itanium C++
  /// ABI says (2.2.2).
  struct ExceptionState {
    void* caught = nullptr;
    unsigned uncaught = 0;
  };

  static void enter(Transfer from);
  void run() noexcept;
  /// In the thread that it is to run in.
  void begin() {
    if (thread_exceptions_ == nullptr) thread_exceptions_ = abi::__cxa_get_globals();
  }
  void rethrow() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }
  [[gnu::always_inline]] inline void suspend(Event& event);
  [[gnu::always_inline]] inline void switch_to_fiber();
  /// What it waits for then; null when it has ended.
  [[gnu::always_inline]] Event* run_until_wait() {
    waits_for_ = nullptr;
    switch_to_fiber();
    return waits_for_;
  }
  [[nodiscard]] ExceptionState& exceptions() {
    return *static_cast<ExceptionState*>(thread_exceptions_);
  }
  [[noreturn]] static void abandon();

  Body body_;
  Stack stack_;
  FiberSanitizer sanitizer_;
  boost::context::detail::fcontext_t other_side_;  ///< the one that does not run now
  Event* waits_for_ = nullptr;
  EventWait wait_;  ///< of the process that it is a part of
  std::exception_ptr error_;
  void* thread_exceptions_ = nullptr;  ///< that the stack in use handles; none before the start
  bool ended_ = false;
  bool abandoned_ = false;
};

// Inline: of the functions on a stack when it goes on, each returns to a place that the processor
// has not predicted, and there should be few.

inline void Fiber::suspend(Event& event) {
  if (abandoned_) abandon();
  waits_for_ = &event;
  const ExceptionState mine = exceptions();
  sanitizer_.leave_fiber(false);
  other_side_ = boost::context::detail::jump_fcontext(other_side_, this).fctx;
  sanitizer_.enter_fiber();
  exceptions() = mine;
  if (abandoned_) abandon();
}

inline void Fiber::switch_to_fiber() {
  const ExceptionState mine = exceptions();
  sanitizer_.leave_caller();
  other_side_ = boost::context::detail::jump_fcontext(other_side_, this).fctx;
  sanitizer_.enter_caller();
  exceptions() = mine;
}

inline Event* Fiber::resume() {
  if (ended_) throw std::logic_error("a fiber that has ended cannot go on");
  begin();
  Event* const event = run_until_wait();
  rethrow();
  return event;
}

/// A process that runs `body` on a fiber.
[[nodiscard]] Process run_on_fiber(Fiber::Body body, std::size_t stack_bytes = kFiberStackBytes);

}  // namespace kernbench::model::engine
