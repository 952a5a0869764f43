// SPDX-License-Identifier: Apache-2.0
// The timeline in the format of Perfetto and chrome://tracing.
#include "model/trace/chrome_timeline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/model/components/machine_fixture.hpp"

namespace kernbench::model::trace {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

HopRecord stay(std::uint64_t transaction, const char* node, std::int64_t from, std::int64_t to) {
  HopRecord record;
  record.label = {transaction, "read"};
  record.node = components::default_graph().find(node).value();
  record.arrive = common::SimTime::from_ps(from);
  record.depart = common::SimTime::from_ps(to);
  return record;
}

nlohmann::json written(const HopTrace& trace, const std::string& title = "a title") {
  std::ostringstream out;
  write_chrome_timelines(std::vector<Timeline>{{title, &components::default_graph(), &trace}}, out);
  return nlohmann::json::parse(out.str()).at("traceEvents");
}

TEST(ChromeTimeline, TimesAreMicrosecondsExactToThePicosecond) {
  HopTrace trace;
  trace.add(stay(7, "sip0.cube0.sram", 1'000'001, 3'000'000));
  std::ostringstream out;
  write_chrome_timelines(std::vector<Timeline>{{"t", &components::default_graph(), &trace}}, out);
  EXPECT_THAT(out.str(), ::testing::HasSubstr(R"("ts": 1.000001, "dur": 1.999999)"));
  EXPECT_THAT(out.str(), ::testing::HasSubstr(R"("args": {"transaction": 7})"));
}

TEST(ChromeTimeline, EachComponentHasATrackAndOverlapsHaveTheirOwn) {
  HopTrace trace;
  trace.add(stay(1, "sip0.cube0.sram", 0, 100));
  trace.add(stay(2, "sip0.cube0.sram", 50, 150));
  trace.add(stay(3, "sip0.cube0.sram", 100, 200));  // follows the first hop on its track
  trace.add(stay(4, "sip0.cube0.m_cpu", 0, 10));
  std::map<int, std::string> tracks;
  std::map<std::uint64_t, std::string> track_of;
  for (const auto& event : written(trace)) {
    if (event.at("name") == "thread_name") {
      tracks[event.at("tid")] = event.at("args").at("name");
    } else if (event.at("ph") == "X") {
      track_of[event.at("args").at("transaction")] = tracks.at(event.at("tid"));
    }
  }
  EXPECT_EQ(track_of[1], "sip0.cube0.sram");
  EXPECT_EQ(track_of[2], "sip0.cube0.sram #2");
  EXPECT_EQ(track_of[3], "sip0.cube0.sram");
  EXPECT_EQ(track_of[4], "sip0.cube0.m_cpu");
}

TEST(ChromeTimeline, SaysWhatAHopWaitedForAndWhy) {
  HopTrace trace;
  HopRecord record = stay(1, "sip0.cube0.sram", 0, 100);
  record.wait = common::SimTime::from_ps(25);
  record.behind = 9;
  record.why = WaitReason::ChannelBusy;
  trace.add(record);
  const nlohmann::json args = written(trace).back().at("args");
  EXPECT_EQ(args.at("wait_ps"), 25);
  EXPECT_EQ(args.at("behind"), 9);
  EXPECT_EQ(args.at("why"), "channel busy");
}

TEST(ChromeTimeline, TitlesAreEscaped) {
  EXPECT_EQ(written(HopTrace(), "a \"quoted\" \\ title").front().at("args").at("name"),
            "a \"quoted\" \\ title");
}

using ChromeTimelineOfARun = components::MachineTest;
TEST_F(ChromeTimelineOfARun, SlicesOfATrackNeverOverlap) {
  for (int i = 0; i < 10; ++i) {
    machine_.accesses().submit(
        {i % 2 == 0, machine_.router().find_path("sip0.cube0.pe0", "sip0.cube1.hbm_ctrl.pe0").edges,
         0, 1000});
  }
  simulation_.run();
  std::map<int, double> ends;
  std::size_t slices = 0;
  for (const auto& event : written(trace_)) {
    if (event.at("ph") != "X") continue;
    ++slices;
    EXPECT_GE(event.at("ts").get<double>() + 1e-9, ends[event.at("tid")]);
    ends[event.at("tid")] = event.at("ts").get<double>() + event.at("dur").get<double>();
  }
  EXPECT_EQ(slices, trace_.records().size());
}

}  // namespace
}  // namespace kernbench::model::trace
