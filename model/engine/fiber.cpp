#include "model/engine/fiber.hpp"

#include <boost/context/protected_fixedsize_stack.hpp>
#include <memory>
#include <utility>

#include "model/engine/occurrence.hpp"

namespace kernbench::model::engine {

namespace context = boost::context;

Fiber::Fiber(Body body, std::size_t stack_bytes)
    : body_(std::move(body)),
      self_(std::allocator_arg, context::protected_fixedsize_stack(stack_bytes),
            [this](context::fiber&& caller) {
              caller_ = std::move(caller);
              try {
                body_(*this);
              } catch (const context::detail::forced_unwind&) {
                throw;
              } catch (...) {
                error_ = std::current_exception();
              }
              return std::move(caller_);
            }) {}

void Fiber::wait(Event& event) {
  if (event.triggered()) return;
  waits_for_ = &event;
  caller_ = std::move(caller_).resume();
}

Event* Fiber::resume() {
  waits_for_ = nullptr;
  self_ = std::move(self_).resume();
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  return waits_for_;
}

Process run_on_fiber(Fiber::Body body, std::size_t stack_bytes) {
  Fiber fiber(std::move(body), stack_bytes);
  while (Event* const event = fiber.resume()) co_await *event;
}

}  // namespace kernbench::model::engine
