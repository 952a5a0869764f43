// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace kernbench::common {

/// Holds a file locked against other processes; the system frees the lock when the process ends in
/// any way. The file stays, as deleting it would let two processes hold it; it holds the number of
/// the process, its machine and what it does while it is locked, and is empty afterwards.
class FileLock {
 public:
  /// Waits for the lock. `work` says what its holder does: "builds this model". Prints once that it
  /// waits: "waiting for process 123, which builds this model". Throws BadInput when the file
  /// cannot be locked, and Interrupted when a signal arrives while an InterruptGuard exists.
  FileLock(const std::filesystem::path& file, const std::string& work);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int file_ = -1;
};

}  // namespace kernbench::common
