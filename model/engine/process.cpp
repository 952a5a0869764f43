// SPDX-License-Identifier: Apache-2.0
#include "model/engine/process.hpp"

#include "model/engine/simulation.hpp"

namespace kernbench::model::engine {

std::coroutine_handle<> Process::promise_type::FinalAwaiter::await_suspend(
    Frame frame) const noexcept {
  ProcessRecord& process = *frame.promise().record;
  const Frame awaiting = frame.promise().outer;
  if (!awaiting) {
    process.simulation.note_end(process);
    return std::noop_coroutine();
  }
  process.frame = awaiting;
  return awaiting;
}

std::coroutine_handle<> Process::PartWait::await_suspend(Frame outer) noexcept {
  ProcessRecord& record = *outer.promise().record;
  part_.promise().record = &record;
  part_.promise().outer = outer;
  record.frame = part_;
  return part_;
}

void Process::PartWait::await_resume() {
  const std::exception_ptr error = part_.promise().error;
  part_.destroy();
  if (error) std::rethrow_exception(error);
}

void ProcessHandle::cancel() const {
  if (!ended()) record_->simulation.cancel(*record_);
}

}  // namespace kernbench::model::engine
