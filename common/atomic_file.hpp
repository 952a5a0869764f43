// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <ostream>
#include <string_view>

namespace kernbench::common {

/// An output file that appears complete or not at all. The text goes to a temporary file in the
/// same folder, and commit() renames that file. Without commit(), for example after an exception,
/// the temporary file is deleted and an existing file is left unchanged.
class AtomicFile {
 public:
  /// Throws BadInput naming `path` when the file cannot be created.
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  [[nodiscard]] std::ostream& stream() { return out_; }
  /// Throws BadInput when a write failed (for example, the disk is full) or the rename fails.
  void commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  std::ofstream out_;
  bool pending_ = true;
};

/// Writes `content` to `path` through an AtomicFile.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// Creates the folder and its missing parents. Throws BadInput naming `path` when that fails or
/// when `path` exists and is not a folder.
void ensure_directory(const std::filesystem::path& path);

}  // namespace kernbench::common
