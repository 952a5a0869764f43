// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.hpp"
#include "cli/sim_options.hpp"
#include "common/outcome.hpp"

namespace kernbench::cli {

/// Runs a regression of the network, whose file has this text: builds the model of the network if
/// it is out of date, prints a row for each suite and a message for each case that fails, and
/// writes the reports. Throws common::BadInput.
[[nodiscard]] common::Outcome simulate_network(const SimOptions& options, const std::string& text,
                                               const Invocation& invocation);

}  // namespace kernbench::cli
