// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "common/duration_text.hpp"
#include "common/text_lines.hpp"

namespace kernbench::sim {

using common::counted;
using common::duration_text;
using common::grouped;

/// Formats with three to four digits and a unit: "987", "12.3 k", "112.4 M", "1.2 G".
[[nodiscard]] std::string short_count(std::uint64_t value);
/// Formats a percentage, "97.5 %", rounded down so that only a whole is "100.0 %". Returns "-" when
/// `whole` is 0.
[[nodiscard]] std::string percent(std::uint64_t part, std::uint64_t whole);
/// Formats picoseconds as nanoseconds: "12.3".
[[nodiscard]] std::string ns_text(double ps);

}  // namespace kernbench::sim
