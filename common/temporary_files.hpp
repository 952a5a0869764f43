// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace kernbench::common {

/// Names a temporary file or folder in a table of fixed size that a signal handler can read, so
/// that a signal deletes it. The destructor frees the entry. While the table is full, or if the
/// path is longer than a system call takes, the file is not in it and outlives a signal.
class TemporaryFileEntry {
 public:
  static constexpr std::size_t kMaxEntries = 64;

  explicit TemporaryFileEntry(std::string_view path);
  ~TemporaryFileEntry();
  TemporaryFileEntry(const TemporaryFileEntry&) = delete;
  TemporaryFileEntry& operator=(const TemporaryFileEntry&) = delete;

 private:
  std::size_t slot_ = kMaxEntries;
};

/// Deletes all files and folders of the table. Async-signal-safe; call it only before the process
/// ends.
void remove_temporary_files();

/// A file, "NAME.tmp-PID-COUNT" beside the file `target` that it will become. It is locked while
/// this object exists. The first object of a target deletes such files that are not locked, which
/// killed processes left; a signal deletes the file (common/interrupt.hpp).
class TemporaryFile {
 public:
  /// Throws std::system_error when the file cannot be created.
  explicit TemporaryFile(std::filesystem::path target);
  /// Deletes the file unless it has become its target.
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Returns a descriptor of the file, which the caller closes. Throws std::system_error.
  [[nodiscard]] int descriptor() const;
  /// Renames the file over its target. Throws std::system_error.
  void become_target();

 private:
  std::filesystem::path target_;
  std::string path_;
  std::optional<TemporaryFileEntry> entry_;
  int file_ = -1;
};

/// A new folder "NAME.tmp-PID-COUNT", deleted with its content by the destructor and by signals,
/// and if this process is killed, by the next object of the same name.
class TemporaryFolder {
 public:
  /// `name` is the folder's path without the end of its name. Throws std::system_error.
  explicit TemporaryFolder(const std::filesystem::path& name);
  /// Deletes the folders of this name that killed processes left, for a run that needs no new one.
  static void remove_left(const std::filesystem::path& name);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::optional<TemporaryFileEntry> entry_;
  int folder_ = -1;
};

}  // namespace kernbench::common
