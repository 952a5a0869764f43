// SPDX-License-Identifier: Apache-2.0
#include "cosim/workload/transfer_trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "common/diagnostics.hpp"
#include "common/text_file.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench::cosim {
namespace {

using common::SimTime;
using model::fabric::Qos;
using model::fabric::TimedTransfer;
using model::fabric::TransferType;
using ::testing::ElementsAre;
using ::testing::StartsWith;

constexpr std::uint32_t kNodes = 64;

const std::vector<TimedTransfer> kThree = {
    {.at = SimTime::from_ps(0), .src = 0, .dst = 63, .qos = Qos::High, .bytes = 1},
    {.at = SimTime::from_ps(1500), .src = 9, .type = TransferType::XMulticast, .bytes = 4096},
    {.at = SimTime::from_ps(1500), .src = 63, .dst = 63, .bytes = 1099511627776},
};

std::vector<TimedTransfer> parse(const std::string& text, const std::string& name = "t.csv") {
  return parse_transfer_trace(text, name, kNodes);
}

/// Returns each error as `line:column: message | hint`, in the order of detection.
std::vector<std::string> errors(const std::string& text, const std::string& name = "t.csv") {
  try {
    (void)parse(text, name);
  } catch (const common::BadInput& error) {
    std::vector<std::string> lines;
    for (const auto& d : error.diagnostics().errors()) {
      EXPECT_EQ(d.position.file, name);
      lines.push_back(std::to_string(d.position.line) + ":" + std::to_string(d.position.column) +
                      ": " + d.message + (d.hint.empty() ? "" : " | " + d.hint));
    }
    return lines;
  }
  return {};
}

std::vector<std::string> csv_errors(const std::string& lines) {
  return errors("time_ps,src,dst,bytes,qos,type\n" + lines);
}

std::string json_trace(const std::string& data) {
  return R"({"kind": "transfer-trace", "data": [)" + data + "]}";
}

class TransferTraceFile : public ::testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const { return folder_.path() / name; }

 private:
  common::TempFolder folder_;
};

TEST_F(TransferTraceFile, IsReadFromCsvAsItWasWritten) {
  write_transfer_trace(path("t.csv"), kThree);
  EXPECT_EQ(common::read_text_file(path("t.csv")),
            "time_ps,src,dst,bytes,qos,type\n"
            "0,0,63,1,high,unicast\n"
            "1500,9,0,4096,low,x_multicast\n"
            "1500,63,63,1099511627776,low,unicast\n");
  EXPECT_EQ(read_transfer_trace(path("t.csv"), kNodes), kThree);
}

TEST_F(TransferTraceFile, IsReadFromJsonAsItWasWritten) {
  common::ReportEnvelope envelope;
  envelope.seed = 7;
  envelope.command = "kernbench";
  write_transfer_trace(path("t.json"), kThree, envelope);
  const auto report = common::read_report(path("t.json"), "transfer-trace");
  EXPECT_EQ(report.seed, 7U);
  EXPECT_EQ(report.command, "kernbench");
  EXPECT_EQ(report.data[1].dump(),
            R"({"bytes":4096,"dst":0,"qos":"low","src":9,"time_ps":1500,"type":"x_multicast"})");
  EXPECT_EQ(read_transfer_trace(path("t.json"), kNodes), kThree);
}

TEST_F(TransferTraceFile, KeepsAMixOfAllTypesThroughBothFormats) {
  const auto transfers = model::fabric::multicasts(kNodes, 500, 1000, 1);
  for (const char* const name : {"mix.csv", "mix.json"}) {
    write_transfer_trace(path(name), transfers);
    EXPECT_EQ(read_transfer_trace(path(name), kNodes), transfers) << name;
  }
}

TEST_F(TransferTraceFile, IsNotWrittenUnderAnotherEnding) {
  try {
    write_transfer_trace("t.txt", kThree);
    FAIL() << "written";
  } catch (const common::BadInput& error) {
    EXPECT_STREQ(error.what(),
                 "error: cannot write 't.txt': the name of a trace must end in .csv or .json");
  }
  EXPECT_FALSE(std::filesystem::exists("t.txt"));
}

