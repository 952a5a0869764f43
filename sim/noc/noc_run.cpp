// SPDX-License-Identifier: Apache-2.0
#include "sim/noc/noc_run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "common/diagnostics.hpp"
#include "sim/check/rtl_reports.hpp"
#include "sim/dut/code_coverage.hpp"
#include "sim/noc/noc_archive.hpp"
#include "sim/noc/noc_checkers.hpp"
#include "sim/noc/noc_script.hpp"
#include "sim/noc/noc_users.hpp"
#include "sim/regression/judge.hpp"
#include "sim/stimulus/traffic_names.hpp"

namespace kernbench::sim {
namespace {

using common::Outcome;

/// Cycles in which a flit shows on no link while it crosses one with the most registers.
constexpr std::uint64_t kNocQuietCycles = 32;

/// The checkers and collectors of one case, attached to its harness.
class NocTrafficCase {
 public:
  NocTrafficCase(const NocCase& one, const NocBins& bins, NocDut& dut,
                 const NocCaseOptions& options)
      : case_(one),
        dut_(dut),
        lockstep_(bins.device()),
        scoreboard_(bins.device(), one.alone),
        rules_(bins.device()),
        watchdog_(bins.device(), scoreboard_, lockstep_.reference(), one.watchdog_cycles),
        rtl_(dut),
        collector_(bins, lockstep_.reference()),
        stimulus_(options.users == nullptr ? noc_users(bins.device(), one) : nullptr),
        harness_(dut, options.users != nullptr ? *options.users : *stimulus_) {
    const NocChecks& wanted = one.checks;
    if (wanted.lockstep) checkers_.add("lockstep", lockstep_);
    if (wanted.scoreboard || one.alone) checkers_.add("scoreboard", scoreboard_);
    if (wanted.rules) checkers_.add("rules", rules_);
    if (wanted.watchdog) checkers_.add("watchdog", watchdog_);
    rtl_.add_to(checkers_);
    // The watchdog asks both, and the coverage is of the reference.
    if (!checkers_.contains("lockstep")) {
      lockstep_.mute();
      harness_.add(lockstep_);
    }
    if (!checkers_.contains("scoreboard")) {
      scoreboard_.mute();
      harness_.add(scoreboard_);
    }
    checkers_.attach_to(harness_);
    if (one.fault) {
      injector_.emplace(bins.device(), *one.fault, one.seed);
      harness_.set_tap(&*injector_);
    }
    harness_.add(collector_);
    harness_.add(hash_);
    if (options.recorder != nullptr) harness_.add(*options.recorder);
    if (!options.trace.path.empty()) harness_.set_trace(options.trace, nullptr);
    if (options.heartbeat) harness_.set_heartbeat(options.heartbeat);
  }

