// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "farm/cluster_engine.hpp"

namespace kernbench::cli {

/// Options that say where the work of a command runs.
struct EngineOptions {
  std::string engine = "local";
  std::string partition;
  std::string time;
  std::string mem;
  std::vector<std::string> submit;
  std::optional<double> chunk_s;
  bool dry_run = false;
};

/// Adds --engine and its options to a command.
void add_engine_options(Command& command, EngineOptions& options);

/// Returns the settings of the cluster, or nothing for `local`. Throws common::BadInput for an
/// engine that does not exist, and for options of a cluster without one.
[[nodiscard]] std::optional<farm::ClusterSettings> cluster_of(const EngineOptions& options,
                                                              const Invocation& invocation);

}  // namespace kernbench::cli
