// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/harness/extension.hpp"
#include "sim/harness/harness.hpp"
#include "sim/stimulus/stimulus.hpp"

namespace kernbench::sim {

/// Takes part in a case that runs again: it may replace the stimulus and the plan, and sees every
/// cycle. Coverage is not collected then.
class CaseObserver {
 public:
  CaseObserver() = default;
  CaseObserver(const CaseObserver&) = delete;
  CaseObserver& operator=(const CaseObserver&) = delete;
  virtual ~CaseObserver() = default;

  /// Returns the stimulus that drives the design in place of the case's. Called once.
  virtual Stimulus& through(Stimulus& own) { return own; }
  /// May change the plan of the run.
  virtual void plan(RunPlan& /*plan*/) {}
  /// Called with the design before the run. Returns what is attached behind the checkers, or null.
  virtual Extension* watch(Dut& /*dut*/) { return nullptr; }
};

}  // namespace kernbench::sim
