// SPDX-License-Identifier: Apache-2.0
#include "sim/network/network_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "common/diagnostics.hpp"
#include "sim/check/assertions.hpp"
#include "sim/check/checker_set.hpp"
#include "sim/check/output_hash.hpp"
#include "sim/check/rtl_reports.hpp"
#include "sim/check/watchdog.hpp"
#include "sim/cover/deep_coverage.hpp"
#include "sim/dut/code_coverage.hpp"
#include "sim/fault/fault_injector.hpp"
#include "sim/harness/harness.hpp"
#include "sim/network/network_archive.hpp"
#include "sim/network/network_collector.hpp"
#include "sim/network/network_lockstep.hpp"
#include "sim/network/network_scoreboard.hpp"
#include "sim/network/network_users.hpp"
#include "sim/regression/case_archive.hpp"
#include "sim/regression/judge.hpp"
#include "sim/stimulus/traffic_names.hpp"

namespace kernbench::sim {
namespace {

using common::Outcome;

/// More than the longest way through a network of 16x16 nodes, detours included.
constexpr std::uint64_t kQuietCycles = 64;

maze::NetworkConfig config_of(const NetworkDut& dut, const NetworkCase& one) {
  maze::NetworkConfig config = dut.info().config;
  config.failed = one.failed;
  return config;
}

std::unique_ptr<Stimulus> stimulus_of(const maze::NetworkConfig& config, const NetworkCase& one,
                                      const DeliveryOracle& oracle) {
  if (one.script) {
    return std::make_unique<ScriptStimulus>(one.script->script, config.shape, /*ports=*/1);
  }
  if (one.pattern == NetworkPattern::Alone) {
    return std::make_unique<LoneUsers>(config.shape, oracle);
  }
  return std::make_unique<NetworkUsers>(config, one);
}

/// The checkers and collectors of one case, attached to its harness.
class NetworkTrafficCase {
 public:
  NetworkTrafficCase(const NetworkCase& one, NetworkDut& dut, const CaseOptions& options)
      : case_(one),
        dut_(dut),
        config_(config_of(dut, one)),
        ports_(Ports::of_users(config_.shape)),
        lockstep_(config_),
        scoreboard_(config_),
        latency_(config_.shape, scoreboard_.oracle()),
        watchdog_(ports_, one.watchdog_cycles),
        assertions_(dut, ports_),
        rtl_(dut),
        hash_(config_.shape),
        collector_(lockstep_.reference()),
        stimulus_(stimulus_of(config_, one, scoreboard_.oracle())),
        observer_(options.observer),
        harness_(dut, observer_ == nullptr ? *stimulus_ : observer_->through(*stimulus_)) {
    dut.set_failed(one.failed);
    if (observer_ == nullptr && !one.fault) {
      harness_.add(collector_);
      if (one.deep_coverage) {
        deep_ = DeepCoverage::of_users(config_.shape);
        harness_.add(*deep_);
      }
    }
    if (one.fault) {
      injector_.emplace(config_.shape, ports_, one.fault->fault, one.seed);
      harness_.set_tap(&*injector_);
    }
    const Checks& wanted = one.checks;
    if (wanted.lockstep) checkers_.add("lockstep", lockstep_);
    if (is_alone()) checkers_.add("latency", latency_);
    if (wanted.scoreboard || is_alone()) checkers_.add("scoreboard", scoreboard_);
    if (has_watchdog() && is_fair()) checkers_.add("watchdog", watchdog_);
    if (wanted.assertions && dut.info().checkers) checkers_.add("assertions", assertions_);
    rtl_.add_to(checkers_);
    checkers_.attach_to(harness_);
    harness_.add(hash_);
    if (observer_ != nullptr) {
      if (Extension* watch = observer_->watch(dut)) harness_.add(*watch);
    }
    if (!options.trace.path.empty()) {
      watch_.emplace(dut, config_, options.trace.link.value_or(LinkEnd{0, config_.shape.ports()}));
      harness_.set_trace(options.trace, &*watch_);
    }
    if (options.heartbeat) harness_.set_heartbeat(options.heartbeat);
  }

  NetworkRun run();

 private:
  [[nodiscard]] bool is_alone() const { return case_.pattern == NetworkPattern::Alone; }
  /// Returns false where each packet has its exact time.
  [[nodiscard]] bool has_watchdog() const { return case_.checks.watchdog && !is_alone(); }
  /// Returns false for arbiters that may let a packet wait forever.
  [[nodiscard]] bool is_fair() const { return !config_.fixed_priority && config_.high_bound != 0; }

