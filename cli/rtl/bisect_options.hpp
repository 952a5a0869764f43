// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/base/command.hpp"
#include "cli/rtl/failure_file.hpp"
#include "common/outcome.hpp"

namespace kernbench::cli {

/// Runs the case of a failure with values of one option of `kernbench sim`, and prints at which it
/// fails. `over` is NAME=A,B,C, whose values are all tried, or NAME=FIRST..LAST, whole numbers:
/// FIRST has to pass and LAST to fail, and the least one that fails is looked for by halving; seeds
/// are all tried. `path` is that of the failure. Throws common::BadInput for values that the option
/// does not take. Returns Vacuous if no value could be judged.
[[nodiscard]] common::Outcome bisect_over(const FailureFile& failure, const std::string& path,
                                          const std::string& over, const Invocation& invocation);

}  // namespace kernbench::cli
