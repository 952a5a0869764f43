// SPDX-License-Identifier: Apache-2.0
#include "sim/regression/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/check/rtl_reports.hpp"

namespace kernbench::sim {

using common::Outcome;

namespace {

bool has_failed(const CaseResult& result, std::string_view checker) {
  return std::any_of(result.checkers.begin(), result.checkers.end(), [&](const CheckerResult& one) {
    return one.name == checker && one.failures != 0;
  });
}

}  // namespace

InjectedFault injected_fault(const FaultInjector& injector, const FaultCase& spec) {
  FaultResult fault;
  fault.kind = fault_name(injector.spec().kind);
  fault.link = injector.link();
  fault.injected_at = injector.injected_at();
  return {std::move(fault), spec.caught_by, spec.missed_by};
}

void record_end(CaseResult& result, const RunEnd& end, const CheckerSet& checkers,
                std::uint64_t output_hash, const RtlOutput& rtl) {
  result.cycles = end.cycles;
  result.output_hash = output_hash;
  result.checkers = checkers.results();
  result.failures = checkers.failures();
  result.rtl_text = rtl_text(rtl);
}

Outcome judge(CaseResult& result, const RunEnd& end, const CheckerSet& checkers,
              const std::string& why_idle) {
  if (end.reason == StopReason::Interrupted) {
    result.reason = "interrupted";
    return Outcome::Interrupted;
  }
  if (!result.failures.empty()) {
    result.reason = result.failures.front().message;
    if (is_rtl_report(result.failures.front())) return Outcome::Mismatch;
    const bool is_stuck = has_failed(result, "watchdog") && !has_failed(result, "lockstep") &&
                          !has_failed(result, "scoreboard");
    return is_stuck ? Outcome::Deadlock : Outcome::Mismatch;
  }
  if (end.reason == StopReason::DrainLimit) {
    result.reason = "the fabric did not drain";
    return Outcome::Timeout;
  }
  if (const CheckerResult* idle = first_idle(result.checkers)) {
    result.reason = fmt::format("{} compared nothing{}", idle->name, why_idle);
    return Outcome::Vacuous;
  }
  if (checkers.empty() || result.delivered == 0) {
    result.reason =
        checkers.empty() ? "no checker was attached" : "no packet was delivered" + why_idle;
    return Outcome::Vacuous;
  }
  return Outcome::Pass;
}

Outcome judge_fault(CaseResult& result, const RunEnd& end, const CheckerSet& checkers,
                    const InjectedFault& injected) {
  if (end.reason == StopReason::Interrupted) {
    result.reason = "interrupted";
    return Outcome::Interrupted;
  }
  FaultResult& fault = result.fault.emplace(injected.fault);
  for (const Failure& failure : result.failures) {
    auto& by = fault.caught_by;
    if (std::find(by.begin(), by.end(), failure.checker) == by.end()) by.push_back(failure.checker);
  }
  const auto ended = std::find_if(result.failures.begin(), result.failures.end(),
                                  [](auto& one) { return one.checker == kRtlCalls; });
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
  for (const std::string& checker : injected.caught_by) {
    if (checkers.contains(checker) && !caught(checker)) {
      result.reason = checker + " did not notice the fault";
    }
  }
  for (const std::string& checker : injected.missed_by) {
    if (caught(checker)) result.reason = checker + " was not expected to notice the fault";
  }
  return result.reason.empty() ? Outcome::Pass : Outcome::Mismatch;
}

}  // namespace kernbench::sim
