// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/regression/regression_spec.hpp"

namespace kernbench::sim {

/// Gives every suite of traffic this number of cycles. Removes the suites that cannot be judged
/// after so few: those whose pattern or resets need more, and those that inject faults in fewer
/// cycles than their expectations were written for. Drops the resets that begin later. Returns what
/// was left out, with the number of cycles that it needs.
std::vector<LeftOut> set_cycles(RegressionSpec& spec, std::uint64_t cycles);

}  // namespace kernbench::sim
