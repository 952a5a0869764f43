// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "model/bench/runner.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::python {

/// A run of a bench whose host part is code in Python.
///
/// A bench runs on a fiber, whose stack is small and is unwound by C++ when a run fails; CPython
/// supports neither. So the host part has a thread of its own, and the fiber calls what it asks
/// for. The two threads hand over to each other and never run at the same time: the simulation
/// stops while the host part runs, which takes no simulated time. So a run is as deterministic as
/// one in C++. The simulation keeps the caller's thread, because the memory of a machine costs
/// several times as much where malloc() gives a new thread another arena.
class HostProgram {
 public:
  using Work = std::function<void(model::runtime::Context&)>;

  /// Runs a bench whose host part is `host`, which may use call(). To be called once. Throws what
  /// `host` throws, and else what run_bench() does.
  [[nodiscard]] model::bench::RunResult run(std::string name, const topology::TopologyGraph& graph,
                                            const model::bench::RunOptions& options,
                                            const std::function<void()>& host);

  /// Calls `work` on the fiber of the bench and waits for its return. Rethrows what it throws, and
  /// the error of a run that fails meanwhile, such as a deadlock. Throws std::logic_error when the
  /// run has ended, and for a second thread of the host part.
  void call(const Work& work);

 private:
  enum class Turn { Simulation, Host };

  /// Starts the host part and serves its calls, on the fiber of the bench.
  void serve(model::runtime::Context& kb, const std::function<void()>& host);
  void give_turn(Turn turn);

  std::mutex mutex_;
  std::condition_variable changed_;
  Turn turn_ = Turn::Host;
  const Work* work_ = nullptr;
  std::exception_ptr failure_;  ///< thrown by the last call
  bool returned_ = false;       ///< the host part has ended
  std::exception_ptr raised_;   ///< thrown by the host part
  bool ended_ = false;          ///< the run has ended
  std::exception_ptr error_;    ///< thrown by the run
  std::thread host_;
};

}  // namespace kernbench::python
