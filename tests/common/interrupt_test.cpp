// SPDX-License-Identifier: Apache-2.0
#include "common/interrupt.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <csignal>

#include "common/atomic_file.hpp"
#include "common/text_file.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::common {
namespace {

TEST(InterruptGuard, TurnsEitherSignalIntoAFlag) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const InterruptGuard guard;
    EXPECT_FALSE(interrupted());
    std::raise(signal);
    EXPECT_TRUE(interrupted());
    EXPECT_EQ(interrupting_signal(), signal);
  }
}

TEST(InterruptGuard, RestoresTheHandlersItFound) {
  struct sigaction ignore {};
  struct sigaction before {};
  struct sigaction after {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGINT, &ignore, &before);
  { const InterruptGuard guard; }
  sigaction(SIGINT, &before, &after);
  EXPECT_EQ(after.sa_handler, SIG_IGN);
}

TEST(InterruptGuardDeathTest, LetsTheSecondSignalEndTheProcessAndDeleteItsTemporaryFiles) {
  const TempFolder folder;
  EXPECT_EXIT(
      {
        const InterruptGuard guard;
        const AtomicFile file(folder.path() / "report.json");
        std::raise(SIGINT);
        std::raise(SIGTERM);
        std::raise(SIGINT);
      },
      testing::ExitedWithCode(130), "");
  EXPECT_EQ(folder.files(), 0U);
}

TEST(CleanUpOnSignalsDeathTest, DeletesTemporaryFilesAndEndsWith130) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TempFolder folder;
    const auto former = folder.write("report.json", "former");
    EXPECT_EXIT(
        {
          clean_up_on_signals();
          AtomicFile file(former);
          const AtomicFile second(folder.path() / "second");
          file.stream() << "half" << std::flush;
          if (folder.files() == 3) std::raise(signal);
        },
        testing::ExitedWithCode(130), "");
    EXPECT_EQ(folder.files(), 1U);
    EXPECT_EQ(read_text_file(former), "former");
  }
}

TEST(CleanUpOnSignalsDeathTest, DeletesTemporaryFilesWhenTheReaderOfAPipeOrTheTerminalIsGone) {
  for (const int signal : {SIGHUP, SIGPIPE}) {
    const TempFolder folder;
    EXPECT_EXIT(
        {
          clean_up_on_signals();
          const AtomicFile file(folder.path() / "report.json");
          if (folder.files() == 1) std::raise(signal);
        },
        testing::KilledBySignal(signal), "");
    EXPECT_EQ(folder.files(), 0U);
  }
}

TEST(CleanUpOnSignalsDeathTest, KeepsASignalIgnored) {
  struct sigaction ignore {};
  struct sigaction before {};
  struct sigaction after {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGHUP, &ignore, &before);
  EXPECT_EXIT(
      {
        clean_up_on_signals();
        std::raise(SIGHUP);
        _exit(7);
      },
      testing::ExitedWithCode(7), "");
  sigaction(SIGHUP, &before, &after);
}

}  // namespace
}  // namespace kernbench::common
