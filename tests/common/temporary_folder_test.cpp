// SPDX-License-Identifier: Apache-2.0
#include "common/temporary_files.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "common/atomic_file.hpp"
#include "common/interrupt.hpp"
#include "common/text_file.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::common {
namespace {

namespace fs = std::filesystem;

/// Runs `work`, which kills its process, in a process of its own.
template <typename Work>
void run_and_kill(const Work& work) {
  const pid_t process = fork();
  if (process == 0) {
    work();
    _exit(0);
  }
  int status = 0;
  waitpid(process, &status, 0);
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
}

/// Fills a folder with files and folders.
void fill(const fs::path& folder) {
  fs::create_directories(folder / "a/b/c");
  for (int i = 0; i < 300; ++i) std::ofstream(folder / "a/b" / std::to_string(i)) << i;
  fs::create_symlink("/", folder / "a/root");
}

TEST(TemporaryFile, IsDeletedByTheNextRunAfterAKill) {
  const TempFolder folder;
  const auto file = folder.path() / "report.json";
  run_and_kill([&] {
    AtomicFile half(file);
    half.stream() << "half" << std::flush;
    const AtomicFile second(folder.path() / "second");
    const TemporaryFile third(file);
    std::raise(SIGKILL);
  });
  EXPECT_EQ(folder.files(), 3U);
  write_file_atomically(file, "whole");
  EXPECT_EQ(read_text_file(file), "whole");
  EXPECT_EQ(folder.files(),
            2U);  // the temporary file of `second` is for the next run that writes it
}

TEST(TemporaryFile, LeavesFilesThatAreInUseOrHaveOtherNames) {
  const TempFolder folder;
  const auto left = folder.write("report.json.tmp-1-2", "left by a killed process");
  const auto in_use = folder.write("report.json.tmp-1-3", "in use");
  const int holder = open(in_use.c_str(), O_RDWR);
  ASSERT_EQ(flock(holder, LOCK_EX), 0);
  for (const char* name : {"report.json.tmp-1-x", "report.json.tmp-1-2.txt", "report.tmp-1-2",
                           "report.json.tmp-1-2.tmp-3-4"}) {
    (void)folder.write(name, "somebody else's");
  }
  fs::create_symlink("report.tmp-1-2", folder.path() / "report.json.tmp-1-5");
  write_file_atomically(folder.path() / "report.json", "whole");
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(in_use));
  EXPECT_EQ(folder.files(), 7U);
  close(holder);
}

TEST(TemporaryFolder, IsDeletedWithItsContent) {
  const TempFolder folder;
  {
    const TemporaryFolder temporary(folder.path() / "build");
    EXPECT_EQ(fs::path(temporary.path()).filename().string().substr(0, 10), "build.tmp-");
    fill(temporary.path());
  }
  EXPECT_EQ(folder.files(), 0U);
  EXPECT_TRUE(fs::exists("/"));
}

TEST(TemporaryFolderDeathTest, IsDeletedBySignals) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TempFolder folder;
    EXPECT_EXIT(
        {
          clean_up_on_signals();
          const TemporaryFolder temporary(folder.path() / "build");
          fill(temporary.path());
          if (folder.files() == 1) std::raise(signal);
        },
        testing::ExitedWithCode(130), "");
    EXPECT_EQ(folder.files(), 0U);
  }
}

TEST(TemporaryFolder, IsDeletedByTheNextRunAfterAKill) {
  const TempFolder folder;
  run_and_kill([&] {
    const TemporaryFolder temporary(folder.path() / "build");
    fill(temporary.path());
    const TemporaryFolder elsewhere(folder.path() / "other");
    std::raise(SIGKILL);
  });
  EXPECT_EQ(folder.files(), 2U);
  const TemporaryFolder temporary(folder.path() / "build");
  EXPECT_TRUE(fs::is_empty(temporary.path()));
  EXPECT_EQ(folder.files(), 2U);
}

}  // namespace
}  // namespace kernbench::common
