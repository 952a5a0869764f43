// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "common/diagnostics.hpp"
#include "shapes.hpp"
#include "sim/stimulus/driver.hpp"
#include "sim/stimulus/trace_replay.hpp"
#include "sim/trace/link_trace.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::sim {
namespace {

using maze::BitPlane;
using maze::PayloadPlane;
using maze::Shape;
using ::testing::ElementsAre;

const std::vector<TraceEntry> kThree = {{0, 63, 13, 0x7fffff}, {2, 5, 3, 0}, {7, 63, 13, 0x12345}};

std::vector<TraceEntry> parse(const std::string& text, const std::string& name = "t.csv") {
  return parse_link_trace(text, name, k8x8);
}

/// Returns each error as `line:column: message`, in the order of detection.
std::vector<std::string> errors(const std::string& text, const std::string& name = "t.csv") {
  try {
    (void)parse(text, name);
  } catch (const common::BadInput& error) {
    std::vector<std::string> lines;
    for (const auto& d : error.diagnostics().errors()) {
      EXPECT_EQ(d.position.file, name);
      lines.push_back(std::to_string(d.position.line) + ":" + std::to_string(d.position.column) +
                      ": " + d.message);
    }
    return lines;
  }
  return {};
}

std::vector<std::string> csv_errors(const std::string& lines) {
  return errors("cycle,node,port,packet\n" + lines);
}

TEST(LinkTraceCsv, IsReadAsItWasWritten) {
  std::ostringstream out;
  LinkTraceWriter writer(out, k8x8);
  for (const TraceEntry& entry : kThree) writer.write(entry);
  EXPECT_EQ(out.str(),
            "cycle,node,port,packet\n0,63,y[6],0x7fffff\n2,5,x[3],0x000000\n7,63,y[6],0x012345\n");
  EXPECT_EQ(parse(out.str()), kThree);
}

TEST(LinkTraceCsv, TakesShortPortNamesDecimalPacketsAndWindowsLineEnds) {
  EXPECT_EQ(parse("cycle,node,port,packet\r\n0,63,y6,8388607\r\n2,5,x3,0\r\n7,63,y6,74565"),
            kThree);
}

TEST(LinkTraceCsv, ReportsAllErrorsWithTheirPlaces) {
  EXPECT_THAT(
      csv_errors("0,64,x[0],0x1\n"
                 "0,5,x[7],0x1\n"
                 "1,5,z0,0x1\n"
                 "1x,5,x[0],0x800000\n"
                 "-1,5,y[0x1],+1\n"
                 "1,5,x[0]\n"
                 "1,5,x[0],0x1,9\n"
                 "\n"
                 "1,5,x[00],\n"),
      ElementsAre("2:3: node 64 does not exist in a 8x8 fabric",
                  "3:5: port 'x[7]' does not exist in a 8x8 fabric",
                  "4:5: port 'z0' does not exist in a 8x8 fabric",
                  "5:1: cycle '1x' is not an unsigned integer",
                  "5:11: packet 0x800000 is wider than the payload's 23 bits",
                  "6:1: cycle '-1' is not an unsigned integer",
                  "6:6: port 'y[0x1]' does not exist in a 8x8 fabric",
                  "6:13: packet '+1' is not an unsigned integer", "7:1: the line has 3 of 4 fields",
                  "8:13: ',9' after the last field", "9:1: the line has 1 of 4 fields",
                  "10:5: port 'x[00]' does not exist in a 8x8 fabric",
                  "10:11: packet '' is not an unsigned integer"));
}

TEST(LinkTraceCsv, ShowsTheLineAndWhatWouldBeRight) {
  try {
    (void)parse("cycle,node,port,packet\n0,64,x[0],0x1\n");
    FAIL() << "accepted";
  } catch (const common::BadInput& error) {
    EXPECT_STREQ(error.what(),
                 "t.csv:2:3: error: node 64 does not exist in a 8x8 fabric\n"
                 "    2 | 0,64,x[0],0x1\n"
                 "      |   ^\n"
                 "  hint: 0 to 63");
  }
}

TEST(LinkTraceCsv, RefusesCyclesOfOneLinkThatDoNotAscend) {
  EXPECT_THAT(
      csv_errors("5,3,x[0],1\n5,3,x[1],1\n4,3,y[0],1\n5,3,x[0],2\n6,3,x[0],2\n"),
      ElementsAre("5:1: cycle 5 does not ascend: node 3 x[0] had a packet in cycle 5 (line 2)"));
}

TEST(LinkTraceCsv, RefusesAnotherHeaderAndAnEmptyTrace) {
  EXPECT_THAT(errors("cycle,node,port\n0,0,x0,0\n"),
              ElementsAre("1:1: the first line must be 'cycle,node,port,packet'"));
  EXPECT_THAT(errors("cycle,node,prt,packet\n0,0,x0,0\n"),
              ElementsAre("1:12: unknown column 'prt'"));
  EXPECT_THAT(errors(""), ElementsAre("0:0: the trace has no packets"));
  EXPECT_THAT(csv_errors(""), ElementsAre("0:0: the trace has no packets"));
  EXPECT_THAT(errors("x", "t.txt"),
              ElementsAre("0:0: the name of a trace must end in .csv or .json"));
}

TEST(LinkTraceCsv, StopsReadingAfterAHundredErrors) {
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += "0,99,x0,0\n";
  const auto found = csv_errors(lines);
  EXPECT_EQ(found.size(), 101U);
  EXPECT_EQ(found.back(), "0:0: too many errors, the rest was not read");
}

TEST(LinkTraceJson, IsReadFromTheReportEnvelope) {
  EXPECT_EQ(
      parse(R"({"schema": 1, "kind": "link-trace", "outcome": null, "command": ["a", {"b": 1}],
 "data": [{"cycle": 0, "node": 63, "port": "y[6]", "packet": "0x7fffff"},
          {"packet": 0, "port": "x3", "node": 5, "cycle": 2},
          {"cycle":7,"node":63,"port":"y[6]","packet":74565}]})",
            "t.json"),
      kThree);
}

