// SPDX-License-Identifier: Apache-2.0
#include "common/terminal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

namespace kernbench::common {
namespace {

/// A pseudo-terminal, and an environment without special settings.
class TerminalTest : public testing::Test {
 protected:
  void SetUp() override {
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
    if (terminal_ < 0) GTEST_SKIP() << "this machine has no pseudo-terminals";
  }
  void TearDown() override {
    if (terminal_ >= 0) close(terminal_);
    close(file_);
  }

  int terminal_ = posix_openpt(O_RDWR | O_NOCTTY);
  int file_ = open("/dev/null", O_WRONLY);
};

TEST_F(TerminalTest, ATerminalGetsColour) {
  EXPECT_TRUE(is_terminal(terminal_));
  EXPECT_EQ(colour_for(terminal_), Colour::On);
}

TEST_F(TerminalTest, AFileGetsNone) {
  EXPECT_FALSE(is_terminal(file_));
  EXPECT_EQ(colour_for(file_), Colour::Off);
}

TEST_F(TerminalTest, NoColorTurnsColourOffUnlessEmpty) {
  setenv("NO_COLOR", "1", 1);
  EXPECT_TRUE(is_terminal(terminal_));
  EXPECT_EQ(colour_for(terminal_), Colour::Off);
  setenv("NO_COLOR", "", 1);
  EXPECT_EQ(colour_for(terminal_), Colour::On);
}

TEST_F(TerminalTest, ADumbTerminalIsNone) {
  setenv("TERM", "dumb", 1);
  EXPECT_FALSE(is_terminal(terminal_));
  EXPECT_EQ(colour_for(terminal_), Colour::Off);
}

}  // namespace
}  // namespace kernbench::common
