// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "common/value_form.hpp"

namespace kernbench::plot {

/// Rows of a table on a page. The report has them all.
inline constexpr std::size_t kMostRows = 50;

/// Returns a value of a report as HTML: single values as a list of facts, a list of objects as a
/// table of its first `most_rows` rows, an object with both. Headings have the units. A list of
/// objects inside a row is shown as their number, or as columns if no row has several. Columns that
/// have the same value in all rows of a wide table stand above it.
[[nodiscard]] std::string html_of_value(const common::ValueForm& form, const nlohmann::json& value,
                                        std::size_t most_rows = kMostRows);

}  // namespace kernbench::plot
