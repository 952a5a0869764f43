// SPDX-License-Identifier: Apache-2.0
#include "python/host_program.hpp"

#include <stdexcept>
#include <utility>

namespace kernbench::python {

HostProgram::HostProgram(std::string name, const topology::TopologyGraph& graph,
                         model::bench::RunOptions options) {
  simulation_ = std::thread([this, name = std::move(name), &graph, options = std::move(options)] {
    const model::bench::Bench bench{name, "", {}, [this](auto& kb) { serve(kb); }};
    try {
      result_ = model::bench::run_bench(bench, graph, options);
    } catch (...) {
      error_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    ended_ = true;
    turn_ = Turn::Host;
    changed_.notify_all();
  });
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return turn_ == Turn::Host; });
    if (!ended_) return;
  }
  simulation_.join();
  throw_if_failed();
}

HostProgram::~HostProgram() {
  if (!simulation_.joinable()) return;
  {
    std::unique_lock lock(mutex_);
    if (!ended_) hand_over(lock, Request::Abandon);
  }
  simulation_.join();
}

void HostProgram::hand_over(std::unique_lock<std::mutex>& lock, Request request) {
  request_ = request;
  turn_ = Turn::Simulation;
  changed_.notify_all();
  changed_.wait(lock, [this] { return turn_ == Turn::Host; });
}

void HostProgram::throw_if_failed() const {
  if (error_) std::rethrow_exception(error_);
}

void HostProgram::call(const Work& work) {
  std::unique_lock lock(mutex_);
  if (ended_) {
    throw_if_failed();
    throw std::logic_error("the run of this host has ended");
  }
  if (turn_ != Turn::Host) throw std::logic_error("another thread is using this host");
  work_ = &work;
  hand_over(lock, Request::Call);
  throw_if_failed();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

model::bench::RunResult HostProgram::finish() {
  {
    std::unique_lock lock(mutex_);
    if (!ended_) hand_over(lock, Request::Return);
  }
  simulation_.join();
  throw_if_failed();
  return std::move(result_).value();
}

void HostProgram::serve(model::runtime::Context& kb) {
  while (true) {
    {
      std::unique_lock lock(mutex_);
      turn_ = Turn::Host;
      changed_.notify_all();
      changed_.wait(lock, [this] { return turn_ == Turn::Simulation; });
    }
    if (request_ == Request::Return) return;
    if (request_ == Request::Abandon) throw std::runtime_error("the host part was abandoned");
    try {
      (*work_)(kb);
    } catch (const std::exception&) {  // the unwinding of a destroyed fiber is not one
      failure_ = std::current_exception();
    }
  }
}

}  // namespace kernbench::python