TEST_F(TransferTraceFile, IsNamedWhenItIsMissing) {
  try {
    (void)read_transfer_trace("/nowhere/t.csv", kNodes);
    FAIL() << "accepted";
  } catch (const common::BadInput& error) {
    EXPECT_STREQ(error.what(), "error: cannot read '/nowhere/t.csv': No such file or directory");
  }
}

TEST(TransferTraceExample, HasEveryTypeAndQosForEightByEightNodes) {
  const auto transfers =
      read_transfer_trace(places::source("/configs/transfers/example.csv"), kNodes);
  EXPECT_EQ(transfers.size(), 20U);
  std::set<TransferType> types;
  std::set<Qos> levels;
  for (const TimedTransfer& transfer : transfers) {
    types.insert(transfer.type);
    levels.insert(transfer.qos);
  }
  EXPECT_EQ(types.size(), 4U);
  EXPECT_EQ(levels.size(), 2U);
  EXPECT_EQ(transfers.front(),
            (TimedTransfer{.at = SimTime::from_ps(0), .src = 0, .dst = 63, .bytes = 64}));
}

TEST(TransferTraceCsv, TakesWindowsLineEndsHexadecimalNumbersAndNoLastNewline) {
  EXPECT_EQ(parse("time_ps,src,dst,bytes,qos,type\r\n0,0,0x3f,1,high,unicast\r\n"
                  "1500,9,0,4096,low,x_multicast\r\n1500,63,63,0x10000000000,low,unicast"),
            kThree);
}

TEST(TransferTraceCsv, NeedsTheDestinationOfAMulticastAndIgnoresThatOfABroadcast) {
  const auto of = [](const char* type, const char* dst) {
    return "time_ps,src,dst,bytes,qos,type\n0,1," + std::string(dst) + ",1,low," + type + "\n";
  };
  EXPECT_EQ(parse(of("broadcast", "5")), parse(of("broadcast", "")));
  EXPECT_EQ(parse(of("broadcast", "5")).front().dst, 0U);
  for (const char* const type : {"x_multicast", "y_multicast", "broadcast"}) {
    EXPECT_THAT(errors(of(type, "64")),
                ElementsAre("2:5: dst 64 does not exist in a fabric of 64 nodes | 0 to 63"));
  }
  EXPECT_EQ(parse(of("x_multicast", "5")).front().dst, 5U);
  EXPECT_THAT(errors(of("x_multicast", "")),
              ElementsAre("2:5: an x_multicast, to the column of dst, needs a dst | 0 to 63"));
  EXPECT_THAT(errors(of("y_multicast", "")),
              ElementsAre("2:5: a y_multicast, to the row of dst, needs a dst | 0 to 63"));
}

TEST(TransferTraceCsv, ReportsAllErrorsWithTheirPlaces) {
  const std::string no_number = " | decimal digits, or hexadecimal ones after 0x";
  EXPECT_THAT(
      csv_errors("-1,64,65,0,medium,unicats\n"
                 "1x,-1,+2,-5,HIGH,\n"
                 "1000000000000000001,0,,1099511627777,1,unicast\n"
                 "99999999999999999999,0,1,1e3,lo,multicast\n"),
      ElementsAre("2:1: time_ps '-1' is not an unsigned integer" + no_number,
                  "2:4: src 64 does not exist in a fabric of 64 nodes | 0 to 63",
                  "2:19: type 'unicats' does not exist | did you mean 'unicast'?",
                  "2:7: dst 65 does not exist in a fabric of 64 nodes | 0 to 63",
                  "2:10: a transfer cannot have 0 bytes | 1 to 1099511627776",
                  "2:12: qos 'medium' does not exist | one of low, high",
                  "3:1: time_ps '1x' is not an unsigned integer" + no_number,
                  "3:4: src '-1' is not an unsigned integer" + no_number,
                  "3:18: type '' does not exist | one of unicast, x_multicast, y_multicast, "
                  "broadcast",
                  "3:7: dst '+2' is not an unsigned integer" + no_number,
                  "3:10: bytes '-5' is not an unsigned integer" + no_number,
                  "3:13: qos 'HIGH' does not exist | did you mean 'high'?",
                  "4:1: time_ps 1000000000000000001 is too late | at most 1000000000000000000",
                  "4:23: a unicast needs a dst | 0 to 63",
                  "4:24: a transfer cannot have 1099511627777 bytes | 1 to 1099511627776",
                  "4:38: qos '1' does not exist | one of low, high",
                  "5:1: time_ps '99999999999999999999' is not an unsigned integer" + no_number,
                  "5:33: type 'multicast' does not exist | did you mean 'x_multicast'?",
                  "5:26: bytes '1e3' is not an unsigned integer" + no_number,
                  "5:30: qos 'lo' does not exist | did you mean 'low'?"));
}

