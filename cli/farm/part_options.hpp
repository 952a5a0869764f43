// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/farm/engine_options.hpp"
#include "common/parts.hpp"

namespace kernbench::cli {

/// Options of a command whose work has independent parts.
struct PartOptions {
  std::string engine = kLocalEngine;  ///< NAME[:KEY=VALUE,...]
  std::string part;                   ///< LOOP.NUMBER:FOLDER; empty: all parts

  [[nodiscard]] bool is_task() const { return !part.empty(); }
};

/// Adds --engine and --part to a command.
void add_part_options(Command& command, PartOptions& options);

/// Checks the options of an engine before work that takes long. Throws common::BadInput as
/// cluster_of() does, and common::PartComputed after a dry run.
void check_engine(const PartOptions& options, const Invocation& invocation,
                  const std::filesystem::path& output);

/// Values of options, by their names.
using TaskValues = std::map<std::string, std::string>;

/// Returns what runs the parts of the command, or null if they run in this process. Files of a
/// cluster are kept beside `output`, which all nodes must see. The tasks get the options of the
/// command line with these `values`. Throws as check_engine() does.
[[nodiscard]] std::unique_ptr<common::Parts> parts_of(const PartOptions& options,
                                                      const Invocation& invocation,
                                                      const std::filesystem::path& output,
                                                      const TaskValues& values = {});

}  // namespace kernbench::cli
