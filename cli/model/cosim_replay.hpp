// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/rtl/sim_options.hpp"
#include "common/outcome.hpp"
#include "common/report_envelope.hpp"

namespace kernbench::cli {

/// Repeats the failure of `kernbench cosim` that a report of kind sim::kReproductionKind has, and
/// writes its waves to the report folder. Builds the model first if it is missing. `root` has
/// Makefile.verilator. Throws common::BadInput.
[[nodiscard]] common::Outcome replay_cosimulation(const common::ReportEnvelope& report,
                                                  const SimOptions& options,
                                                  const std::string& root);

}  // namespace kernbench::cli
