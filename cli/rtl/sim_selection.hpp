// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/rtl/sim_options.hpp"
#include "sim/regression/regression_spec.hpp"

namespace kernbench::cli {

/// Throws common::BadInput unless the options name at most one source of RTL, and it exists. Names
/// what is ignored in it.
void check_sources(const SimOptions& options, const std::string& root);

/// Checks the regression of the options, whose file has this text, and applies the options that
/// change what it runs.
/// Names the suites that they leave out. A partial regression does not require full coverage.
/// Throws common::BadInput for names that the file does not have, and when nothing is left to run.
[[nodiscard]] sim::RegressionSpec selected_regression(const SimOptions& options,
                                                      const std::string& text);

/// Returns true if --suite selects a suite, or one case of it.
[[nodiscard]] bool is_asked(const SimOptions& options, const std::string& suite,
                            const std::string& name);

/// Throws common::BadInput unless there is a fault of this name, or the name is empty. `known` are
/// those of the design.
void check_fault_name(const std::string& name, const std::vector<std::string_view>& known);
/// Does so for the faults of TOPO and of the MAZE network.
void check_fault_name(const std::string& name);

/// Prints the suites of a regression.
void list_suites(const sim::RegressionSpec& spec);

}  // namespace kernbench::cli
