#pragma once

#include <string>
#include <string_view>

#include "common/diagnostics.hpp"

namespace kernbench::common {

/// What is checked of a YAML file before the parser sees it: its size, and that it is UTF-8
/// without control characters. Adds `text` to `diagnostics` as the source of `file`. A byte order
/// mark is reported and left out of the answer, which is the text to parse; for everything else
/// throws BadInput, since nothing sensible could be said about the rest.
[[nodiscard]] std::string_view checked_yaml_text(std::string_view text, const std::string& file,
                                                 Diagnostics& diagnostics);

}  // namespace kernbench::common
