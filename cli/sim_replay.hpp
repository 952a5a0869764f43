#pragma once

#include <string>

#include "cli/command.hpp"
#include "sim/dut/model_store.hpp"

namespace kernbench::cli {

/// Runs the failure of a `kernbench cosim` again, on a model with waves that is built first if need
/// be, and writes the waves around it to `report_folder`. Throws common::BadInput.
[[nodiscard]] common::Outcome replay_failure(const std::string& reproduction,
                                             const sim::ModelStore& store,
                                             const std::string& report_folder, bool checkers);

}  // namespace kernbench::cli
