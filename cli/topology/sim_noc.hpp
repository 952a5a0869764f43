// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/rtl/sim_options.hpp"
#include "common/outcome.hpp"

namespace kernbench::cli {

/// Runs a regression of a network of any topology, whose file has this text, as `kernbench sim`
/// does: generates its RTL unless the options name other RTL, builds the model, and writes the
/// reports. Throws common::BadInput.
[[nodiscard]] common::Outcome simulate_noc(const SimOptions& options, const std::string& text,
                                           const Invocation& invocation);

/// Elaborates the RTL of the network that the options name, or their RTL for it, and checks its
/// structure. Prints the findings and a verdict. Throws common::BadInput.
[[nodiscard]] common::Outcome check_noc_structure(const SimOptions& options,
                                                  const Invocation& invocation);

/// Reads a regression of a network of any topology, whose file has this text, for a soak, and
/// builds its model. Throws common::BadInput.
void soak_noc(const SimOptions& options, const std::string& text, const Invocation& invocation,
              Soaked& soaked);

}  // namespace kernbench::cli
