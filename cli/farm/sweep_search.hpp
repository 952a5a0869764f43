// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "cli/base/command.hpp"
#include "cli/farm/sweep_run.hpp"
#include "common/outcome.hpp"

namespace kernbench::cli {

/// Runs the search of a plan: all points cheaply, whose rows are in the database `screened`, and
/// then those in full that may be the best. Prints how many ran and whether the best one is sure.
/// Returns Interrupted if a signal stopped it.
[[nodiscard]] common::Outcome run_search(SweepRun& run, const std::filesystem::path& screened,
                                         const PointEngine& engine, const Invocation& invocation);

}  // namespace kernbench::cli
