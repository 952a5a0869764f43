// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace kernbench::cli::web {

/// A file of `viewer/`, embedded in the program.
struct Asset {
  std::string_view path;  ///< "/main.js"
  std::string_view media_type;
  std::string_view text;
};

[[nodiscard]] std::span<const Asset> assets();

}  // namespace kernbench::cli::web
