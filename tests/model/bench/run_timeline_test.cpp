// SPDX-License-Identifier: Apache-2.0
// Tests the timeline of a run: its tracks, the nesting of its spans, its arrows, its counters and
// its limits.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "model/bench/launch_figures.hpp"
#include "model/bench/run_timeline.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const topology::TopologyGraph& two_sips() {
  static const topology::TopologyGraph graph = [] {
    topology::TopologySpec spec;
    spec.sip.cube_mesh_w = 2;
    spec.sip.cube_mesh_h = 1;
    spec.cube.pe_per_corner = 1;
    spec.cube.memory_map.slices_per_cube = 4;
    return topology::compile_topology(spec);
  }();
  return graph;
}

/// A run and its timeline.
struct Traced {
  RunResult result;
  std::string text;
  std::string left_out;
  json document;

  [[nodiscard]] std::vector<json> events(const std::string& phase) const {
    std::vector<json> found;
    for (const json& event : document["traceEvents"]) {
      if (event["ph"] == phase) found.push_back(event);
    }
    return found;
  }
  /// Returns the names of a process's tracks.
  [[nodiscard]] std::vector<std::string> tracks(int process) const {
    std::vector<std::string> names;
    for (const json& event : events("M")) {
      if (event["name"] == "thread_name" && event["pid"] == process) {
        names.push_back(event["args"]["name"]);
      }
    }
    return names;
  }
};

Traced trace_of(const char* bench, const std::map<std::string, std::string>& parameters,
                const TimelineLimits& limits = {},
                const topology::TopologyGraph& graph = two_sips()) {
  RunOptions options;
  options.parameters = parameters;
  options.op_log = true;
  options.ccl.text = "backend: ahbm\n";
  trace::HopTrace hops;
  options.trace = &hops;
  Traced traced{run_bench(find_bench(bench), graph, options), {}, {}, {}};
  std::ostringstream out;
  traced.left_out = write_run_timeline(traced.result, graph, hops, out, limits);
  traced.text = out.str();
  traced.document = json::parse(traced.text);
  return traced;
}

std::int64_t ps(const json& microseconds) {
  return std::llround(microseconds.get<double>() * 1e6);
}

/// Returns the spans of a track that overlap another without being in it.
std::string badly_nested(const Traced& traced) {
  using Interval = std::tuple<std::int64_t, std::int64_t, std::string>;
  std::map<std::pair<int, int>, std::vector<Interval>> tracks;
  for (const json& span : traced.events("X")) {
    tracks[{span["pid"], span["tid"]}].emplace_back(
        ps(span["ts"]), -ps(span["ts"]) - ps(span["dur"]), span["name"]);
  }
  std::string found;
  for (auto& [track, spans] : tracks) {
    std::stable_sort(spans.begin(), spans.end());
    std::vector<std::int64_t> open;
    for (const auto& [begin, end, name] : spans) {
      while (!open.empty() && open.back() <= begin) open.pop_back();
      if (!open.empty() && -end > open.back()) found += name + " ";
      open.push_back(-end);
    }
  }
  return found;
}

TEST(RunTimeline, HasATrackForEachCubeAndPe) {
  const Traced traced = trace_of("softmax", {{"rows", "16"}});
  EXPECT_EQ(traced.left_out, "");
  EXPECT_THAT(traced.tracks(2), ElementsAre("measured on sip0", "launches", "cube0", "cube0.pe0",
                                            "cube0.pe1", "cube0.pe2", "cube0.pe3", "cube1",
                                            "cube1.pe0", "cube1.pe1", "cube1.pe2", "cube1.pe3"));
  EXPECT_THAT(traced.tracks(1), ElementsAre("copies"));
  EXPECT_EQ(badly_nested(traced), "");
  // Region, launch, two cubes, eight PEs with nine operations each, and the copies of x and y.
  EXPECT_EQ(traced.events("X").size(), 1U + 1 + 2 + 8 * (1 + 9) + 2);
}

TEST(RunTimeline, HasArrowsFromSendsToTheirReceives) {
  const Traced traced = trace_of("all-reduce", {{"bytes", "4096"}});
  std::size_t receives = 0;
  for (const data::OpRecord& record : traced.result.recorder->log().records()) {
    const auto* const copy = std::get_if<data::IpcqCopyParams>(&record.params);
    if (copy != nullptr && !copy->send) ++receives;
  }
  ASSERT_GT(receives, 0U);
  const std::vector<json> starts = traced.events("s");
  const std::vector<json> ends = traced.events("f");
  EXPECT_EQ(starts.size(), receives);
  EXPECT_EQ(ends.size(), receives);
  // Each end lies in a span of its track.
  for (const std::vector<json>* const side : {&starts, &ends}) {
    for (const json& arrow : *side) {
      const auto spans = traced.events("X");
      EXPECT_TRUE(std::any_of(spans.begin(), spans.end(), [&](const json& span) {
        return span["pid"] == arrow["pid"] && span["tid"] == arrow["tid"] &&
               span["name"] == "ipcq_copy" && ps(span["ts"]) <= ps(arrow["ts"]) &&
               ps(arrow["ts"]) < ps(span["ts"]) + ps(span["dur"]);
      }));
    }
  }
  EXPECT_EQ(badly_nested(traced), "");
}

