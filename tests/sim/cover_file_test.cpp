// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/text_file.hpp"
#include "sim/cover/coverage_file.hpp"
#include "tests/places.hpp"
#include "tests/sim/cover_bench.hpp"

namespace kernbench::sim {
namespace {

using common::BadInput;
using maze::Shape;
using nlohmann::json;
namespace fs = std::filesystem;

const CoveredRun kPassed{"0a", common::Outcome::Pass};

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const BadInput& error) {
    return error.what();
  }
  return "no error";
}

/// Creates a temporary folder per test. Port 0 of the 6x2 fabric is a wire, port 1 has one stage.
class CoverFile : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = test->name();
    std::ranges::replace(name, '/', '_');
    folder_ = fs::path(places::kBuild) / "cover_file_test" / name;
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }
  std::string write(const std::string& name, const Shape& shape, std::uint64_t at_least = 2,
                    unsigned packets = 1) {
    CoverBench bench(shape, at_least, BackPressure::Random);
    for (unsigned i = 0; i < packets; ++i) bench.send(bench.links.leaving(0, 0), i);
    write_coverage_file(path(name), bench.coverage.data(), {kPassed}, {});
    return path(name);
  }
  /// Returns a valid file after a change.
  std::string spoil(const std::function<void(json& data)>& change) {
    std::string name = write("spoilt.json", kShape);
    json report = json::parse(common::read_text_file(name));
    change(report["data"]);
    common::write_file_atomically(name, report.dump());
    return name;
  }
  void expect_refused(const std::function<void(json& data)>& change, const std::string& message) {
    const std::string name = spoil(change);
    EXPECT_EQ(message_of([&] { (void)read_coverage_file(name); }), name + ": error: " + message);
  }

  static constexpr Shape kShape{6, 2, 4};
  fs::path folder_;
};

// Planes of 64 nodes fill their words; those of 72 do not.
class CoverFileOfShape : public CoverFile, public testing::WithParamInterface<Shape> {};
INSTANTIATE_TEST_SUITE_P(Shapes, CoverFileOfShape, testing::Values(Shape{8, 8, 4}, Shape{9, 8, 4}));

TEST_P(CoverFileOfShape, ReadsBackWhatWasWritten) {
  CoverBench bench(GetParam(), 2, BackPressure::Periodic);
  for (const auto& link : bench.links.links()) bench.offer(link, link.from.node);
  bench.set_ready(bench.links.leaving(3, 4), false);
  bench.cycles(12);
  bench.reset();
  common::ReportEnvelope header;
  header.outcome = common::Outcome::Mismatch;
  header.seed = 7;
  header.command = "kernbench sim";
  write_coverage_file(path("a.json"), bench.coverage.data(), {kPassed}, header);

  const CoverageData back = read_coverage_file(path("a.json")).coverage;
  EXPECT_EQ(coverage_json(back), coverage_json(bench.coverage.data()));
  EXPECT_EQ(back.missed(), bench.coverage.data().missed());
  const common::ReportEnvelope envelope = common::read_report(path("a.json"), "coverage");
  EXPECT_EQ(envelope.outcome, common::Outcome::Mismatch);
  EXPECT_EQ(envelope.seed, 7U);
  EXPECT_EQ(envelope.command, "kernbench sim");
}

TEST_F(CoverFile, HoldsEveryMissedBinByName) {
  const std::string name = write("a.json", kShape);
  const json data = json::parse(common::read_text_file(name))["data"];
  const CoverageData coverage = read_coverage_file(name).coverage;
  EXPECT_EQ(data["missed"].get<std::vector<std::string>>(), coverage.missed());
  EXPECT_EQ(data["summary"]["hit"], coverage.hit_bins());
  EXPECT_EQ(data["summary"]["total"], coverage.total_bins());
}

