#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/bench/registry.hpp"
#include "model/data/recorder.hpp"
#include "model/runtime/session.hpp"
#include "model/trace/hop_trace.hpp"
#include "model/transport/network.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::bench {

struct RunOptions {
  std::uint32_t device = 0;  ///< SIP
  std::map<std::string, std::string> parameters;
  runtime::CclSource ccl{};  ///< of process groups
  bool verify = false;       ///< do the second pass
  bool op_log = false;       ///< keep the operations; verification keeps them anyway
  common::SimTime time_limit = common::SimTime::from_ps(1'000'000'000'000);  ///< simulated
  trace::HopTrace* trace = nullptr;
  transport::FabricFactory make_fabric{};  ///< as of components::MachineOptions

  /// When the simulation has taken this long on the host, `on_host_timeout` is called in another
  /// thread with what was running. It has to end the process: a kernel that loops without asking
  /// for anything cannot be stopped. Without it there is no limit.
  std::chrono::milliseconds host_time_limit = std::chrono::hours(1);
  std::function<void(const std::string&)> on_host_timeout{};
};

/// What a run of a bench came to.
struct RunResult {
  common::SimTime end;  ///< when everything that the bench asked for had been done
  std::uint64_t submissions = 0;
  std::uint64_t flit_hops = 0;
  std::vector<runtime::LaunchRecord> launches;
  std::vector<runtime::CheckReport> checks;  ///< none without verification
  std::size_t checks_asked = 0;
  std::map<std::uint32_t, data::Array> results;  ///< of copies to the host; likewise
  std::unique_ptr<data::Recorder> recorder;      ///< with the log of stages, and of operations
};

/// The simulated time ran out; says what was running.
class TimeLimitReached : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A bench that asked for nothing.
class NothingSubmitted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Something failed in a run, in a kernel or in what it asked for; says where.
class RunFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Nothing can happen any more and something waits; says what, and what kernels asked for.
class RunDeadlocked : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Runs a bench on a fresh machine. RunFailed, RunDeadlocked, TimeLimitReached, NothingSubmitted
/// and data::ReplayError are the ways in which it does not end well. Throws std::invalid_argument
/// for a device or parameters that are not there.
[[nodiscard]] RunResult run_bench(const Bench& bench, const topology::TopologyGraph& graph,
                                  const RunOptions& options);

/// run_bench() as one of many: "`name`: " comes before what is said of a run that does not end
/// well.
[[nodiscard]] RunResult run_case(const std::string& name, const Bench& bench,
                                 const topology::TopologyGraph& graph, const RunOptions& options);

}  // namespace kernbench::model::bench
