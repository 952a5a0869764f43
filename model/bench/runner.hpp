// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "model/bench/registry.hpp"
#include "model/data/races.hpp"
#include "model/data/recorder.hpp"
#include "model/runtime/session.hpp"
#include "model/trace/critical_path.hpp"
#include "model/trace/hop_trace.hpp"
#include "model/transport/network.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::bench {

struct RunOptions {
  std::uint32_t device = 0;  ///< SIP that runs the bench
  std::map<std::string, std::string> parameters;
  runtime::CclSource ccl{};  ///< configuration of process groups
  bool verify = false;       ///< compute and check the numbers in a second pass
  bool live = false;         ///< compute the numbers in the first pass, for kernels to read
  bool upload = false;       ///< transfer initial tensors in simulated time
  runtime::AddressModel addresses = runtime::AddressModel::Virtual;
  bool races = false;     ///< find races between kernels
  bool op_log = false;    ///< log the operations; `verify` and `races` log them too
  bool predicts = false;  ///< ask for the predictions of formulas of all collectives
  bool explain = false;   ///< record the causes of the ends of measured regions
  /// Simulate works of the same key once. run_bench() refuses it with `verify`, `live`, `races`,
  /// `op_log`, `explain` or a trace, which need all of them.
  bool reuse = false;
  bool whole_messages = false;    ///< transport::Fidelity::Message; not with `explain` or a trace
  std::uint64_t sample_seed = 1;  ///< draws the works that show the error of both
  bool samples = true;            ///< simulates such works
  /// Record what the program at these indices of cube and PE of each launch would do, and carry
  /// out no kernel.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> record{};
  std::optional<runtime::StartDelays> delays{};  ///< programs start later
  bool requests = false;                         ///< keep the requests of all contexts
  bool show_progress = false;                    ///< show the simulated time by common::Progress
  common::SimTime time_limit = common::SimTime::from_ps(1'000'000'000'000);  ///< simulated time
  /// Ends the run when so many measured regions have ended, or when they take longer than `span`.
  /// The result then has the regions alone.
  struct RegionLimit {
    std::size_t regions = 0;
    common::SimTime span;
  };
  std::optional<RegionLimit> region_limit{};
  trace::HopTrace* trace = nullptr;
  transport::FabricFactory make_fabric{};  ///< see components::MachineOptions

  /// Longest time on the host. When it is over, `on_host_timeout` is called from another thread
  /// with a list of running kernels. It must end the process: a kernel that loops without issuing
  /// operations cannot be stopped. Without `on_host_timeout` the time is unlimited.
  std::chrono::milliseconds host_time_limit = std::chrono::hours(1);
  std::function<void(const std::string&)> on_host_timeout{};
};

/// The outcome of a completed run, and what it recorded.
struct RunResult : runtime::RunRecord {
  common::SimTime end;  ///< time when all submitted work was complete
  std::uint64_t flit_hops = 0;
  std::uint64_t operations = 0;  ///< operations of the host and of kernels, logged or not
  engine::Cause cause{};         ///< step that ended it; null without `explain`
  components::MachineUse use{};  ///< use of wires and parts; empty without `explain`
  std::optional<runtime::RepeatSummary> repeats;  ///< not set if all is simulated by flits
  std::vector<runtime::CheckReport> checks;       ///< empty without `verify`
  /// One for each member of each call of a collective; empty without `verify`.
  std::vector<runtime::CheckReport> contracts;
  std::size_t checks_asked = 0;
  data::RaceReport races;  ///< empty without `races`
  /// Numbers copied to the host, and those of members before and after each collective; empty
  /// without `verify`.
  std::map<std::uint32_t, data::Array> results;
  std::map<std::uint32_t, data::Array> peeks;
  std::unique_ptr<data::Recorder> recorder;  ///< holds the log of stages and operations
};

/// Simulated time reached its limit. The message lists running kernels.
class TimeLimitReached : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A bench submitted no operation.
class NothingSubmitted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A kernel or an operation failed. The message says where.
class RunFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A run deadlocked. The message lists the waits and the pending operations of kernels.
class RunDeadlocked : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Returns the critical path of each measured region, or of the whole run without regions. The run
/// must have had `explain`.
[[nodiscard]] std::vector<std::pair<std::string, trace::CriticalPath>> explain(
    const RunResult& result);

/// Returns options of a run with the same times that records, checks and shows nothing else.
[[nodiscard]] RunOptions timed_only(const RunOptions& options);

/// Runs a bench on a new machine. Throws RunFailed, RunDeadlocked, TimeLimitReached,
/// NothingSubmitted or data::ReplayError when the run fails, and std::invalid_argument for an
/// unknown device or parameter and for modes that exclude each other.
[[nodiscard]] RunResult run_bench(const Bench& bench, const topology::TopologyGraph& graph,
                                  const RunOptions& options);

/// Calls `work` and prefixes the message of a failed run in it with "`name`: ".
void call_named(const std::string& name, const std::function<void()>& work);
/// Calls run_bench() in call_named().
[[nodiscard]] RunResult run_case(const std::string& name, const Bench& bench,
                                 const topology::TopologyGraph& graph, const RunOptions& options);

}  // namespace kernbench::model::bench
