// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "model/bench/runner.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::python {

/// A run of a bench whose host part is code of the caller.
///
/// The simulation has a thread of its own, and the host part stays in the caller's. A bench runs on
/// a fiber, whose small stack and foreign unwinding CPython does not support; in its own thread
/// Python code has its stack, its exceptions and its debugger, and the fiber never runs any. The
/// two threads hand over to each other and never run at the same time: the simulation stops while
/// the host part runs, which takes no simulated time. So a run is as deterministic as one in C++.
class HostProgram {
 public:
  using Work = std::function<void(model::runtime::Context&)>;

  /// Starts the run, up to the point where the host part begins. `graph` must outlive the program.
  /// Throws what run_bench() does before it calls the bench.
  HostProgram(std::string name, const topology::TopologyGraph& graph,
              model::bench::RunOptions options);
  /// Abandons a run that has not ended.
  ~HostProgram();
  HostProgram(const HostProgram&) = delete;
  HostProgram& operator=(const HostProgram&) = delete;

  /// Calls `work` on the fiber of the bench and waits for its return. Rethrows what it throws, and
  /// the error of a run that fails meanwhile, such as a deadlock. Throws std::logic_error when the
  /// run has ended, and for a second thread.
  void call(const Work& work);

  /// Ends the host part, and waits for the end of the run. Throws what run_bench() does.
  [[nodiscard]] model::bench::RunResult finish();

 private:
  enum class Turn { Simulation, Host };
  enum class Request { Call, Return, Abandon };

  /// Serves calls, on the fiber of the bench, until the host part ends.
  void serve(model::runtime::Context& kb);
  void hand_over(std::unique_lock<std::mutex>& lock, Request request);
  void throw_if_failed() const;

  std::mutex mutex_;
  std::condition_variable changed_;
  Turn turn_ = Turn::Simulation;
  Request request_ = Request::Call;
  const Work* work_ = nullptr;
  std::exception_ptr failure_;  ///< of the last call
  bool ended_ = false;
  std::exception_ptr error_;  ///< of the run
  std::optional<model::bench::RunResult> result_;
  std::thread simulation_;
};

}  // namespace kernbench::python
