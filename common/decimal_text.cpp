// SPDX-License-Identifier: Apache-2.0
#include "common/decimal_text.hpp"

#include <fmt/format.h>

namespace kernbench::common {

std::string decimal_text(std::int64_t value, unsigned digits) {
  std::uint64_t one = 1;
  for (unsigned i = 0; i < digits; ++i) one *= 10;
  const std::uint64_t magnitude =
      value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  std::string text = fmt::format("{}{}", value < 0 ? "-" : "", magnitude / one);
  if (magnitude % one == 0) return text;
  text += fmt::format(".{:0{}}", magnitude % one, digits);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

}  // namespace kernbench::common
