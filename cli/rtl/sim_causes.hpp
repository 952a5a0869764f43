// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "common/outcome.hpp"
#include "sim/debug/diagnosis.hpp"
#include "sim/regression/case_result.hpp"
#include "sim/structure/structure_file.hpp"

namespace kernbench::cli {

/// Returns how the case of this number runs again.
using CaseReruns = std::function<sim::CaseRerun(std::size_t index)>;

/// Finds the causes of the first failures of a run, one of each kind, and writes them to the
/// results and to pages below `report_folder`. `cases` is the number of cases that can run again.
/// Returns InternalError, and prints why, if a case does not fail again.
[[nodiscard]] common::Outcome find_causes(sim::RegressionResult& result, std::size_t cases,
                                          const CaseReruns& reruns,
                                          const std::string& report_folder);

/// Returns the findings of a structure check; none if the design was not checked.
[[nodiscard]] std::vector<sim::structure::Finding> findings_of(
    const sim::structure::ModelStructure& structure);

}  // namespace kernbench::cli