  const NetworkCase& case_;
  NetworkDut& dut_;
  maze::NetworkConfig config_;
  Ports ports_;
  NetworkLockstep lockstep_;
  NetworkScoreboard scoreboard_;
  LoneLatency latency_;
  Watchdog watchdog_;
  Assertions assertions_;
  RtlReports rtl_;
  OutputHash hash_;
  NetworkCollector collector_;
  std::unique_ptr<DeepCoverage> deep_;
  std::unique_ptr<Stimulus> stimulus_;
  CaseObserver* observer_;
  Harness harness_;
  std::optional<FaultInjector> injector_;
  std::optional<NodeWatch> watch_;
  CheckerSet checkers_;
};

NetworkRun NetworkTrafficCase::run() {
  RunPlan plan;
  plan.cycles = is_alone() ? ~std::uint64_t{0} : case_.cycles;
  plan.quiet_cycles = kQuietCycles;
  plan.after_failure = case_.after_failure;
  plan.resets = draw_resets({.count = case_.resets, .longest = case_.longest_reset}, case_.cycles,
                            case_.seed);
  if (case_.script) plan.resets = case_.script->script.resets;
  if (observer_ != nullptr) observer_->plan(plan);
  const RunEnd end = harness_.run(plan);
  NetworkRun run;
  record_end(run.result, end, checkers_, hash_.value(), dut_);
  const UserTraffic& traffic = run.result.users.emplace(scoreboard_.traffic());
  run.result.delivered = traffic.copies();
  run.result.mean_latency = traffic.of_all().mean();
  if (injector_) {
    run.result.outcome =
        judge_fault(run.result, end, checkers_, injected_fault(*injector_, *case_.fault));
    return run;
  }
  run.result.outcome = judge(run.result, end, checkers_, "");
  if (has_watchdog() && (!is_fair() || watchdog_.checks() == 0) &&
      run.result.outcome == Outcome::Pass) {
    run.result.not_checked.push_back(
        is_fair() ? fmt::format("watchdog: no stretch without a reset was as long as its window of "
                                "{} cycles",
                                case_.watchdog_cycles)
                  : "watchdog: these arbiters may let a packet wait for ever");
  }
  run.link_packets = collector_.links().packets();
  run.link_stalls = collector_.links().stalls();
  run.link_longest_stalls = collector_.links().longest_stalls();
  if (case_.script) return run;
  run.coverage = collector_.coverage();
  if (case_.packets_per_link != 0) {
    run.coverage->require_packets(case_.packets_per_link);
    if (case_.resets == 0) run.coverage->carried(run.link_packets, traffic.accepted);
  }
  if (deep_) run.coverage->deep() = deep_->bins();
  return run;
}

}  // namespace

std::string NetworkCase::pattern_name() const {
  if (script) return "script";
  if (kind != nullptr) return kind->name;
  if (pattern == NetworkPattern::Kind) return std::string(kUniformPattern);
  return std::string(common::name_of(kNetworkPatternNames, pattern));
}

std::string NetworkCase::back_pressure_name() const {
  if (script) return script->stalls.empty() ? "none" : "script";
  return stall_each != 0 ? "one_stalled" : std::string(to_string(back_pressure.kind));
}

NetworkRun run_network_case(const NetworkCase& one, NetworkDut& dut, const CaseOptions& options) {
  NetworkRun run = NetworkTrafficCase(one, dut, options).run();
  run.result.suite = one.suite;
  run.result.name = one.name;
  run.result.seed = one.seed;
  run.result.pattern = one.pattern_name();
  run.result.back_pressure = one.back_pressure_name();
  run.result.failed_node = one.failed;
  return run;
}

NetworkRegression run_network_regression(RegressionResult named,
                                         const std::vector<NetworkCase>& cases,
                                         const NetworkLibrary& library, const RunOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  NetworkRegression network;
  network.result = std::move(named);
  RegressionResult& result = network.result;
  result.dut = "MAZE network";
  {
    const auto dut = library.create(result.seed);
    if (!options.code_coverage.empty()) {
      require_code_coverage(*dut, library.path(), "DEVICE=network ");
    }
    record_model(result, *dut);
  }
  std::vector<PooledCase> pooled;
  for (const NetworkCase& network_case : cases) {
    pooled.push_back(
        {network_case.suite, network_case.name, network_case.seed, network_case.cycles});
  }
  CasePool<NetworkRun> pool(
      std::move(pooled), options, [&](std::size_t i, const Heartbeat& heartbeat) {
        const auto dut = library.create(cases[i].seed);
        CaseOptions of_case;
        of_case.heartbeat = heartbeat;
        NetworkRun run = run_network_case(cases[i], *dut, of_case);
        if (!options.code_coverage.empty()) {
          write_code_coverage(*dut, library.names(),
                              fmt::format("{}/{}.dat", options.code_coverage, i));
        }
        return run;
      });
  const bool interrupted = collect_cases(pool.run(), cases, network);
  result.users.emplace(result.shape);
  for (const CaseResult& one : result.cases) {
    if (one.users && !one.fault) result.users->merge(*one.users);
  }
  std::optional<CoverageGoal> goal;
  if (network.coverage) {
    goal =
        CoverageGoal{network.coverage->summary().total(), network.coverage->holes(~std::size_t{0})};
  }
  conclude(result, interrupted, goal);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return network;
}

void trace_network_case(const NetworkCase& one, const CaseResult& first_run,
                        const NetworkLibrary& traced, const TraceWindow& window,
                        const std::function<bool()>& interrupted) {
  CaseOptions options;
  options.trace = window;
  options.heartbeat = [&](std::uint64_t) { return !interrupted || !interrupted(); };
  const CaseResult again = run_network_case(one, *traced.create(one.seed), options).result;
  require_same_outputs(one.name, first_run, again);
}

}  // namespace kernbench::sim
