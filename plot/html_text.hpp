// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>

#include "common/outcome.hpp"

namespace kernbench::plot {

/// Appends formatted text.
template <typename... Args>
void print(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

/// Returns the name of the outcome as a coloured badge.
[[nodiscard]] std::string outcome_badge(common::Outcome outcome);
/// Appends one entry of a list of facts (<dl>).
void print_fact(std::string& out, const std::string& name, const std::string& value);
/// Appends one figure of a row of tiles, marked as short when it is not `complete`.
void print_tile(std::string& out, bool complete, const std::string& value,
                const std::string& label);

}  // namespace kernbench::plot
