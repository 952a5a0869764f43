#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>

namespace kernbench::common {

/// The whole content of a file. Throws BadInput, naming the file, when it is missing, is a folder,
/// cannot be read or has more than `max_bytes` bytes, of which no more than that are read.
[[nodiscard]] std::string read_text_file(
    const std::filesystem::path& path,
    std::size_t max_bytes = std::numeric_limits<std::size_t>::max());

}  // namespace kernbench::common
