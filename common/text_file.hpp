#pragma once

#include <filesystem>
#include <string>

namespace kernbench::common {

/// The whole content of a file. Throws BadInput, naming the file, when it is missing, is a folder
/// or cannot be read.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path);

}  // namespace kernbench::common
