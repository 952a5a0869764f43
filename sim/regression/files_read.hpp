// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kernbench::sim {

/// Returns the files that a source leads to by `include and $readmemh, directly or not, each with
/// the name that leads to it: all files of that name in the current folder, in the folder of the
/// source and in `headers`. Returns std::nullopt if a name is that of a macro or a variable. The
/// order is that of formal/sources.py.
[[nodiscard]] std::optional<std::vector<std::pair<std::string, std::filesystem::path>>> files_read(
    const std::filesystem::path& source, const std::filesystem::path& headers);

}  // namespace kernbench::sim
