// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace kernbench::cli {

/// Returns the version of the program, such as "0.3.0".
[[nodiscard]] std::string_view version();

/// Returns git's name of the source that the program was built from: "1a2b3c4d5e", with "-dirty"
/// appended for uncommitted changes, or "unknown".
[[nodiscard]] std::string_view revision();

/// Returns version and revision as reports have them: "0.3.0+1a2b3c4d5e".
[[nodiscard]] inline std::string source_revision() {
  return std::string(version()) + '+' + std::string(revision());
}

}  // namespace kernbench::cli
