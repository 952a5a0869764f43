// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace kernbench::common {

/// Returns the names of all outcomes, from the best to the worst.
[[nodiscard]] std::vector<std::string> outcome_names();

}  // namespace kernbench::common
