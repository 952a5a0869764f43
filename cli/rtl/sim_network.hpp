// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/base/command.hpp"
#include "cli/rtl/sim_options.hpp"
#include "common/outcome.hpp"
#include "sim/build/model_store.hpp"
#include "sim/network/network_spec.hpp"

namespace kernbench::cli {

/// Runs a regression of the network, whose file has this text, as that of TOPO is run. Throws
/// common::BadInput.
[[nodiscard]] common::Outcome simulate_network(const SimOptions& options, const std::string& text,
                                               const Invocation& invocation);

/// Returns the model that the options ask for, builds it first where that is needed, and refuses
/// one of another size or with other arbiters. Throws common::BadInput.
[[nodiscard]] std::string network_model(const sim::NetworkSpec& spec, const SimOptions& options,
                                        const sim::ModelStore& store);

}  // namespace kernbench::cli
