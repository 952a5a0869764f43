#pragma once

#include <cstdint>
#include <string>

namespace kernbench::common {

/// value / 10^digits, exactly and as short as possible: decimal_text(1500, 3) is "1.5".
[[nodiscard]] std::string decimal_text(std::int64_t value, unsigned digits);

}  // namespace kernbench::common
