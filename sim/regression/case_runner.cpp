// SPDX-License-Identifier: Apache-2.0
#include "sim/regression/case_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/check/assertions.hpp"
#include "sim/check/checker_set.hpp"
#include "sim/check/connectivity.hpp"
#include "sim/check/delivery.hpp"
#include "sim/check/link_counter.hpp"
#include "sim/check/lockstep.hpp"
#include "sim/check/output_hash.hpp"
#include "sim/check/rtl_reports.hpp"
#include "sim/check/scoreboard.hpp"
#include "sim/check/watchdog.hpp"
#include "sim/cover/deep_coverage.hpp"
#include "sim/cover/functional_coverage.hpp"
#include "sim/fault/fault_injector.hpp"
#include "sim/harness/link_watch.hpp"
#include "sim/regression/judge.hpp"
#include "sim/stimulus/driver.hpp"
#include "sim/stimulus/traffic_names.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

using common::Outcome;
using maze::Shape;

namespace {

/// The checkers and collectors of one traffic case, attached to its harness.
class TrafficCase {
 public:
  TrafficCase(const CaseSpec& spec, MazeDut& dut, const CaseOptions& options)
      : spec_(spec),
        observer_(options.observer),
        suite_(*spec.suite),
        shape_(dut.info().shape),
        links_(shape_.nx, shape_.ny),
        driver_(shape_, links_, suite_.traffic, suite_.back_pressure, spec.seed),
        harness_(dut, observer_ == nullptr ? stimulus() : observer_->through(stimulus())),
        lockstep_(shape_, links_),
        scoreboard_(shape_, links_),
        watchdog_(links_, suite_.watchdog_cycles),
        assertions_(dut, links_),
        dut_(dut),
        rtl_(dut),
        delivery_(shape_, links_, driver_.links(), driver_.reached()),
        counter_(shape_),
        hash_(shape_),
        coverage_(shape_, links_, suite_.back_pressure.kind,
                  suite_.checks.lockstep ? &lockstep_.reference() : nullptr,
                  options.packets_per_link) {
    const Checks& wanted = suite_.checks;
    if (wanted.lockstep) checkers_.add("lockstep", lockstep_);
    if (wanted.scoreboard) checkers_.add("scoreboard", scoreboard_);
    if (wanted.watchdog) checkers_.add("watchdog", watchdog_);
    if (wanted.assertions && dut.info().checkers) checkers_.add("assertions", assertions_);
    if (wanted.delivery) checkers_.add("delivery", delivery_);
    rtl_.add_to(checkers_);
    checkers_.attach_to(harness_);
    harness_.add(counter_);
    harness_.add(hash_);
    if (observer_ != nullptr) {
      if (Extension* watch = observer_->watch(dut)) harness_.add(*watch);
    } else if (is_covered()) {
      harness_.add(coverage_);
      if (options.deep_coverage) {
        deep_.emplace(shape_, links_, suite_.checks.lockstep ? &lockstep_.reference() : nullptr);
        harness_.add(*deep_);
      }
    }
    if (spec.fault != nullptr) {
      injector_.emplace(shape_, links_, spec.fault->fault, spec.seed);
      harness_.set_tap(&*injector_);
    }
    if (!options.trace.path.empty()) {
      if (options.trace.link) watch_.emplace(dut, *options.trace.link);
      harness_.set_trace(options.trace, watch_ ? &*watch_ : nullptr);
    }
    if (options.heartbeat) harness_.set_heartbeat(options.heartbeat);
  }

  CaseRun run();

 private:
  /// Returns what drives the design, made when it is first asked for.
  Stimulus& stimulus() {
    if (!suite_.script) return driver_;
    return script_.emplace(suite_.script->script, shape_, shape_.ports());
  }
  [[nodiscard]] bool is_covered() const { return spec_.fault == nullptr && !suite_.script; }
  [[nodiscard]] Outcome judge_case(const RunEnd& end, CaseResult& result) const;
  void name_unchecked(CaseResult& result) const;
  /// Returns what explains a run without packets, or "".
  [[nodiscard]] std::string silence() const;

