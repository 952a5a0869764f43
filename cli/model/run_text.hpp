// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "common/grade.hpp"
#include "model/bench/runner.hpp"
#include "model/report/run_report.hpp"

namespace kernbench::cli {

/// Prints a line for each reason why times are not exact.
void print_reasons(const common::Grade& grade);
/// Prints a line for each algorithm that a group chose.
void print_choices(const model::bench::RunResult& result);
/// Prints the mapping that was chosen, and the next.
void print_mapping(const model::bench::MappingChoice& mapping);
/// Prints how many works were repeated, and how far their times are off.
void print_reuse(const std::optional<model::runtime::RepeatSummary>& repeats);
/// Prints a line for each check, and one for the contracts of all calls of collectives.
void print_checks(const model::report::RunReport& run);
/// Prints the number of races, and the first ones to stderr.
void print_races(const model::report::RunReport& run);
/// Prints the predicted time of each region on the changed system, and the simulated one.
/// Prints the changes of a run; those that are not among `asked` were added.
void print_what_if(const model::report::RunReport& run, const std::vector<std::string>& asked);

}  // namespace kernbench::cli
