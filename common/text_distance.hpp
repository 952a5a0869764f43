// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace kernbench::common {

/// Returns the restricted Damerau-Levenshtein distance (optimal string alignment): the number of
/// insertions, deletions, substitutions and swaps of adjacent characters that turn `a` into `b`.
[[nodiscard]] std::size_t text_distance(std::string_view a, std::string_view b);

/// Returns the candidate nearest to `name`, ignoring case, for a "did you mean" hint. The distance
/// must not exceed a third of the longer name's length; a distance of 1 is always accepted if at
/// least one letter is left. Ties go to the first candidate. If none is so near, returns the first
/// one with `name`, of at least four characters, as a whole word between '.', '_' and '-'.
[[nodiscard]] std::optional<std::string_view> nearest_name(
    std::string_view name, std::span<const std::string_view> candidates);

/// Returns "; did you mean 'x'?" with the candidate nearest to `name`, or "" if none is near.
[[nodiscard]] std::string did_you_mean(std::string_view name,
                                       std::span<const std::string_view> candidates);

/// Returns "unknown plan 'x': use a, b; did you mean 'y'?" for a `what` such as "plan", with the
/// hint of did_you_mean() if there is one.
[[nodiscard]] std::string unknown_name(std::string_view what, std::string_view name,
                                       std::span<const std::string_view> known);

}  // namespace kernbench::common
