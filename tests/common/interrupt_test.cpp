// SPDX-License-Identifier: Apache-2.0
#include "common/interrupt.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace kernbench::common {
namespace {

TEST(InterruptGuard, TurnsEitherSignalIntoAFlag) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const InterruptGuard guard;
    EXPECT_FALSE(interrupted());
    std::raise(signal);
    EXPECT_TRUE(interrupted());
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

TEST(InterruptGuardDeathTest, LetsTheSecondSignalEndTheProcess) {
  EXPECT_EXIT(
      {
        const InterruptGuard guard;
        std::raise(SIGINT);
        std::raise(SIGINT);
      },
      testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace kernbench::common
