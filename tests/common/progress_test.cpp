// SPDX-License-Identifier: Apache-2.0
#include "common/progress.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace kernbench::common {
namespace {

class ProgressTest : public testing::Test {
 protected:
  Progress::Clock clock() {
    return [this] { return now_; };
  }
  Progress::Describe describe() {
    return [this] { return state_; };
  }
  std::string take() {
    std::string text = out_.str();
    out_.str("");
    return text;
  }

  double now_ = 100.0;
  ProgressState state_;
  std::ostringstream out_;
};

TEST_F(ProgressTest, RewritesOneLineFromTwoSecondsOnAndRemovesItAtTheEnd) {
  {
    Progress progress(out_, describe(), clock());
    state_ = {0.1, "0/4 cases"};
    now_ += 1.75;
    progress.refresh();
    EXPECT_EQ(take(), "");
    now_ += 0.25;
    progress.refresh();
    EXPECT_EQ(take(), "\r\x1b[K\x1b[?7l[#...............] 18.0 s left, 0/4 cases\x1b[?7h");
    now_ += 0.05;
    progress.refresh();
    EXPECT_EQ(take(), "");  // at most ten times a second
    state_ = {0.5, "2/4 cases"};
    now_ += 7.95;
    progress.refresh();
    EXPECT_EQ(take(), "\r\x1b[K\x1b[?7l[########........] 10.0 s left, 2/4 cases\x1b[?7h");
  }
  EXPECT_EQ(take(), "\r\x1b[K");
}

TEST_F(ProgressTest, AShortRunShowsNothing) {
  {
    Progress progress(out_, describe(), clock());
    now_ += 1.9;
    progress.refresh();
  }
  EXPECT_EQ(take(), "");
}

TEST_F(ProgressTest, ShowsTheElapsedTimeIfTheShareIsUnknown) {
  Progress progress(out_, describe(), clock());
  state_ = {std::nullopt, "building the model"};
  now_ += 75.0;
  progress.refresh();
  EXPECT_EQ(take(), "\r\x1b[K\x1b[?7lbuilding the model, 1 min 15 s\x1b[?7h");
}

TEST_F(ProgressTest, ShowsTheElapsedTimeIfNothingIsDoneYet) {
  Progress progress(out_, describe(), clock());
  state_ = {0.0, "0/4 cases"};
  now_ += 12.0;
  progress.refresh();
  EXPECT_EQ(take(), "\r\x1b[K\x1b[?7l[................] 12.0 s, 0/4 cases\x1b[?7h");
}

TEST_F(ProgressTest, MakesRoomForOtherText) {
  Progress progress(out_, describe(), clock());
  state_ = {std::nullopt, "at work"};
  progress.hide();
  EXPECT_EQ(take(), "");
  now_ += 3.0;
  progress.refresh();
  EXPECT_EQ(take(), "\r\x1b[K\x1b[?7lat work, 3.00 s\x1b[?7h");
  progress.hide();
  EXPECT_EQ(take(), "\r\x1b[K");
  progress.refresh();
  EXPECT_EQ(take(), "");
  now_ += 0.2;
  progress.refresh();
  EXPECT_EQ(take(), "\r\x1b[K\x1b[?7lat work, 3.20 s\x1b[?7h");
}

}  // namespace
}  // namespace kernbench::common
