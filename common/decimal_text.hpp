// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace kernbench::common {

/// Returns value / 10^digits exactly, without trailing zeros: decimal_text(1500, 3) is "1.5".
[[nodiscard]] std::string decimal_text(std::int64_t value, unsigned digits);

}  // namespace kernbench::common