  NocRun run() {
    RunPlan plan;
    plan.cycles = case_.alone ? ~std::uint64_t{0} : case_.cycles;
    plan.quiet_cycles = kNocQuietCycles;
    plan.drain_limit = case_.watchdog_cycles + (case_.script ? 1000 : 100'000);
    plan.after_failure = case_.after_failure;
    plan.resets = resets_of(case_);
    const RunEnd end = harness_.run(plan);
    NocRun run;
    record_end(run.result, end, checkers_, hash_.value(), dut_);
    const UserTraffic& traffic = run.result.users.emplace(scoreboard_.traffic());
    run.result.delivered = traffic.copies();
    run.result.mean_latency = traffic.of_all().mean();
    if (injector_) {
      const NocFault& fault = *case_.fault;
      FaultResult injected{.kind = std::string(fault_name(fault.kind)),
                           .link = {},
                           .injected_at = injector_->injected_at(),
                           .caught_by = {},
                           .place = injector_->place()};
      run.result.outcome = judge_fault(run.result, end, checkers_,
                                       {std::move(injected), fault.caught_by, fault.missed_by});
      return run;
    }
    run.result.outcome = judge(run.result, end, checkers_, "");
    run.link_packets = collector_.flits();
    if (!case_.script) run.coverage = collector_.hits();
    return run;
  }

 private:
  const NocCase& case_;
  NocDut& dut_;
  NocLockstep lockstep_;
  NocScoreboard scoreboard_;
  NocRules rules_;
  NocWatchdog watchdog_;
  RtlReports rtl_;
  NocOutputHash hash_;
  NocCollector collector_;
  std::unique_ptr<NocStimulus> stimulus_;
  HarnessOf<NocFrame> harness_;
  CheckerSet checkers_;
  std::optional<NocFaultInjector> injector_;
};

}  // namespace

std::unique_ptr<NocStimulus> noc_users(const NocDevice& device, const NocCase& one) {
  if (one.script) return std::make_unique<ScriptedNocUsers>(device, *one.script);
  if (one.alone) return std::make_unique<LoneNocUsers>(device);
  return std::make_unique<NocUsers>(device, one);
}

std::vector<ResetEvent> resets_of(const NocCase& one) {
  if (one.script) return one.script->events.resets;
  return draw_resets({.count = one.resets, .longest = one.longest_reset}, one.cycles, one.seed);
}

void require_network(NocDut& dut, const noc::Network& network, const std::string& path) {
  const NocInfo& info = dut.info();
  const noc::Sizes& sizes = network.sizes();
  if (info.nodes != network.nodes() || info.channels != network.channels().size() ||
      info.vcs != sizes.vcs() || info.flit_bits != sizes.flit_bits) {
    throw common::BadInput(fmt::format(
        "{}: the model has {} nodes, {} channels, {} virtual channels and flits of {} bits; the "
        "network has {}, {}, {} and {}",
        path, info.nodes, info.channels, info.vcs, info.flit_bits, network.nodes(),
        network.channels().size(), sizes.vcs(), sizes.flit_bits));
  }
  if (const std::string missing = dut.expect(network); !missing.empty()) {
    throw common::BadInput(fmt::format("{}: {}", path, missing));
  }
}

NocRun run_noc_case(const NocCase& one, const NocBins& bins, NocDut& dut,
                    const NocCaseOptions& options) {
  NocRun run = NocTrafficCase(one, bins, dut, options).run();
  run.result.suite = one.suite;
  run.result.name = one.name;
  run.result.seed = one.seed;
  run.result.pattern = one.pattern_name();
  run.result.back_pressure = std::string(to_string(one.back_pressure.kind));
  return run;
}

NocRegression run_noc_regression(RegressionResult named, const std::vector<NocCase>& cases,
                                 const NocBins& bins, const NocLibrary& library,
                                 const RunOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  NocRegression network;
  network.result = std::move(named);
  RegressionResult& result = network.result;
  {
    const auto dut = library.create(result.seed);
    require_network(*dut, bins.device().network, library.path());
    if (!options.code_coverage.empty()) {
      require_code_coverage(*dut, library.path(), "DEVICE=noc ");
    }
    record_model(result, *dut);
  }
  std::vector<PooledCase> pooled;
  for (const NocCase& one : cases) {
    pooled.push_back({one.suite, one.name, one.seed, one.cycles});
  }
  CasePool<NocRun> pool(std::move(pooled), options, [&](std::size_t i, const Heartbeat& heartbeat) {
    const auto dut = library.create(cases[i].seed);
    require_network(*dut, bins.device().network, library.path());
    NocCaseOptions of_case;
    of_case.heartbeat = heartbeat;
    NocRun run = run_noc_case(cases[i], bins, *dut, of_case);
    if (!options.code_coverage.empty()) {
      write_code_coverage(*dut, library.names(),
                          fmt::format("{}/{}.dat", options.code_coverage, i));
    }
    return run;
  });
  const bool interrupted = collect_cases(pool.run(), cases, network);
  result.users.emplace();
  for (const CaseResult& one : result.cases) {
    if (one.users && !one.fault) result.users->merge(*one.users);
  }
  std::optional<CoverageGoal> goal;
  if (network.coverage && result.full_coverage) {
    const CoverageSummary summary = summary_of(bins, *network.coverage);
    std::vector<std::string> missed;
    for (const CoverageGroup& group : summary.groups) {
      missed.insert(missed.end(), group.missed.begin(), group.missed.end());
    }
    goal = CoverageGoal{summary.total(), std::move(missed)};
  }
  conclude(result, interrupted, goal);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return network;
}

void trace_noc_case(const NocCase& one, const CaseResult& first_run, const NocBins& bins,
                    const NocLibrary& traced, const TraceWindow& window,
                    const std::function<bool()>& interrupted) {
  NocCaseOptions options;
  options.trace = window;
  options.heartbeat = [&](std::uint64_t) { return !interrupted || !interrupted(); };
  const auto dut = traced.create(one.seed);
  require_network(*dut, bins.device().network, traced.path());
  const CaseResult again = run_noc_case(one, bins, *dut, options).result;
  require_same_outputs(one.name, first_run, again);
}

}  // namespace kernbench::sim
