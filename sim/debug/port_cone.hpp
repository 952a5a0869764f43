// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/debug/suspects.hpp"

namespace kernbench::sim {

/// Returns the lines in front of the first wrong port of a recording, the nearest first: for RTL
/// whose registers the reference does not know.
[[nodiscard]] SuspectList cone_of_port(const Recording& recording, const structure::Design& design);

}  // namespace kernbench::sim
