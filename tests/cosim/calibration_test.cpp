// SPDX-License-Identifier: Apache-2.0
// Fits the analytic fabric to a small cycle reference.
#include "cosim/calibrate/calibration.hpp"
#include "common/description.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "common/diagnostics.hpp"
#include "cosim/calibrate/calibration_report.hpp"
#include "cosim/calibrate/parameters_file.hpp"
#include "tests/places.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::cosim {
namespace {

using common::Outcome;
using model::fabric::AnalyticParameters;
using ::testing::Each;
using ::testing::HasSubstr;

topology::SipSpec grid_of_maze(unsigned nx, unsigned ny) {
  topology::SipSpec sip;
  sip.inter_cube = topology::InterCube::Maze;
  sip.cube_mesh_w = nx;
  sip.cube_mesh_h = ny;
  return sip;
}

CalibrationOptions small_calibration() {
  return {.nodes = model::fabric::MazeNodeKind::Ideal,
          .patterns = {"uniform_random", "hotspot"},
          .bytes = {96},
          .shares = {0.3, 0.7},
          .warmup = 50,
          .cycles = 4000};
}

TEST(Calibration, HoldsItsBarsOnWhatItWasNotFittedTo) {
  const CalibrationResult result = calibrate(grid_of_maze(4, 4), small_calibration());
  EXPECT_EQ(result.outcome, Outcome::Pass) << result.reason;
  ASSERT_EQ(result.rows.size(), 2U);
  EXPECT_FALSE(result.rows[0].held_out);
  EXPECT_TRUE(result.rows[1].held_out);
  EXPECT_GT(result.rows[0].saturation, result.rows[1].saturation);
  EXPECT_EQ(result.rows[1].loads.at(1), 0.7 * result.rows[1].saturation);
  EXPECT_GT(result.held_out_after.transfers, 50U);
  EXPECT_LE(result.held_out_after.median, kMedianBar);
  EXPECT_LE(result.held_out_after.p95, kP95Bar);
}

TEST(Calibration, FindsBackToWhatTheNodesAreMadeOf) {
  CalibrationOptions options = small_calibration();
  options.start = {.queue_packets = 5, .stage_packets = 2, .restart_cycles = 3};
  const CalibrationResult result = calibrate(grid_of_maze(4, 4), options);
  EXPECT_EQ(result.start, options.start);
  EXPECT_GT(result.tried, 5U);
  EXPECT_LT(result.fit_after.max, result.fit_before.max);
  EXPECT_EQ(result.outcome, Outcome::Pass) << result.reason;
}

TEST(Calibration, OfTheNodesThatAreBuiltStartsWithTheirOwnQueuesAndStaysThere) {
  CalibrationOptions options = small_calibration();
  options.nodes = model::fabric::MazeNodeKind::Maze;
  options.patterns = {"transpose", "uniform_random"};
  options.bytes = {1, 16};
  options.shares = {0.3, 0.8};
  const CalibrationResult result = calibrate(grid_of_maze(4, 4), options);
  EXPECT_EQ(result.start.queue_packets, 2U);
  EXPECT_EQ(result.fitted, result.start);
  // Over all sizes and loads the errors vanish: most transfers have one packet.
  EXPECT_EQ(result.held_out_after.median, 0.0);
  EXPECT_LE(result.held_out_after.p95, kP95Bar);
  EXPECT_EQ(result.outcome, Outcome::Pass) << result.reason;
}

TEST(Calibration, IsTheSameForAnyNumberOfJobs) {
  CalibrationOptions options = small_calibration();
  options.start.emplace().queue_packets = 9;
  const nlohmann::json one = common::to_json(calibrate(grid_of_maze(3, 4), options));
  options.jobs = 4;
  EXPECT_EQ(common::to_json(calibrate(grid_of_maze(3, 4), options)), one);
}

// A real fit has no such errors, so the results are made by hand. The load without errors would
// hide the other.
TEST(Calibration, FailsWhenOneLoadOfAPatternThatIsHeldOutIsTooFarOff) {
  CalibrationResult result;
  CalibrationRow row;
  row.pattern = "hotspot";
  row.held_out = true;
  row.bytes = 64;
  row.loads = {0.125, 0.5, 0.75};
  row.after = {{100, 0.04, 0.151, 0.3}, {1'000'000, 0, 0, 0}, {100, 0.051, 0.1, 0.3}};
  result.rows = {row};
  judge_calibration(result);
  EXPECT_EQ(result.outcome, Outcome::Mismatch);
  EXPECT_EQ(result.reason,
            "2 of 3 held-out loads are beyond a median of 5% or a p95 of 15%, the worst hotspot of "
            "64 bytes at load 0.125: 4.00% and 15.10%");
  result.rows[0].after = {{100, 0.05, 0.15, 0.9}, {1'000'000, 0, 0, 0}, {100, 0.05, 0.15, 0.9}};
  judge_calibration(result);
  EXPECT_EQ(result.outcome, Outcome::Pass);
  result.rows[0].after[0] = {};
  judge_calibration(result);
  EXPECT_EQ(result.outcome, Outcome::Vacuous);
  EXPECT_EQ(result.reason, "hotspot of 64 bytes at load 0.125 sent nothing");
  result.rows[0].held_out = false;
  judge_calibration(result);
  EXPECT_EQ(result.outcome, Outcome::Vacuous);
  EXPECT_EQ(result.reason, "nothing was held out");
}

std::string refused(const topology::SipSpec& sip, std::vector<std::string> patterns) {
  CalibrationOptions options = small_calibration();
  options.patterns = std::move(patterns);
  try {
    (void)calibrate(sip, options);
  } catch (const common::BadInput& error) {
    return error.what();
  }
  return "";
}

TEST(Calibration, RefusesWhatItCannotSplitOrCarry) {
  EXPECT_EQ(refused(grid_of_maze(3, 3), {"hotspot"}),
            "error: a calibration needs two patterns: one to fit, one to hold out");
  EXPECT_THAT(
      refused(grid_of_maze(3, 3), {"hotspot", "multicasts"}),
      HasSubstr(
          "'multicasts' is not a pattern of synthetic traffic: use uniform_random, transpose"));
  EXPECT_THAT(refused(grid_of_maze(3, 4), {"hotspot", "transpose"}), HasSubstr("transpose"));
  EXPECT_THAT(refused({}, {"hotspot", "uniform_random"}), HasSubstr("must be maze"));
}

class ParametersFile : public ::testing::Test {
 protected:
  void write(const std::string& text) const { std::ofstream(path_) << text; }
  [[nodiscard]] std::string refusal(const std::string& text) const {
    write(text);
    try {
      (void)read_parameters(path_);
    } catch (const common::BadInput& error) {
      std::string message = error.what();
      const std::string folder = path_.parent_path().string() + "/";
      for (auto at = message.find(folder); at != std::string::npos; at = message.find(folder)) {
        message.erase(at, folder.size());
      }
      return message;
    }
    return "";
  }
  std::filesystem::path path_ =
      std::filesystem::path(places::kBuild) /
      (std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) + ".yaml");
};