  const CaseSpec& spec_;
  CaseObserver* observer_;
  const SuiteSpec& suite_;
  Shape shape_;
  topology::MazeLinks links_;
  Driver driver_;
  std::optional<ScriptStimulus> script_;
  Harness harness_;
  Lockstep lockstep_;
  Scoreboard scoreboard_;
  Watchdog watchdog_;
  Assertions assertions_;
  MazeDut& dut_;
  RtlReports rtl_;
  Delivery delivery_;
  LinkCounter counter_;
  OutputHash hash_;
  FunctionalCoverage coverage_;
  std::optional<DeepCoverage> deep_;
  std::optional<FaultInjector> injector_;
  std::optional<LinkWatch> watch_;
  CheckerSet checkers_;
};

CaseRun TrafficCase::run() {
  RunPlan plan;
  plan.cycles = suite_.cycles;
  plan.resets = draw_resets(suite_.resets, suite_.cycles, spec_.seed);
  for (const std::uint64_t at : suite_.reset_at) plan.resets.push_back({.at = at});
  if (suite_.script) plan.resets = suite_.script->script.resets;
  plan.after_failure = suite_.after_failure;
  if (observer_ != nullptr) observer_->plan(plan);
  const RunEnd end = harness_.run(plan);

  CaseRun run;
  CaseResult& result = run.result;
  record_end(result, end, checkers_, hash_.value(), dut_);
  result.delivered =
      std::accumulate(counter_.packets().begin(), counter_.packets().end(), std::uint64_t{0});
  result.mean_latency = scoreboard_.mean_latency();
  result.outcome = judge_case(end, result);
  if (injector_) return run;
  if (is_covered()) run.coverage = coverage_.data();
  if (deep_) run.coverage->deep() = deep_->bins();
  run.link_packets = counter_.packets();
  run.link_stalls = counter_.stalls();
  run.link_longest_stalls = counter_.longest_stalls();
  return run;
}

Outcome TrafficCase::judge_case(const RunEnd& end, CaseResult& result) const {
  if (injector_)
    return judge_fault(result, end, checkers_, injected_fault(*injector_, *spec_.fault));
  const Outcome outcome = judge(result, end, checkers_, silence());
  if (outcome != Outcome::Pass) return outcome;
  if (suite_.checks.delivery && !delivery_.unreached_text().empty() && !suite_.shortened) {
    result.reason = fmt::format("delivery did not check {}; the suite needs more cycles",
                                delivery_.unreached_text());
    return Outcome::Vacuous;
  }
  name_unchecked(result);
  return Outcome::Pass;
}

void TrafficCase::name_unchecked(CaseResult& result) const {
  if (suite_.checks.delivery && !delivery_.unreached_text().empty()) {
    result.not_checked.push_back("delivery: " + delivery_.unreached_text());
  }
  if (suite_.checks.watchdog && watchdog_.checks() == 0) {
    result.not_checked.push_back(
        fmt::format("watchdog: no stretch without a reset was as long as its window of {} cycles",
                    suite_.watchdog_cycles));
  }
}

std::string TrafficCase::silence() const {
  if (suite_.script || !driver_.silent()) return {};
  return fmt::format(": the suite sent nothing in {} cycle{}", suite_.cycles,
                     suite_.cycles == 1 ? "" : "s");
}

CaseRun run_connectivity(MazeDut& dut) {
  const Shape shape = dut.info().shape;
  const topology::MazeLinks links(shape.nx, shape.ny);
  const std::vector<FoundLink> found = discover_connectivity(dut);
  CaseRun run;
  CaseResult& result = run.result;
  result.failures = compare_connectivity(found, links);
  result.checkers.push_back({"connectivity", found.size(), result.failures.size()});
  for (const FoundLink& link : found) result.delivered += link.targets.size();
  for (Failure& failure : finished_failures(dut)) {
    const auto known =
        std::find_if(result.checkers.begin(), result.checkers.end(),
                     [&](const CheckerResult& one) { return one.name == failure.checker; });
    if (known == result.checkers.end()) {
      result.checkers.push_back({failure.checker, 1, 1});
    } else {
      ++known->failures;
    }
    result.failures.push_back(std::move(failure));
  }
  result.rtl_text = rtl_text(dut);
  if (!result.failures.empty()) {
    result.reason = result.failures.front().message;
    result.outcome = Outcome::Mismatch;
  }
  return run;
}

}  // namespace

CaseRun run_case(const CaseSpec& spec, MazeDut& dut, const CaseOptions& options) {
  CaseRun run = spec.suite->kind == SuiteKind::Connectivity ? run_connectivity(dut)
                                                            : TrafficCase(spec, dut, options).run();
  run.result.suite = spec.suite->name;
  run.result.seed = spec.seed;
  run.result.pattern = spec.suite->traffic_name();
  run.result.back_pressure = spec.suite->back_pressure_name();
  return run;
}

}  // namespace kernbench::sim