TEST(LinkTraceJson, RefusesALaterVersion) {
  EXPECT_THAT(errors(R"({"schema": 2, "kind": "link-trace", "data": []})", "t.json"),
              ::testing::Contains("1:12: the trace has schema 2, this program reads 1"));
  EXPECT_THAT(errors(R"({"schema": "1.0", "kind": "link-trace", "data": []})", "t.json"),
              ::testing::Contains("1:12: the trace has schema 1.0, this program reads 1"));
}

TEST(LinkTraceJson, ReportsAllErrorsWithTheirPlaces) {
  EXPECT_THAT(
      errors(R"({"kind": "transfer-trace", "colour": 1, "data": [
 {"cycle": 0, "node": 64, "port": "x[0]", "packet": 1},
 {"cycle": 1.5, "node": -1, "port": 3, "packet": "0x800000"},
 {"cycle": "1", "nod": 5, "port": "x[0]", "packet": [1, {"cycle": 2}]},
 7,
 {"cycle": 3, "node": 5, "port": "x[0]", "port": "x[0]", "packet": true}
], "data": []})",
             "t.json"),
      ElementsAre("1:10: kind is 'transfer-trace', not 'link-trace'", "1:28: unknown key 'colour'",
                  "2:23: node 64 does not exist in a 8x8 fabric",
                  "3:12: cycle '1.5' is not an unsigned integer",
                  "3:25: node '-1' is not an unsigned integer",
                  "3:37: port '3' does not exist in a 8x8 fabric",
                  "3:50: packet 0x800000 is wider than the payload's 23 bits",
                  "4:17: unknown key 'nod'", "4:2: the packet has no 'node'",
                  "5:2: '7' is not a packet", "6:42: a second key 'port'",
                  "6:68: packet 'true' is not an unsigned integer", "7:4: a second key 'data'"));
}

TEST(LinkTraceJson, RefusesAnythingButTheEnvelope) {
  EXPECT_THAT(errors("[]", "t.json"), ElementsAre("1:1: the trace must be a map"));
  EXPECT_THAT(errors("{}", "t.json"),
              ElementsAre("1:1: the key 'kind' is missing", "1:1: the key 'data' is missing"));
  EXPECT_THAT(errors(R"({"kind": "link-trace", "data": {"cycle": 1}})", "t.json"),
              ElementsAre("1:32: data must be a list of packets"));
}