TEST_F(ParametersFile, IsReadAsItWasWritten) {
  const AnalyticParameters parameters{11, 3, 4, 2};
  write(parameters_text(parameters, "Fitted by hand"));
  EXPECT_EQ(read_parameters(path_), parameters);
  write("analytic:\n  queue_packets: 8\n");
  EXPECT_EQ(read_parameters(path_), (AnalyticParameters{.queue_packets = 8}));
}

TEST_F(ParametersFile, IsRefusedWithLineAndColumn) {
  EXPECT_THAT(refusal("analytic:\n  queue_packets: many\n"),
              HasSubstr("IsRefusedWithLineAndColumn.yaml:2:18: error:"));
  EXPECT_THAT(refusal("analytic:\n  stage_packets: 1\n"), HasSubstr(".yaml:2:18: error:"));
  EXPECT_THAT(refusal("analytic:\n  queue_packet: 8\n"), HasSubstr(".yaml:2:3: error:"));
  EXPECT_THAT(refusal("analytic:\n  queue_packets: 7\n  restart_cycles: 7\n"),
              HasSubstr(".yaml:2:18: error: 'queue_packets' must be more than 'restart_cycles', "
                        "which is 7"));
  EXPECT_THAT(refusal("parameters: {}\n"), HasSubstr("analytic"));
}

}  // namespace
}  // namespace kernbench::cosim
