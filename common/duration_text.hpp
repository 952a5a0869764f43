// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kernbench::common {

/// Formats host time: "0.42 s", "54.2 s", "3 min 07 s", "2 h 05 min".
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace kernbench::common
