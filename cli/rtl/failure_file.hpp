// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/base/command.hpp"
#include "cli/rtl/sim_options.hpp"

namespace kernbench::cli {

/// The design of failures of a network of any topology.
inline constexpr const char* kNocDesign = "NOC";

/// A failure.json, as far as another run starts from it.
struct FailureFile {
  std::string design;
  Words words;             ///< command that runs the case again, `sim` first
  std::string model_hash;  ///< hash of the model on which it failed
  std::string checker;
  std::string kind;
};

/// Reads a failure.json. Throws common::BadInput for another file, and for one whose command is not
/// one of `kernbench sim`.
[[nodiscard]] FailureFile read_failure(const std::string& path);

/// Returns the options of the command of a failure. Throws common::BadInput if the program does not
/// know them.
[[nodiscard]] SimOptions options_of(const FailureFile& failure, const std::string& path,
                                    const Invocation& invocation);

}  // namespace kernbench::cli
