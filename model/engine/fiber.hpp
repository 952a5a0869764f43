#pragma once

#include <boost/context/fiber.hpp>
#include <cstddef>
#include <exception>
#include <functional>

#include "model/engine/event.hpp"
#include "model/engine/process.hpp"

namespace kernbench::model::engine {

/// Address space for the stack of a fiber; memory is taken as it is touched. A stack that overflows
/// runs into a guard page.
inline constexpr std::size_t kFiberStackBytes = std::size_t{256} << 10U;

/// Plain code with a stack of its own, which can wait for events in simulated time wherever it is,
/// without being a coroutine: kernels and benches. run_on_fiber() makes a process of it.
///
/// When it is destroyed while it waits, its stack is unwound by an exception that the code must not
/// swallow: a catch (...) has to throw on. Code must not wait within a catch block.
class Fiber {
 public:
  using Body = std::function<void(Fiber&)>;

  explicit Fiber(Body body, std::size_t stack_bytes = kFiberStackBytes);
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber() = default;

  /// Within the body: goes on when the event is triggered.
  void wait(Event& event);

  /// From outside: runs the body until it waits, and says for what; null when it has ended. Passes
  /// on what the body throws.
  [[nodiscard]] Event* resume();

 private:
  Body body_;
  boost::context::fiber caller_;
  Event* waits_for_ = nullptr;
  std::exception_ptr error_;
  boost::context::fiber self_;  // last: unwound first
};

/// A process that runs `body` on a fiber.
[[nodiscard]] Process run_on_fiber(Fiber::Body body, std::size_t stack_bytes = kFiberStackBytes);

}  // namespace kernbench::model::engine