TEST(LinkTraceJson, RefusesBrokenSyntaxAndTrailingGarbageWithTheirPlaces) {
  const auto broken = errors("{\"kind\": \"link-trace\",\n \"data\": [}", "t.json");
  ASSERT_EQ(broken.size(), 1U);
  EXPECT_THAT(broken[0], ::testing::StartsWith("2:11: invalid JSON: syntax error"));
  const auto garbage = errors(
      "{\"kind\": \"link-trace\", \"data\": "
      "[\n{\"cycle\":0,\"node\":0,\"port\":\"x0\",\"packet\":0}]}\nx",
      "t.json");
  ASSERT_EQ(garbage.size(), 1U);
  EXPECT_THAT(garbage[0], ::testing::StartsWith("3:1: invalid JSON: syntax error"));
}

TEST(LinkTrace, NamesAMissingFile) {
  try {
    (void)read_link_trace("/nowhere/t.csv", k8x8);
    FAIL() << "accepted";
  } catch (const common::BadInput& error) {
    EXPECT_STREQ(error.what(), "error: cannot read '/nowhere/t.csv': No such file or directory");
  }
}

/// Returns the cycle and link of every start of a replay whose links are free except in `busy`
/// cycles.
struct Start {
  std::uint64_t cycle;
  unsigned node, port;
  maze::Payload packet;
  friend bool operator==(const Start&, const Start&) = default;
};

TEST(TraceReplay, OffersAPacketInItsCycleOrAsSoonAsItsLinkIsFree) {
  const std::vector<TraceEntry> entries = {
      {4, 9, 0, 0x11}, {2, 8, 1, 0x22}, {3, 8, 1, 0x33}, {5, 8, 1, 0x44}};
  TraceReplay replay(k8x8, entries);
  EXPECT_TRUE(replay.links().test(0, 9));
  EXPECT_TRUE(replay.links().test(1, 8));
  BitPlane free(k8x8);
  BitPlane start(k8x8);
  PayloadPlane payloads(k8x8);
  std::vector<Start> starts;
  for (std::uint64_t cycle = 0; cycle < 12; ++cycle) {
    EXPECT_EQ(replay.exhausted(), cycle > 7) << cycle;
    free.set(0, 9);
    free.set(1, 8, cycle < 3 || cycle > 5);  // the packet of cycle 2 is stuck in cycles 3 to 5
    replay.start(cycle, {free, free}, start);
    replay.fill(start, payloads);
    for (const auto& [node, port] : {std::pair(9U, 0U), std::pair(8U, 1U)}) {
      if (start.test(port, node)) starts.push_back({cycle, node, port, payloads.at(port, node)});
    }
  }
  EXPECT_THAT(starts, ElementsAre(Start{2, 8, 1, 0x22}, Start{4, 9, 0, 0x11}, Start{6, 8, 1, 0x33},
                                  Start{7, 8, 1, 0x44}));
}

TEST(TraceReplay, IsWhatADriverPlaysForPatternTrace) {
  const common::TempFolder folder;
  const std::string path = folder.path() / "replay.csv";
  {
    std::ofstream file(path);
    LinkTraceWriter writer(file, k8x8);
    for (const TraceEntry& entry : kThree) writer.write(entry);
  }
  TrafficSpec traffic;
  traffic.pattern = Pattern::Trace;
  traffic.trace_file = path;
  const topology::MazeLinks links(8, 8);
  Driver driver(k8x8, links, traffic, {}, 1);
  maze::TopoInputs inputs(k8x8);
  BitPlane fired(k8x8);
  std::vector<TraceEntry> seen;
  for (std::uint64_t cycle = 0; cycle < 10; ++cycle) {
    EXPECT_EQ(driver.exhausted(), cycle > 7);
    driver.drive(cycle, Phase::Run, fired, inputs);
    fired = inputs.out_valid;
    for (const auto& [node, port] : {std::pair(63U, 13U), std::pair(5U, 3U)}) {
      if (!fired.test(port, node)) continue;
      seen.push_back({cycle, node, port, inputs.out_payload.at(port, node)});
    }
  }
  EXPECT_EQ(seen, kThree);
}

}  // namespace
}  // namespace kernbench::sim
