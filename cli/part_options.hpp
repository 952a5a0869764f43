// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/engine_options.hpp"
#include "common/parts.hpp"

namespace kernbench::cli {

/// Options of a command whose work has independent parts.
struct PartOptions {
  EngineOptions engine;
  std::string part;  ///< LOOP.NUMBER:FOLDER; empty: all parts

  [[nodiscard]] bool is_task() const { return !part.empty(); }
};

/// Adds --engine with its options, and --part, to a command.
void add_part_options(CLI::App& command, PartOptions& options);

/// Checks the options of an engine before work that takes long. Throws common::BadInput as
/// cluster_of() does, and common::PartComputed after a dry run.
void check_engine(const PartOptions& options, const Invocation& invocation,
                  const std::filesystem::path& output);

/// Returns what runs the parts of the command, or null if they run in this process. Files of a
/// cluster are kept beside `output`, which all nodes must see. `further` are words that only the
/// tasks get. Throws as check_engine() does.
[[nodiscard]] std::unique_ptr<common::Parts> parts_of(const PartOptions& options,
                                                      const Invocation& invocation,
                                                      const std::filesystem::path& output,
                                                      const std::vector<std::string>& further = {});

/// Returns the words of a command line without the options that say where its parts run, so that a
/// report does not depend on them.
[[nodiscard]] std::vector<std::string> without_engine(const std::vector<std::string>& words);

}  // namespace kernbench::cli
