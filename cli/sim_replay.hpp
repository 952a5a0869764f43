#pragma once

#include <string>

#include "cli/command.hpp"
#include "sim/dut/model_store.hpp"

namespace kernbench::cli {

/// Replays a failure of `kernbench cosim` and writes the waves around it to `report_folder`. Builds
/// the traced model first if it is missing. Throws common::BadInput.
[[nodiscard]] common::Outcome replay_failure(const std::string& reproduction,
                                             const std::string& root, const sim::ModelStore& store,
                                             const std::string& report_folder, bool checkers);

}  // namespace kernbench::cli
