#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace kernbench::common {

/// Damerau-Levenshtein distance in its restricted form (optimal string alignment): how many
/// insertions, deletions, replacements and swaps of neighbours turn `a` into `b`.
[[nodiscard]] std::size_t text_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `name`, letter case aside, if it is near enough to be what was meant:
/// at most a third of the longer one's letters differ (one may always, if another stays).
/// Of equally near ones the first.
[[nodiscard]] std::optional<std::string_view> nearest_name(
    std::string_view name, std::span<const std::string_view> candidates);

}  // namespace kernbench::common
