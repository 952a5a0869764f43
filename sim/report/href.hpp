#pragma once

#include <string>
#include <string_view>

namespace kernbench::sim {

/// A relative path as a link: everything but letters, digits and `-._~/` is percent-encoded, so
/// that no path can be taken for a scheme, a query or a fragment.
[[nodiscard]] std::string path_to_href(std::string_view path);

}  // namespace kernbench::sim
