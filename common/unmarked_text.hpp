// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "common/diagnostics.hpp"

namespace kernbench::common {

/// Returns the text of an error for a message that has its own mark: without "error: " at its
/// beginning.
[[nodiscard]] inline std::string unmarked_text(const BadInput& error) {
  constexpr std::string_view kMark = "error: ";
  std::string text = error.what();
  if (text.starts_with(kMark)) text.erase(0, kMark.size());
  return text;
}

}  // namespace kernbench::common