/// Returns the sum of a counter of a process over its steps, in bytes.
std::int64_t bytes_of(const Traced& traced, int process, const std::string& counter) {
  std::int64_t bytes = 0;
  std::int64_t at = 0;
  double value = 0;
  for (const json& event : traced.events("C")) {
    if (event["pid"] != process || event["name"] != counter) continue;
    bytes += std::llround(value * static_cast<double>(ps(event["ts"]) - at) / 1000.0);
    at = ps(event["ts"]);
    value = event["args"]["GB/s"];
  }
  EXPECT_EQ(value, 0.0) << "a counter ends at 0";
  return bytes;
}

TEST(RunTimeline, CountersAddUpToTheBytesOfTheReport) {
  for (const char* const bench : {"gemm", "attention", "softmax"}) {
    const Traced traced = trace_of(bench, {});
    const std::vector<LaunchFigures> figures =
        launch_figures(traced.result.launches, traced.result.recorder->log(), two_sips());
    std::int64_t read = 0;
    std::int64_t written = 0;
    for (const LaunchFigures& one : figures) {
      read += static_cast<std::int64_t>(one.read.bytes);
      written += static_cast<std::int64_t>(one.written.bytes);
    }
    ASSERT_GT(read, 0);
    EXPECT_EQ(bytes_of(traced, 2, "DMA read"), read) << bench;
    EXPECT_EQ(bytes_of(traced, 2, "DMA write"), written) << bench;
  }
}

TEST(RunTimeline, LeavesOutTheShortestSpans) {
  TimelineLimits limits;
  limits.spans = 40;
  const Traced all = trace_of("softmax", {{"rows", "16"}});
  const Traced some = trace_of("softmax", {{"rows", "16"}}, limits);
  EXPECT_THAT(some.left_out,
              ::testing::MatchesRegex(
                  "The shortest 44 of 84 kernels and operations are left out, of at most "
                  "[0-9.]+ ns. "));
  EXPECT_EQ(some.document["otherData"]["note"], some.left_out);
  EXPECT_EQ(some.events("X").size(), 40U + 2);
  EXPECT_LT(some.events("X").size(), all.events("X").size());
}

TEST(RunTimeline, LeavesOutTracks) {
  TimelineLimits limits;
  limits.tracks = 28;
  EXPECT_EQ(trace_of("softmax", {}, limits).left_out, "The tracks of PEs are left out. ")
      << "29 tracks";
  limits.tracks = 29;
  EXPECT_EQ(trace_of("softmax", {}, limits).left_out, "");
  limits.tracks = 20;
  const Traced few = trace_of("softmax", {}, limits);
  EXPECT_EQ(few.left_out, "The tracks of cubes and PEs are left out. ");
  EXPECT_THAT(few.tracks(2), ElementsAre("measured on sip0", "launches"));
}

TEST(RunTimeline, ShowsOperationsInFlightBesideTheirPe) {
  const Traced traced = trace_of("attention", {{"queries", "40"}, {"keys", "300"}});
  EXPECT_THAT(traced.tracks(2), ::testing::Contains("cube1.pe3 in flight"));
  EXPECT_EQ(badly_nested(traced), "");
  TimelineLimits limits;
  limits.tracks = 34;
  EXPECT_THAT(trace_of("attention", {{"queries", "40"}, {"keys", "300"}}, limits).left_out,
              HasSubstr(" are left out, which overlap others of their PE or cube. "));
}

TEST(RunTimeline, LeavesOutRegionsAndLaunches) {
  TimelineLimits limits;
  limits.spans = 8;
  EXPECT_THAT(trace_of("softmax", {}, limits).left_out,
              HasSubstr("1 of 2 regions and launches are left out. "));
}

TEST(RunTimeline, LeavesOutTheLastArrows) {
  TimelineLimits limits;
  limits.arrows = 3;
  const Traced traced = trace_of("all-reduce", {{"bytes", "4096"}}, limits);
  EXPECT_EQ(traced.events("s").size(), 3U);
  EXPECT_THAT(traced.left_out, HasSubstr(" arrows are left out. "));
}

TEST(RunTimeline, OfALargeRunStaysWithinItsLimits) {
  const Traced traced =
      trace_of("softmax", {{"rows", "20000"}, {"columns", "8"}, {"rows_at_once", "2"}});
  EXPECT_LE(traced.text.size(), 20'000'000U);
  EXPECT_GT(traced.text.size(), 5'000'000U);
  EXPECT_EQ(badly_nested(traced), "");
}

}  // namespace
}  // namespace kernbench::model::bench
