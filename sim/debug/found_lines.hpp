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

}  // namespace kernbench::sim
