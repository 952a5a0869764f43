// SPDX-License-Identifier: Apache-2.0
#include "sim/report/progress.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace kernbench::sim {
namespace {

class ProgressTest : public testing::Test {
 protected:
  Progress::Clock clock() {
    return [this] { return now_; };
  }
  std::string take() {
    std::string text = out_.str();
    out_.str("");
    return text;
  }

  double now_ = 100.0;
  std::ostringstream out_;
};

TEST_F(ProgressTest, RewritesOneLineOnATerminalAndRemovesItAtTheEnd) {
  {
    Progress progress(out_, true, {4, 4000}, clock());
    progress.add_cycles(500);
    EXPECT_EQ(take(), "");  // not yet due
    now_ += 10.0;
    progress.add_cycles(500);
    EXPECT_EQ(take(),
              "\r\x1b[K\x1b[?7l[####............] 0/4 cases, 30.0 s left, 0 packets, 1.0 k cycles"
              "\x1b[?7h");
    progress.case_done(false, 1'234'567);
    EXPECT_EQ(take(), "");
    now_ += 0.2;
    progress.add_cycles(1000);
    EXPECT_EQ(take(),
              "\r\x1b[K\x1b[?7l[########........] 1/4 cases, 1 failed, 10.2 s left, 1.2 M packets, "
              "2.0 k cycles\x1b[?7h");
  }
  EXPECT_EQ(take(), "\r\x1b[K");
}

TEST_F(ProgressTest, AddsALineEveryTenSecondsElsewhere) {
  {
    Progress progress(out_, false, {4, 0}, clock());
    now_ += 9.9;
    progress.case_done(true, 10);
    EXPECT_EQ(take(), "");
    now_ += 0.1;
    progress.case_done(true, 10);
    EXPECT_EQ(take(), "[########........] 2/4 cases, 10.0 s left, 20 packets, 0 cycles\n");
    now_ += 9.9;
    progress.case_done(true, 10);
    EXPECT_EQ(take(), "");
  }
  EXPECT_EQ(take(), "");
}

TEST_F(ProgressTest, IsFullOnlyWhenAllCasesHaveEnded) {
  Progress progress(out_, false, {2, 1000}, clock());
  progress.case_done(true, 0);
  now_ += 10.0;
  progress.add_cycles(1100);  // more than planned, because of draining
  EXPECT_EQ(take(), "[###############.] 1/2 cases, 0.10 s left, 0 packets, 1.1 k cycles\n");
  now_ += 10.0;
  progress.case_done(true, 0);
  EXPECT_EQ(take(), "[################] 2/2 cases, 0 packets, 1.1 k cycles\n");
}

TEST_F(ProgressTest, PrintsNotesAboveTheLine) {
  Progress progress(out_, true, {2, 0}, clock());
  progress.note("early");
  EXPECT_EQ(take(), "early\n");
  now_ += 1.0;
  progress.case_done(false, 0);
  take();
  progress.note("bursts seed 2: mismatch");
  EXPECT_EQ(take(),
            "\r\x1b[Kbursts seed 2: mismatch\n\r\x1b[K\x1b[?7l[########........] 1/2 cases, "
            "1 failed, 1.00 s left, 0 packets, 0 cycles\x1b[?7h");
}

TEST_F(ProgressTest, CountsEverythingThatManyThreadsReport) {
  Progress progress(out_, false, {401, 0}, clock());
  std::vector<std::jthread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        progress.add_cycles(10);
        progress.case_done(true, 3);
      }
    });
  }
  threads.clear();
  now_ += 10.0;
  progress.case_done(true, 0);
  EXPECT_EQ(take(), "[################] 401/401 cases, 1.2 k packets, 4.0 k cycles\n");
}

}  // namespace
}  // namespace kernbench::sim
