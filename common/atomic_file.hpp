// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

#include "common/temporary_files.hpp"

namespace kernbench::common {

/// Writes to a file descriptor, which it owns, and keeps the reason of the first failed write.
class DescriptorBuffer : public std::streambuf {
 public:
  DescriptorBuffer();
  ~DescriptorBuffer() override { (void)close(); }
  DescriptorBuffer(const DescriptorBuffer&) = delete;
  DescriptorBuffer& operator=(const DescriptorBuffer&) = delete;

  void open(int descriptor) { descriptor_ = descriptor; }
  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// Writes what is left and closes the file. Returns the errno of the first failure, or 0.
  int close();

 protected:
  int_type overflow(int_type c) override;
  int sync() override;

 private:
  std::array<char, 65536> buffer_{};
  int descriptor_ = -1;
  int error_ = 0;
};

/// An output file that appears complete or not at all. The text goes to a temporary file beside
/// the file that `path` leads to, links followed, and commit() renames it over that file with the
/// mode of the former one. Without commit(), for example after an exception, and after a signal
/// (common/interrupt.hpp) the temporary file is deleted and an existing file is left unchanged.
/// Devices and pipes are written directly, also those that standard output or error are. The path
/// "-" is standard output. A declared output (common/declared_outputs.hpp) is renamed by
/// commit_declared_outputs().
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
  /// Opens `path_` itself unless it leads to a regular file or to none yet.
  [[nodiscard]] bool opened_directly();
  void open_temporary();

  std::filesystem::path path_;
  std::filesystem::path target_;              ///< the file that `path_` leads to
  std::unique_ptr<TemporaryFile> temporary_;  ///< null if the file is written directly
  DescriptorBuffer buffer_;
  std::ostream out_{&buffer_};
};

/// Renames the declared outputs that have been committed, so that a command that fails before this
/// call writes none of them; otherwise they are deleted when the process ends. Throws BadInput when
/// a rename fails. Declared outputs are committed in the main thread.
void commit_declared_outputs();

/// Keeps standard output for the AtomicFile "-", and prints to standard error what is printed from
/// here on. Call before any other thread runs.
void reserve_standard_output();

/// Returns the path with all links at its end followed, also those that lead to a missing file.
/// Throws BadInput, as AtomicFile does, for a path that leads nowhere.
[[nodiscard]] std::filesystem::path followed_links(const std::filesystem::path& path);

/// Writes `content` to `path` through an AtomicFile.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// Creates the folder and its missing parents. Throws BadInput naming `path` when that fails or
/// when `path` exists and is not a folder.
void ensure_directory(const std::filesystem::path& path);

}  // namespace kernbench::common
