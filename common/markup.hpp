// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace kernbench::common {

/// Escapes `text` for element content or a quoted attribute of HTML, SVG and XML 1.0. Markup
/// characters become entities; invalid UTF-8 and characters that XML forbids become U+FFFD.
[[nodiscard]] std::string escape_markup(std::string_view text);

/// Escapes `text` for element content only: like escape_markup(), but keeps line breaks and tabs.
[[nodiscard]] std::string escape_content(std::string_view text);

}  // namespace kernbench::common
