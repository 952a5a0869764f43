// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kernbench::sim {

/// A branch of the preprocessor that tells one tool from another: `ifdef, `ifndef or `elsif with a
/// macro that a tool defines.
struct Conditional {
  std::string macro;
  unsigned line = 0;
  friend bool operator==(const Conditional&, const Conditional&) = default;
};

/// The macros that a tool defines of itself.
struct ToolMacros {
  std::string tool;  ///< as in "for synthesis"
  std::set<std::string> macros;
};

/// Verilator, which comes first, and the others whose macros the RTL must not depend on.
[[nodiscard]] const std::vector<ToolMacros>& tool_macros();

/// Returns the conditionals of a source on macros of tool_macros(), in order of their lines. Those
/// around nothing but assertions and $error at elaboration are left out: they are in no design.
[[nodiscard]] std::vector<Conditional> tool_conditionals(std::string_view source);

}  // namespace kernbench::sim
