// SPDX-License-Identifier: Apache-2.0
#include "python/host_program.hpp"

#include <optional>
#include <stdexcept>
#include <utility>

namespace kernbench::python {

model::bench::RunResult HostProgram::run(std::string name, const topology::TopologyGraph& graph,
                                         const model::bench::RunOptions& options,
                                         const std::function<void()>& host) {
  const model::bench::Bench bench{std::move(name), "", {}, [&](auto& kb) { serve(kb, host); }};
  std::optional<model::bench::RunResult> result;
  std::exception_ptr error;
  try {
    result = model::bench::run_bench(bench, graph, options);
  } catch (...) {
    error = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    error_ = error;
    turn_ = Turn::Host;
    changed_.notify_all();
  }
  if (host_.joinable()) host_.join();
  if (raised_) std::rethrow_exception(raised_);
  if (error) std::rethrow_exception(error);
  return std::move(result).value();
}

void HostProgram::give_turn(Turn turn) {
  const std::lock_guard lock(mutex_);
  turn_ = turn;
  changed_.notify_all();
}

void HostProgram::call(const Work& work) {
  std::unique_lock lock(mutex_);
  if (!ended_) {
    if (turn_ != Turn::Host) throw std::logic_error("another thread is using this host");
    work_ = &work;
    turn_ = Turn::Simulation;
    changed_.notify_all();
    changed_.wait(lock, [this] { return turn_ == Turn::Host; });
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    if (!ended_) return;
  }
  if (error_) std::rethrow_exception(error_);
  throw std::logic_error("the run of this host has ended");
}

void HostProgram::serve(model::runtime::Context& kb, const std::function<void()>& host) {
  host_ = std::thread([this, &host] {
    try {
      host();
    } catch (...) {
      raised_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    returned_ = true;
    turn_ = Turn::Simulation;
    changed_.notify_all();
  });
  while (true) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return turn_ == Turn::Simulation; });
      if (raised_) throw std::runtime_error("the host part failed");
      if (returned_) return;
    }
    try {
      (*work_)(kb);
    } catch (const std::exception&) {  // the unwinding of a destroyed fiber is not one
      failure_ = std::current_exception();
    }
    give_turn(Turn::Host);
  }
}

}  // namespace kernbench::python
