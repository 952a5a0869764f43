#pragma once

#include <string>

#include "cli/sim_options.hpp"
#include "common/outcome.hpp"

namespace kernbench::cli {

/// Replays the failure of `kernbench cosim` that `options` name and writes the waves around it to
/// the report folder. Builds the traced model first if it is missing. `root` has
/// Makefile.verilator. Throws common::BadInput.
[[nodiscard]] common::Outcome replay_failure(const SimOptions& options, const std::string& root);

}  // namespace kernbench::cli
