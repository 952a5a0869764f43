// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "cli/base/command.hpp"
#include "farm/cluster_engine.hpp"

namespace kernbench::cli {

/// The engine that runs the work of a command on this machine.
inline constexpr const char* kLocalEngine = "local";

/// Adds `--engine NAME[:KEY=VALUE,...]` to a command.
void add_engine_option(Command& command, std::string& engine);

/// Returns the settings of the cluster that a value of --engine names, or nothing for `local`.
/// Throws common::BadInput for an engine that does not exist, and for settings that it does not
/// have.
[[nodiscard]] std::optional<farm::ClusterSettings> cluster_of(const std::string& engine,
                                                              const Invocation& invocation);

}  // namespace kernbench::cli
