// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/base/command.hpp"
#include "common/outcome.hpp"
#include "maze/link_frame.hpp"
#include "sim/debug/diagnosis.hpp"
#include "sim/regression/case_result.hpp"
#include "sim/structure/structure_file.hpp"

namespace kernbench::cli {

/// How the cause of a failed case is found, and the commands of its page.
struct CaseCause {
  /// Returns nothing for failures that have no page. Throws std::logic_error, which says what
  /// differed, if the case does not fail again as it did.
  std::function<std::optional<sim::Diagnosis>(const sim::CaseResult& failed)> diagnose;
  Words words = {};  ///< command that runs the case again, word by word
  /// Returns the command that runs a regression file on the same design.
  std::function<std::string(const std::string& file)> command_of = {};
};

/// Returns how the cause of the case of this number is found.
using CaseCauses = std::function<CaseCause(std::size_t index)>;

/// Finds the causes of the first failures of a run, one of each kind, and writes them to the
/// results and to pages below `report_folder`. `cases` is the number of cases that can run again.
/// Returns InternalError, and prints why, if a case does not fail again.
[[nodiscard]] common::Outcome find_causes(sim::RegressionResult& result, std::size_t cases,
                                          const CaseCauses& causes,
                                          const std::string& report_folder);

/// Returns the title of a page: "MAZE network 3x3, node [2,1] failed".
[[nodiscard]] std::string title_of(const std::string& design, const maze::Shape& shape,
                                   std::optional<unsigned> failed_node);

/// Returns the findings of a structure check; none if the design was not checked.
[[nodiscard]] std::vector<sim::structure::Finding> findings_of(
    const sim::structure::ModelStructure& structure);

}  // namespace kernbench::cli
