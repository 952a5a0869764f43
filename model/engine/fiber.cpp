#include "model/engine/fiber.hpp"

#include <boost/context/protected_fixedsize_stack.hpp>
#include <utility>

namespace kernbench::model::engine {

namespace context = boost::context;

namespace {

/// Unwinds the stack of a fiber that is destroyed while it waits.
struct Abandoned {};

}  // namespace

Fiber::Stack::Stack(std::size_t bytes)
    : memory(context::protected_fixedsize_stack(bytes).allocate()) {}

Fiber::Stack::~Stack() {
  context::protected_fixedsize_stack().deallocate(memory);
}

Fiber::Fiber(Body body, std::size_t stack_bytes)
    : body_(std::move(body)),
      stack_(stack_bytes),
      sanitizer_(static_cast<const char*>(stack_.memory.sp) - stack_.memory.size,
                 stack_.memory.size),
      other_side_(
          context::detail::make_fcontext(stack_.memory.sp, stack_.memory.size, &Fiber::enter)) {}

Fiber::~Fiber() {
  if (thread_exceptions_ != nullptr && !ended_) {
    abandoned_ = true;
    switch_to_fiber();
  }
}

void Fiber::enter(Transfer from) {
  Fiber& fiber = *static_cast<Fiber*>(from.data);
  fiber.sanitizer_.enter_fiber();
  fiber.other_side_ = from.fctx;
  fiber.exceptions() = {};
  fiber.run();
  fiber.ended_ = true;
  fiber.sanitizer_.leave_fiber(true);
  context::detail::jump_fcontext(fiber.other_side_, &fiber);
  std::terminate();  // nobody resumes what has ended
}

void Fiber::run() noexcept {
  try {
    body_(*this);
  } catch (const Abandoned&) {  // NOLINT(bugprone-empty-catch): the end of the unwinding
  } catch (...) {
    if (!abandoned_) error_ = std::current_exception();
  }
}

void Fiber::abandon() {
  throw Abandoned();
}

/// Awaits the end of a fiber that runs in the awaiting process.
class FiberPart {
 public:
  explicit FiberPart(Fiber& fiber) : fiber_(fiber) {}
  [[nodiscard]] bool await_ready() const noexcept { return false; }
  bool await_suspend(Process::Frame frame) {
    process_ = frame.promise().record;
    fiber_.begin();
    if (!fiber_.go_on(*process_)) return false;
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