TEST_F(CoverFile, LeavesNothingBehindWhenItCannotBeWritten) {
  CoverBench bench(kShape);
  EXPECT_THROW(write_coverage_file(path("missing/a.json"), bench.coverage.data(), {kPassed}, {}),
               BadInput);
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(CoverFile, RefusesOtherSchemas) {
  expect_refused([](json& data) { data["schema"] = 2; },
                 "the coverage has schema 2, this program reads 3");
  expect_refused([](json& data) { data["schema"] = "1"; }, "'data.schema' must be 3, not '1'");
}

TEST_F(CoverFile, RefusesMissingAndUnknownKeys) {
  expect_refused([](json& data) { data.erase("links"); },
                 "missing key 'data.links'\n  hint: it must be a map");
  expect_refused([](json& data) { data["linkz"] = 1; },
                 "unknown key 'data.linkz'\n  hint: valid keys: schema, shape, at_least, fabric, "
                 "links, stages, payload, packets, deep, summary, missed, runs");
  expect_refused([](json& data) { data["links"].erase("stalled"); },
                 "missing key 'data.links.stalled'\n  hint: it must be a list");
  expect_refused(
      [](json& data) { data["fabric"]["x"] = true; },
      "unknown key 'data.fabric.x'\n  hint: valid keys: all_links_active, reset_under_traffic");
  expect_refused([](json& data) { data["payload"].erase("falls"); },
                 "missing key 'data.payload.falls'\n  hint: it must be a list");
  expect_refused([](json& data) { data["stages"] = 1; }, "'data.stages' must be a map, not '1'");
  expect_refused([](json& data) { data["packets"].erase("none"); },
                 "missing key 'data.packets.none'\n  hint: it must be a list");
}

TEST_F(CoverFile, RefusesShapesThatCannotBe) {
  expect_refused([](json& data) { data["shape"]["nx"] = 17; },
                 "'data.shape.nx' must be an integer from 2 to 16, not '17'");
  expect_refused([](json& data) { data["shape"]["flit_w"] = 0; },
                 "'data.shape.flit_w' must be an integer from 1 to 32, not '0'");
  expect_refused([](json& data) { data["at_least"] = -1; },
                 "'data.at_least' must be an integer from 0 to 18446744073709551615, not '-1'");
}

TEST_F(CoverFile, RefusesWrongSizes) {
  expect_refused([](json& data) { data["links"]["delivered"].erase(0); },
                 "'data.links.delivered' must be a list of 6 ports");
  expect_refused(
      [](json& data) { data["links"]["delivered"][3] = "0000000000000000 0000000000000000"; },
      "'data.links.delivered', port 3, must be 1 words of 16 hexadecimal digits");
  expect_refused([](json& data) { data["stages"]["1 entry, both"][2] = "0000000000000000"; },
                 "'data.stages.1 entry, both', port 2, must be 2 words of 16 hexadecimal digits");
  expect_refused([](json& data) { data["payload"]["rises"][0] = "12"; },
                 "'data.payload.rises[0]' must be words of 16 hexadecimal digits, not '12'");
  expect_refused([](json& data) { data["packets"]["none"][1].push_back(0); },
                 "'data.packets.none', port 1, must be a list of 12 whole numbers");
  expect_refused([](json& data) { data["packets"]["none"][1][2] = 1.5; },
                 "'data.packets.none[1][2]' must be an integer from 0 to 18446744073709551615, "
                 "not '1.5'");
}

TEST_F(CoverFile, RefusesWordsThatAreNoPlanes) {
  expect_refused([](json& data) { data["links"]["delivered"][3] = "000000000000000G"; },
                 "'data.links.delivered[3]' must be words of 16 hexadecimal digits, not "
                 "'000000000000000G'");
  expect_refused([](json& data) { data["links"]["delivered"][3] = 5; },
                 "'data.links.delivered[3]' must be words of 16 hexadecimal digits, not '5'\n"
                 "  hint: put it in quotes");
  expect_refused([](json& data) { data["links"]["delivered"][3] = "0000000000001000"; },
                 "'data.links.delivered', port 3, has bits without a bin");
  expect_refused([](json& data) { data["links"]["filled"][0] = "0000000000000001"; },
                 "'data.links.filled', port 0, has bits without a bin");
  expect_refused([](json& data) { data["fabric"]["all_links_active"] = 1; },
                 "'data.fabric.all_links_active' must be true or false, not '1'");
}

TEST_F(CoverFile, NoticesThatBinsWereChangedByHand) {
  expect_refused([](json& data) { data["links"]["filled"][1] = "0000000000000001"; },
                 "'summary' and 'missed' do not follow from the bins: the file was changed after "
                 "it had been written");
}

TEST_F(CoverFile, ReportsAllErrorsOfAFileAtOnce) {
  const std::string name = spoil([](json& data) {
    data["links"]["delivered"][3] = 5;
    data["fabric"]["all_links_active"] = 1;
  });
  EXPECT_EQ(message_of([&] { (void)read_coverage_file(name); }),
            name + ": error: 'data.fabric.all_links_active' must be true or false, not '1'\n" +
                name +
                ": error: 'data.links.delivered[3]' must be words of 16 hexadecimal digits, not "
                "'5'\n  hint: put it in quotes");
}

TEST_F(CoverFile, RefusesDamagedJsonWithItsPlace) {
  const std::string name = write("a.json", kShape);
  const std::string text = common::read_text_file(name);
  common::write_file_atomically(name, text.substr(0, text.find("\"kind\"") + 8));
  EXPECT_THAT(message_of([&] { (void)read_coverage_file(name); }),
              testing::StartsWith(name + ":3:10: error: syntax error"));
}

TEST_F(CoverFile, RefusesReportsOfAnotherKind) {
  common::ReportEnvelope other;
  other.kind = "sim-report";
  common::write_report(path("r.json"), other);
  EXPECT_EQ(message_of([&] { (void)read_coverage_file(path("r.json")); }),
            path("r.json") + ": error: this is a report of kind 'sim-report', not 'coverage'");
}

TEST_F(CoverFile, MergesFiles) {
  const std::string a = write("a.json", kShape, 2, 1);
  const std::string b = write("b.json", kShape, 2, 2);
  const auto [merged, runs] = merge_coverage_files({a, b});
  EXPECT_EQ(runs, (std::vector<CoveredRun>{kPassed, kPassed}));
  const unsigned receiver = 1;  // receiver of the link from node 0 through x[0]
  EXPECT_EQ(merged.packets(BackPressure::Random)[receiver], 3U);
  CoverageData expected = read_coverage_file(b).coverage;
  expected.merge(read_coverage_file(a).coverage);
  EXPECT_EQ(coverage_json(merged), coverage_json(expected));
}

TEST_F(CoverFile, AMergeReportsTheErrorsOfAllFilesAtOnce) {
  const std::string a = write("a.json", kShape);
  const std::string other = write("other.json", {8, 3, 8});
  const std::string goal = write("goal.json", kShape, 3);
  const std::string bad = spoil([](json& data) { data.erase("links"); });
  const std::string none = path("none.json");
  EXPECT_EQ(message_of([&] {
              (void)merge_coverage_files({a, other, goal, bad, none, a});
            }),
            other + ": error: this is the coverage of another design: 8x3 with 8 data bits, but '" +
                a + "' is of 6x2 with 4 data bits\n" +                                           //
                goal + ": error: the goal is 3 packets on every link, but 2 in '" + a + "'\n" +  //
                bad + ": error: missing key 'data.links'\n  hint: it must be a map\n" +          //
                "error: cannot read '" + none + "': No such file or directory\n" +               //
                a + ": error: given twice: its packets would count twice");
}

TEST_F(CoverFile, AMergeRefusesRunsThatDidNotPassAndOtherModels) {
  const auto with_runs = [&](const std::string& name, const std::vector<CoveredRun>& runs) {
    write_coverage_file(path(name), CoverBench(kShape).coverage.data(), runs, {});
    return path(name);
  };
  const CoveredRun failed{"0a", common::Outcome::Mismatch};
  const CoveredRun other{"0b", common::Outcome::Pass};
  const std::string a = with_runs("a.json", {kPassed});
  const std::string b = with_runs("b.json", {kPassed, failed});
  const std::string c = with_runs("c.json", {other});
  const std::string failed_text = b +
                                  ": error: 1 of 2 runs did not pass: mismatch\n"
                                  "  hint: --accept-failed counts what such runs covered";
  const std::string other_text = c + ": error: this is the coverage of model 0b, but '" + a +
                                 "' is of model 0a\n"
                                 "  hint: --accept-other-models merges the coverage of different "
                                 "RTL";
  EXPECT_EQ(message_of([&] {
              (void)merge_coverage_files({a, b, c});
            }),
            failed_text + "\n" + other_text);
  EXPECT_EQ(message_of([&] { (void)merge_coverage_files({b}); }), failed_text);
  EXPECT_EQ(message_of([&] {
              (void)merge_coverage_files({a, b, c}, {.failed_runs = true});
            }),
            other_text);
  const CoverageOfRuns all = merge_coverage_files({a, b, c}, {true, true});
  EXPECT_EQ(all.runs, (std::vector<CoveredRun>{kPassed, kPassed, failed, other}));
  const std::string merged = path("merged.json");
  write_coverage_file(merged, all.coverage, all.runs, {});
  EXPECT_EQ(message_of([&] { (void)merge_coverage_files({merged}, {.failed_runs = true}); }),
            merged + ": error: this is the coverage of model 0b, but '" + merged +
                "' is of model 0a\n"
                "  hint: --accept-other-models merges the coverage of different RTL");
}

TEST_F(CoverFile, RefusesAFileThatDoesNotSayWhichRunsItIsOf) {
  expect_refused([](json& data) { data.erase("runs"); },
                 "missing key 'data.runs'\n  hint: it must be a list of at least 1 item");
  const auto expect_runs_refused = [&](const json& runs, const std::string& message) {
    expect_refused([&](json& data) { data["runs"] = runs; }, message);
  };
  const std::string list = "'data.runs' must be a list of at least 1 item, not ";
  expect_runs_refused(json::array(), list + "of 0");
  expect_runs_refused(5, list + "'5'");
  expect_runs_refused(json::object(), list + "a map");
  expect_runs_refused({5}, "'data.runs[0]' must be a map, not '5'");
  expect_runs_refused(
      {{{"model", "0a"}}},
      "missing key 'data.runs[0].outcome'\n  hint: it must be one of pass, vacuous, "
      "mismatch, timeout, deadlock, bad-input, interrupted, internal-error");
  expect_runs_refused({{{"model", "0a"}, {"outcome", "good"}}},
                      "'data.runs[0].outcome' must be one of pass, vacuous, mismatch, timeout, "
                      "deadlock, bad-input, interrupted, internal-error, not 'good'");
  expect_runs_refused({{{"model", 5}, {"outcome", "pass"}}},
                      "'data.runs[0].model' must be text, not '5'\n  hint: put it in quotes");
}

TEST_F(CoverFile, AMergeOfNothingIsAnError) {
  EXPECT_EQ(message_of([] { (void)merge_coverage_files({}); }),
            "error: no coverage files to merge");
}

TEST_F(CoverFile, AListNamesFilesRelativeToItself) {
  fs::create_directories(folder_ / "runs");
  write("runs/a.json", kShape);
  write("b#1.json", kShape);
  common::write_file_atomically(path("list.txt"),
                                "# all runs\n\n  runs/a.json  # the first\r\n" + path("b#1.json"));
  EXPECT_THAT(read_coverage_list(path("list.txt")),
              testing::ElementsAre(folder_ / "runs/a.json", folder_ / "b#1.json"));
}

TEST_F(CoverFile, AListReportsEveryBadLine) {
  write("a.json", kShape);
  const std::string list = path("list.txt");
  common::write_file_atomically(list, "a.json\n# no\n  none.json\n./a.json\n");
  EXPECT_EQ(message_of([&] { (void)read_coverage_list(list); }),
            list + ":3:3: error: file '" + path("none.json") +
                "' does not exist\n    3 |   none.json\n      |   ^\n  hint: paths are relative to "
                "the folder of "
                "the list\n" +
                list + ":4:1: error: '" + path("a.json") +
                "' is already listed in line 1\n    4 | ./a.json\n      | ^");
}

TEST_F(CoverFile, AListWithoutFilesIsAnError) {
  const std::string list = path("list.txt");
  common::write_file_atomically(list, "# nothing yet\n");
  EXPECT_EQ(message_of([&] { (void)read_coverage_list(list); }),
            list + ": error: no coverage file is listed\n  hint: write one path a line");
  EXPECT_EQ(message_of([&] { (void)read_coverage_list(path("none.txt")); }),
            "error: cannot read '" + path("none.txt") + "': No such file or directory");
}

}  // namespace
}  // namespace kernbench::sim
