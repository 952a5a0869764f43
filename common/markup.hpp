#pragma once

#include <string>
#include <string_view>

namespace kernbench::common {

/// `text` as content or as a quoted attribute of HTML, SVG and XML 1.0: markup characters become
/// entities, bytes that are no UTF-8 and characters that XML cannot hold become U+FFFD.
[[nodiscard]] std::string escape_markup(std::string_view text);

/// The same for content only: line breaks and tabs stay what they are.
[[nodiscard]] std::string escape_content(std::string_view text);

}  // namespace kernbench::common
