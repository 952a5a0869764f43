// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/check/checker_set.hpp"
#include "sim/dut/rtl_output.hpp"
#include "sim/fault/fault_injector.hpp"
#include "sim/harness/run_end.hpp"
#include "sim/regression/case_result.hpp"
#include "sim/regression/regression_spec.hpp"

namespace kernbench::sim {

/// A fault that a case has injected, and what has to notice it.
struct InjectedFault {
  FaultResult fault;                          ///< without the checkers that noticed it
  const std::vector<std::string>& caught_by;  ///< checkers that must notice it; empty: any one
  const std::vector<std::string>& missed_by;  ///< checkers that must not notice it
};
[[nodiscard]] InjectedFault injected_fault(const FaultInjector& injector, const FaultCase& spec);

/// Sets what the end of a case tells about it: cycles, checkers, failures, hash of the outputs and
/// text of the RTL.
void record_end(CaseResult& result, const RunEnd& end, const CheckerSet& checkers,
                std::uint64_t output_hash, const RtlOutput& rtl);

/// Judges a case without a fault by its checkers, and sets its reason. A case that delivered
/// nothing, or with a checker that compared nothing, is vacuous; `why_idle` explains it.
[[nodiscard]] common::Outcome judge(CaseResult& result, const RunEnd& end,
                                    const CheckerSet& checkers, const std::string& why_idle);

/// Judges a case with a fault, and sets its reason and its fault. It passes when all checkers of
/// `caught_by` and none of `missed_by` noticed the fault, and the RTL did not call for an end.
[[nodiscard]] common::Outcome judge_fault(CaseResult& result, const RunEnd& end,
                                          const CheckerSet& checkers, const InjectedFault& fault);

}  // namespace kernbench::sim
