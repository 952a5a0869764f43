// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace kernbench::common {

/// Names a temporary file in a table of fixed size that a signal handler can read, so that a signal
/// deletes the file. The destructor frees the entry. While the table is full, or if the path is
/// longer than a system call takes, the file is not in it and outlives a signal.
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

/// Deletes all files of the table. Async-signal-safe; call it only before the process ends.
void remove_temporary_files();

}  // namespace kernbench::common
