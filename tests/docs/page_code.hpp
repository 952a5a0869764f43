// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kernbench::docs {

/// Code on a page: a span in backticks, or a line of an indented or fenced block.
struct PageCode {
  enum class Kind { Span, Block };
  Kind kind = Kind::Span;
  unsigned line = 0;  ///< line number in the page, from 1
  std::string text;   ///< without indentation
};

/// Returns the code of a Markdown page in its order.
[[nodiscard]] std::vector<PageCode> code_of(std::string_view page);

}  // namespace kernbench::docs
