// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace kernbench::common {

/// Largest file that is read unless its reader names another limit.
inline constexpr std::size_t kMaxFileBytes = std::size_t{256} << 20U;

/// Returns the content of a file, a device or a pipe. Throws BadInput naming the file when it is
/// missing, is a folder, cannot be read, is larger than `max_bytes` (a device: than 4 MB) or is an
/// output of this command (common/declared_outputs.hpp). Reading stops soon after `max_bytes`.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path,
                                         std::size_t max_bytes = kMaxFileBytes);

/// Lists the files that read_text_file() returns in this thread while it exists, each once. The
/// innermost one does.
class ReadFiles {
 public:
  ReadFiles();
  ~ReadFiles();
  ReadFiles(const ReadFiles&) = delete;
  ReadFiles& operator=(const ReadFiles&) = delete;

  [[nodiscard]] const std::vector<std::filesystem::path>& paths() const { return paths_; }

 private:
  friend std::string read_text_file(const std::filesystem::path& path, std::size_t max_bytes);

  std::vector<std::filesystem::path> paths_;
  ReadFiles* outer_;
};

}  // namespace kernbench::common
