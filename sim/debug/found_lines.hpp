// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/debug/suspects.hpp"
#include "sim/structure/finding.hpp"

namespace kernbench::sim {

/// Returns the lines of the RTL that findings of the structure check point at, the likeliest first.
/// A finding about an instance names a port, a field or a parameter; its line is that of this
/// connection. Where several connections of an instance are wrong, the declaration of a parameter
/// that all of them use comes first; what a wrong parameter calls comes last.
[[nodiscard]] std::vector<Suspect> lines_of_findings(
    const std::vector<structure::Finding>& findings);

/// Puts the condition of a generate block before each instance in it that is a wrong stage, and the
/// lines that assign to a register before the process that does not do so in a reset. Finds where
/// statements end.
[[nodiscard]] std::vector<Suspect> with_conditions(std::vector<Suspect> lines);

}  // namespace kernbench::sim
