// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.hpp"
#include "cli/sim_options.hpp"
#include "common/outcome.hpp"

namespace kernbench::cli {

/// Runs a regression of the network, whose file has this text, as that of TOPO is run. Throws
/// common::BadInput.
[[nodiscard]] common::Outcome simulate_network(const SimOptions& options, const std::string& text,
                                               const Invocation& invocation);

}  // namespace kernbench::cli
