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
        suite_(*spec.suite),
        shape_(dut.info().shape),
        links_(shape_.nx, shape_.ny),
        driver_(shape_, links_, suite_.traffic, suite_.back_pressure, spec.seed),
        harness_(dut, driver_),
        lockstep_(shape_, links_),
        scoreboard_(shape_, links_),
        watchdog_(shape_, links_, suite_.watchdog_cycles),
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
    if (spec.fault == nullptr) {
      harness_.add(coverage_);
      if (options.deep_coverage) {
        deep_.emplace(shape_, links_, suite_.checks.lockstep ? &lockstep_.reference() : nullptr);
        harness_.add(*deep_);
      }
    } else {
      injector_.emplace(shape_, links_, spec.fault->fault, spec.seed);
      harness_.set_tap(&*injector_);
    }
    if (!options.trace.path.empty()) harness_.set_trace(options.trace);
    if (options.heartbeat) harness_.set_heartbeat(options.heartbeat);
  }

  CaseRun run();

 private:
  [[nodiscard]] Outcome judge(const RunEnd& end, CaseResult& result) const;
  [[nodiscard]] Outcome judge_fault(CaseResult& result) const;
  void name_unchecked(CaseResult& result) const;
  /// Returns what explains a run without packets, or "".
  [[nodiscard]] std::string silence() const;

  const CaseSpec& spec_;
  const SuiteSpec& suite_;
  Shape shape_;
  topology::MazeLinks links_;
  Driver driver_;
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
  CheckerSet checkers_;
};

CaseRun TrafficCase::run() {
  RunPlan plan;
  plan.cycles = suite_.cycles;
  plan.resets = draw_resets(suite_.resets, suite_.cycles, spec_.seed);
  for (const std::uint64_t at : suite_.reset_at) plan.resets.push_back({.at = at});
  plan.after_failure = suite_.after_failure;
  const RunEnd end = harness_.run(plan);

  CaseRun run;
  CaseResult& result = run.result;
  result.cycles = end.cycles;
  result.delivered =
      std::accumulate(counter_.packets().begin(), counter_.packets().end(), std::uint64_t{0});
  result.mean_latency = scoreboard_.mean_latency();
  result.output_hash = hash_.value();
  result.checkers = checkers_.results();
  result.failures = checkers_.failures();
  result.rtl_text = rtl_text(dut_);
  result.outcome = judge(end, result);
  if (injector_) return run;
  run.coverage = coverage_.data();
  if (deep_) run.coverage->deep() = deep_->bins();
  run.link_packets = counter_.packets();
  run.link_stalls = counter_.stalls();
  run.link_longest_stalls = counter_.longest_stalls();
  return run;
}

Outcome TrafficCase::judge(const RunEnd& end, CaseResult& result) const {
  if (end.reason == StopReason::Interrupted) {
    result.reason = "interrupted";
    return Outcome::Interrupted;
  }
  if (injector_) return judge_fault(result);
  if (!result.failures.empty()) {
    result.reason = result.failures.front().message;
    if (is_rtl_report(result.failures.front())) return Outcome::Mismatch;
    return watchdog_.failure_count() == 0 || lockstep_.failure_count() != 0 ||
                   scoreboard_.failure_count() != 0
               ? Outcome::Mismatch
               : Outcome::Deadlock;
  }
  if (end.reason == StopReason::DrainLimit) {
    result.reason = "the fabric did not drain";
    return Outcome::Timeout;
  }
  if (const CheckerResult* idle = first_idle(result.checkers)) {
    result.reason = fmt::format("{} compared nothing{}", idle->name, silence());
    return Outcome::Vacuous;
  }
  if (checkers_.empty() || result.delivered == 0) {
    result.reason =
        checkers_.empty() ? "no checker was attached" : "no packet was delivered" + silence();
    return Outcome::Vacuous;
  }
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
  if (!driver_.silent()) return {};
  return fmt::format(": the suite sent nothing in {} cycle{}", suite_.cycles,
                     suite_.cycles == 1 ? "" : "s");
}

/// A case with a fault, and without an end that the RTL called for, passes when all checkers of
/// `caught_by` and none of `missed_by` noticed it.
Outcome TrafficCase::judge_fault(CaseResult& result) const {
  const auto ended = std::find_if(result.failures.begin(), result.failures.end(),
                                  [](auto& one) { return one.checker == kRtlCalls; });
  FaultResult fault;
  fault.kind = fault_name(injector_->spec().kind);
  fault.link = injector_->link();
  fault.injected_at = injector_->injected_at();
  for (const Failure& failure : result.failures) {
    auto& by = fault.caught_by;
    if (std::find(by.begin(), by.end(), failure.checker) == by.end()) by.push_back(failure.checker);
  }
  result.fault = fault;
  if (ended != result.failures.end()) {
    result.reason = ended->message;
    return Outcome::Mismatch;
  }
  if (!fault.injected_at) {
    result.reason = "the fault never took effect";
    return Outcome::Vacuous;
  }
  const auto caught = [&](const std::string& checker) {
    return std::find(fault.caught_by.begin(), fault.caught_by.end(), checker) !=
           fault.caught_by.end();
  };
  if (fault.caught_by.empty()) result.reason = "no checker noticed the fault";
  for (const std::string& checker : spec_.fault->caught_by) {
    if (checkers_.contains(checker) && !caught(checker))
      result.reason = checker + " did not notice the fault";
  }
  for (const std::string& checker : spec_.fault->missed_by) {
    if (caught(checker)) result.reason = checker + " was not expected to notice the fault";
  }
  return result.reason.empty() ? Outcome::Pass : Outcome::Mismatch;
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
  if (spec.suite->kind == SuiteKind::Traffic) {
    run.result.pattern = pattern_name(spec.suite->traffic);
    run.result.back_pressure = to_string(spec.suite->back_pressure.kind);
  } else {
    run.result.pattern = "one packet at a time";
  }
  return run;
}

}  // namespace kernbench::sim
