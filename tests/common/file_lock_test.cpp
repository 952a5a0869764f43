// SPDX-License-Identifier: Apache-2.0
#include "common/file_lock.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <optional>
#include <string>
#include <thread>

#include "common/diagnostics.hpp"
#include "common/interrupt.hpp"
#include "common/text_file.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::common {
namespace {

TEST(FileLock, HoldsTheProcessAndItsWorkAndIsEmptyAfterwards) {
  const TempFolder folder;
  const auto file = folder.path() / ".lock";
  {
    const FileLock lock(file, "builds this model");
    const std::string text = read_text_file(file);
    EXPECT_EQ(text.substr(0, text.find(' ')), std::to_string(getpid()));
    EXPECT_EQ(text.substr(text.size() - 18), "builds this model\n");
  }
  EXPECT_EQ(read_text_file(file), "");
}

TEST(FileLock, RefusesAFileThatCannotBeLocked) {
  try {
    const FileLock lock("/no/such/.lock", "waits");
    FAIL();
  } catch (const BadInput& error) {
    EXPECT_STREQ(error.what(), "error: cannot lock '/no/such/.lock': No such file or directory");
  }
}

/// Starts a process that waits for a lock which this process holds, with its stderr in a file, and
/// waits until it says so.
pid_t start_waiting(const std::filesystem::path& lock, const std::filesystem::path& log) {
  const pid_t process = fork();
  if (process == 0) {
    const InterruptGuard guard;
    if (std::freopen(log.c_str(), "w", stderr) == nullptr) _exit(1);
    try {
      const FileLock second(lock, "waits");
      _exit(0);
    } catch (const Interrupted&) {
      _exit(130);
    }
  }
  while (!std::filesystem::exists(log) || read_text_file(log).empty()) std::this_thread::yield();
  return process;
}

TEST(FileLock, SaysOnceForWhomItWaits) {
  const TempFolder folder;
  const auto file = folder.path() / ".lock";
  const auto log = folder.path() / "log";
  std::optional<FileLock> lock(std::in_place, file, "builds this model");
  const pid_t process = start_waiting(file, log);
  lock.reset();
  int status = 0;
  waitpid(process, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(read_text_file(log),
            "waiting for process " + std::to_string(getpid()) + ", which builds this model\n");
}

TEST(FileLock, StopsWaitingOnASignal) {
  const TempFolder folder;
  const auto file = folder.path() / ".lock";
  const FileLock lock(file, "builds this model");
  const pid_t process = start_waiting(file, folder.path() / "log");
  kill(process, SIGTERM);
  int status = 0;
  waitpid(process, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 130);
}

}  // namespace
}  // namespace kernbench::common