TEST(TransferTraceCsv, RefusesLinesOfAnotherLength) {
  const std::string header = " | time_ps,src,dst,bytes,qos,type";
  EXPECT_THAT(csv_errors("0,1,2,3,low\n"
                         "0,1,2,3,low,unicast,9\n"
                         "\n"
                         "0,1,2"),
              ElementsAre("2:1: the line has 5 of 6 fields" + header,
                          "3:20: ',9' after the last field" + header,
                          "4:1: the line has 1 of 6 fields" + header,
                          "5:1: the line has 3 of 6 fields" + header));
}

TEST(TransferTraceCsv, RefusesTimesThatRunBackwards) {
  EXPECT_THAT(csv_errors("7,0,1,1,low,unicast\n7,0,1,1,low,unicast\n5,0,1,1,low,unicast\n"
                         "6,0,1,1,low,unicast\n7,0,1,1,low,unicast\n"),
              ElementsAre("4:1: time_ps 5 is before the 7 of line 3 | transfers in "
                          "time order",
                          "5:1: time_ps 6 is before the 7 of line 3 | transfers in "
                          "time order"));
}

TEST(TransferTraceCsv, NamesUnknownColumns) {
  EXPECT_THAT(errors("time_ps,source,dst,byte,qos,type,color\n0,0,1,1,low,unicast,red\n"),
              ElementsAre("1:9: unknown column 'source' | time_ps,src,dst,bytes,qos,type",
                          "1:20: unknown column 'byte' | did you mean 'bytes'?",
                          "1:34: unknown column 'color' | time_ps,src,dst,bytes,qos,type"));
}

TEST(TransferTraceCsv, RefusesAnotherHeaderAndAnEmptyTrace) {
  const char* const kHeader = "1:1: the first line must be 'time_ps,src,dst,bytes,qos,type'";
  EXPECT_THAT(errors("src,time_ps,dst,bytes,qos,type\n0,0,1,1,low,unicast\n"),
              ElementsAre(kHeader));
  EXPECT_THAT(errors("time_ps,src,dst,bytes,qos\n0,0,1,1,low\n"), ElementsAre(kHeader));
  EXPECT_THAT(errors("0,0,1,1,low,unicast\n"), ElementsAre(kHeader));
  EXPECT_THAT(errors(""), ElementsAre("0:0: the trace has no transfers"));
  EXPECT_THAT(csv_errors(""), ElementsAre("0:0: the trace has no transfers"));
  EXPECT_THAT(errors("x", "t.txt"),
              ElementsAre("0:0: the name of a trace must end in .csv or .json"));
}

TEST(TransferTraceCsv, ShowsTheLineAndWhatWouldBeRight) {
  try {
    (void)parse("time_ps,src,dst,bytes,qos,type\n0,0,64,1,low,unicast\n");
    FAIL() << "accepted";
  } catch (const common::BadInput& error) {
    EXPECT_STREQ(error.what(),
                 "t.csv:2:5: error: dst 64 does not exist in a fabric of 64 nodes\n"
                 "    2 | 0,0,64,1,low,unicast\n"
                 "      |     ^\n"
                 "  hint: 0 to 63");
  }
}

