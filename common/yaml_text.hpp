// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "common/diagnostics.hpp"

namespace kernbench::common {

/// Checks a YAML file before it is parsed: its size, its encoding (UTF-8) and that it contains no
/// control characters. Adds `text` to `diagnostics` as the source of `file`. Returns the text to
/// parse. A byte order mark is reported and removed; every other error throws BadInput, because
/// further messages about the file would be meaningless.
[[nodiscard]] std::string_view checked_yaml_text(std::string_view text, const std::string& file,
                                                 Diagnostics& diagnostics);

}  // namespace kernbench::common
