// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/debug/suspects.hpp"

namespace kernbench::sim {

/// Puts the condition of a generate block before each instance in it that is a wrong stage, and the
/// lines that assign to a register before the process that does not do so in a reset. Finds the
/// conditions of Suspect::is_condition, the numbers behind a kNarrow width, and where statements
/// end.
[[nodiscard]] std::vector<Suspect> with_conditions(std::vector<Suspect> lines);

}  // namespace kernbench::sim
