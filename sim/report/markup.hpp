#pragma once

#include <string>
#include <string_view>

namespace kernbench::sim {

/// `text` as content or as a quoted attribute of HTML and of XML 1.0: markup characters become
/// entities, bytes that are no UTF-8 and characters that XML cannot hold become U+FFFD.
[[nodiscard]] std::string escape_markup(std::string_view text);

/// A relative path as a link: everything but letters, digits and `-._~/` is percent-encoded, so
/// that no path can be taken for a scheme, a query or a fragment.
[[nodiscard]] std::string path_to_href(std::string_view path);

}  // namespace kernbench::sim
