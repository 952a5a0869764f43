// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/bench/what_if.hpp"

namespace kernbench::model::report {

/// Rules for the pages that have the section.
[[nodiscard]] std::string_view tornado_style();
/// Returns a table of the rows as HTML, with a bar from the shortest to the longest time of each.
[[nodiscard]] std::string tornado_section(const std::vector<bench::TornadoRow>& rows);

}  // namespace kernbench::model::report
