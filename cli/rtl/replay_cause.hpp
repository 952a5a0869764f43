// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/rtl/sim_options.hpp"
#include "common/outcome.hpp"
#include "sim/debug/diagnosis.hpp"
#include "sim/regression/case_result.hpp"

namespace kernbench::cli {

/// The design on which a replay fails, as its failure page names it.
struct ReplayedDesign {
  std::string title;  ///< design and size
  std::string dut;    ///< design alone, as in sim::FailureReport
  std::string model_hash;
  std::string suite_command = {};  ///< command that runs the suite of the failure; may be empty
};

/// Runs what a replay did as a case, looks for the cause of its failure, prints it and writes its
/// page below the report folder. Prints why there is no cause if the case passes. `diagnose` finds
/// the cause as sim::diagnose() does.
[[nodiscard]] common::Outcome explain_replay(
    sim::CaseResult failed, const ReplayedDesign& design, const SimOptions& options,
    const std::function<std::optional<sim::Diagnosis>(const sim::CaseResult& failed)>& diagnose);

/// Returns the folder of the page that explain_replay() writes.
[[nodiscard]] std::string folder_of_cause(const SimOptions& options);

}  // namespace kernbench::cli
