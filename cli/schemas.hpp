// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace kernbench::cli {

/// A file of schemas/.
struct Schema {
  std::string_view name;  ///< path without ".schema.json", such as "reports/coverage"
  std::string_view text;
};

/// Returns the files of schemas/, sorted by name.
[[nodiscard]] std::span<const Schema> schemas();

}  // namespace kernbench::cli