TEST(TransferTraceCsv, StopsReadingAfterAHundredErrors) {
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += "0,99,0,1,low,unicast\n";
  const auto found = csv_errors(lines);
  EXPECT_EQ(found.size(), 101U);
  EXPECT_EQ(found.back(), "0:0: too many errors, the rest was not read");
}

TEST(TransferTraceJson, TakesKeysInAnyOrder) {
  EXPECT_EQ(
      parse(
          json_trace(
              R"({"type": "unicast", "qos": "high", "bytes": 1, "dst": 63, "src": 0, "time_ps": 0},
 {"time_ps": 1500, "src": 9, "dst": 0, "bytes": 4096, "qos": "low", "type": "x_multicast"},
 {"time_ps": 1500, "src": 63, "dst": 63, "bytes": 1099511627776, "qos": "low", "type": "unicast"})"),
          "t.json"),
      kThree);
}

TEST(TransferTraceJson, ReportsAllErrorsWithTheirPlaces) {
  const std::string no_number = " | decimal digits, or hexadecimal ones after 0x";
  EXPECT_THAT(
      errors(R"({"kind": "link-trace", "sed": 1, "data": [
 {"time_ps": 5, "src": 64, "bytes": 1, "qos": "low", "type": "unicast"},
 {"time_ps": "5", "src": 0, "dst": null, "bytes": 1.5, "qos": 1, "type": ["unicast"]},
 {"time_ps": 4, "source": 0, "dst": 1, "byte": 1, "qos": "low", "type": "unicast"},
 {"time_ps": 4, "src": 0, "src": 1, "dst": 1, "bytes": 0, "qos": "low", "type": "broadcast"},
 null
]})",
             "t.json"),
      ElementsAre(
          "1:10: kind is 'link-trace', not 'transfer-trace'",
          "1:24: unknown key 'sed' | did you mean 'seed'?",
          "2:24: src 64 does not exist in a fabric of 64 nodes | 0 to 63",
          "2:2: a unicast needs a dst | 0 to 63",
          R"(3:14: time_ps '"5"' is not an unsigned integer)" + no_number,
          "3:74: type '[...]' does not exist | one of unicast, x_multicast, y_multicast, broadcast",
          "3:36: dst 'null' is not an unsigned integer" + no_number,
          "3:51: bytes '1.5' is not an unsigned integer" + no_number,
          "3:63: qos '1' does not exist | one of low, high", "4:17: unknown key 'source'",
          "4:40: unknown key 'byte' | did you mean 'bytes'?", "4:2: the transfer has no 'src'",
          "4:2: the transfer has no 'bytes'", "5:27: a second key 'src'",
          "5:14: time_ps 4 is before the 5 of line 2 | transfers in time "
          "order",
          "5:56: a transfer cannot have 0 bytes | 1 to 1099511627776",
          StartsWith(R"(6:2: 'null' is not a transfer | {"kind": "transfer-trace", )")));
}

TEST(TransferTraceJson, RefusesAnythingButTheEnvelopeAndAnEmptyTrace) {
  EXPECT_THAT(errors("[]", "t.json"), ElementsAre(StartsWith("1:1: the trace must be a map | ")));
  EXPECT_THAT(errors("{}", "t.json"), ElementsAre(StartsWith("1:1: the key 'kind' is missing | "),
                                                  StartsWith("1:1: the key 'data' is missing | ")));
  EXPECT_THAT(errors(R"({"kind": "transfer-trace", "data": {}})", "t.json"),
              ElementsAre(StartsWith("1:36: data must be a list of transfers | ")));
  EXPECT_THAT(errors(json_trace(""), "t.json"), ElementsAre("0:0: the trace has no transfers"));
}

TEST(TransferTraceJson, RefusesATruncatedFileWithThePlace) {
  const auto found =
      errors("{\"kind\": \"transfer-trace\",\n \"data\": [{\"time_ps\": 5", "t.json");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0], StartsWith("2:23: invalid JSON: syntax error"));
}

}  // namespace
}  // namespace kernbench::cosim
