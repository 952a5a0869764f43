// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>

namespace kernbench::common {

/// Returns the content of a file. Throws BadInput naming the file when it is missing, is a folder,
/// cannot be read or is larger than `max_bytes`. Reading stops soon after `max_bytes`.
[[nodiscard]] std::string read_text_file(
    const std::filesystem::path& path,
    std::size_t max_bytes = std::numeric_limits<std::size_t>::max());

}  // namespace kernbench::common
