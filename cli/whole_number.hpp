#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>

namespace kernbench::cli {

/// Checks the text of an option before CLI11 converts it: CLI11 alone takes -1 for 2^64-1, the
/// largest number for one that is too large, and a leading 0 for octal.
[[nodiscard]] CLI::Validator whole_number(
    std::uint64_t min, std::uint64_t max = std::numeric_limits<std::uint64_t>::max());

}  // namespace kernbench::cli
