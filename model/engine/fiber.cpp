// SPDX-License-Identifier: Apache-2.0
#include "model/engine/fiber.hpp"

#include <cxxabi.h>

#include <bit>
#include <boost/context/detail/fcontext.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <boost/context/stack_traits.hpp>
#include <boost/version.hpp>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace kernbench::model::engine {

namespace context = boost::context;
using context::detail::transfer_t;

// The public boost::context::fiber unwinds and frees stacks by itself, which leaves no place to
// tell the sanitizers. The private layer below it has had this form since 1.61.
static_assert(BOOST_VERSION >= 106100, "boost::context::detail differs before Boost 1.61");
static_assert(std::is_same_v<decltype(&context::detail::jump_fcontext),
                             transfer_t (*)(context::detail::fcontext_t, void*)>);

namespace {

/// Thrown by wait() to unwind the stack of a fiber that is destroyed while it waits.
struct Abandoned {};

context::stack_context boost_stack(void* top, std::size_t bytes) {
  context::stack_context stack;
  stack.sp = top;
  stack.size = bytes;
  return stack;
}

/// Keeps the stacks of ended fibers for the next fibers of this thread. Mapping and unmapping a
/// stack for each program of a launch took 45 % of the time of the transformer's tests.
class FreeStacks {
 public:
  FreeStacks() = default;
  FreeStacks(const FreeStacks&) = delete;
  FreeStacks& operator=(const FreeStacks&) = delete;
  ~FreeStacks() {
    for (context::stack_context& stack : stacks_) Allocator().deallocate(stack);
    is_over_ = true;
  }

  static context::stack_context take(std::size_t least_bytes);
  static void give_back(context::stack_context stack);

 private:
  using Allocator = context::protected_fixedsize_stack;
  /// The programs of four SIPs of 16 cubes with 8 PEs each, and those of their hosts.
  static constexpr std::size_t kMost = 1024;

  std::vector<context::stack_context> stacks_;  ///< all of kFiberStackBytes

  static thread_local FreeStacks of_thread_;
  static constinit thread_local bool is_over_;  ///< true while the thread ends
};

thread_local FreeStacks FreeStacks::of_thread_;
constinit thread_local bool FreeStacks::is_over_ = false;

context::stack_context FreeStacks::take(std::size_t least_bytes) {
  if (is_over_ || least_bytes != kFiberStackBytes || of_thread_.stacks_.empty()) {
    return Allocator(least_bytes).allocate();
  }
  const context::stack_context stack = of_thread_.stacks_.back();
  of_thread_.stacks_.pop_back();
  return stack;
}

void FreeStacks::give_back(context::stack_context stack) {
  const bool is_usual = stack.size == kFiberStackBytes + context::stack_traits::page_size();
  if (is_over_ || !is_usual || of_thread_.stacks_.size() == kMost) {
    Allocator().deallocate(stack);
  } else {
    of_thread_.stacks_.push_back(stack);
  }
}

}  // namespace

Fiber::Stack::Stack(std::size_t least_bytes) {
  const context::stack_context stack = FreeStacks::take(least_bytes);
  top = stack.sp;
  bytes = stack.size;
  guard_bytes = context::stack_traits::page_size();
}

Fiber::Stack::~Stack() {
  FreeStacks::give_back(boost_stack(top, bytes));
}

bool Fiber::is_in_guard_page(const void* address) const {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t bottom = reinterpret_cast<std::uintptr_t>(stack_.top) - stack_.bytes;
  return at >= bottom && at - bottom < stack_.guard_bytes;
}

/// Where a fiber's stack begins.
struct Fiber::Entry {
  static void run(transfer_t from) { static_cast<Fiber*>(from.data)->enter(from.fctx); }
};

// Called through a pointer that returns Switched, so that this is a tail call: a stack frame of its
// own would cost a mispredicted return for each switch.
Fiber::Switched Fiber::switch_stack(Context to, void* data) {
  static_assert(sizeof(Switched) == sizeof(transfer_t));
  static_assert(offsetof(Switched, from) == offsetof(transfer_t, fctx));
  static_assert(offsetof(Switched, data) == offsetof(transfer_t, data));
  using Jump = Switched (*)(Context, void*);
  return std::bit_cast<Jump>(&context::detail::jump_fcontext)(to, data);
}

Fiber::ExceptionState& Fiber::exceptions_of_thread() {
  return *static_cast<ExceptionState*>(static_cast<void*>(abi::__cxa_get_globals()));
}

Fiber::Fiber(Body body, std::size_t stack_bytes)
    : body_(std::move(body)),
      stack_(stack_bytes),
      sanitizer_(static_cast<const char*>(stack_.top) - stack_.bytes, stack_.bytes),
      other_side_(context::detail::make_fcontext(stack_.top, stack_.bytes, &Entry::run)) {}

Fiber::~Fiber() {
  if (exceptions_ != nullptr && !ended_) {
    abandoned_ = true;
    switch_to_fiber();
  }
}

void Fiber::enter(Context from) {
  sanitizer_.enter_fiber();
  other_side_ = from;
  *exceptions_ = {};
  run();
  ended_ = true;
  sanitizer_.leave_fiber(true);
  switch_stack(other_side_, this);
  std::terminate();  // an ended fiber is never resumed
}

void Fiber::run() noexcept {
  try {
    body_(*this);
  } catch (const Abandoned&) {  // NOLINT(bugprone-empty-catch): ends the unwinding
  } catch (...) {
    if (!abandoned_) error_ = std::current_exception();
  }
}

void Fiber::abandon() {
  throw Abandoned();
}

/// Runs a fiber in the awaiting process until the body ends.
class FiberPart {
 public:
  explicit FiberPart(Fiber& fiber) : fiber_(fiber) {}
  [[nodiscard]] bool await_ready() const noexcept { return false; }
  bool await_suspend(Process::Frame frame) {
    process_ = frame.promise().record;
    fiber_.bind_to_thread();
    if (!fiber_.resume_in(*process_)) return false;
    process_->fiber = &fiber_;
    return true;
  }
  void await_resume() {
    process_->fiber = nullptr;
    fiber_.rethrow();
  }

 private:
  Fiber& fiber_;
  ProcessRecord* process_ = nullptr;
};

Process run_on_fiber(Fiber::Body body, std::size_t stack_bytes) {
  Fiber fiber(std::move(body), stack_bytes);
  co_await FiberPart(fiber);
}

}  // namespace kernbench::model::engine
