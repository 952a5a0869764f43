// SPDX-License-Identifier: Apache-2.0
// `kernbench cosim --calibrate` and `--parameters`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class CosimCalibrate : public ::testing::Test {
 protected:
  [[nodiscard]] Finished run(std::vector<std::string> arguments) const {
    std::filesystem::create_directories(folder_.path() / "scratch");
    arguments.insert(arguments.begin(),
                     {"cosim", "--topology", places::source("/configs/topology-maze-8x8.yaml")});
    return cli_test::kernbench(arguments, folder_.path(), folder_.path() / "scratch");
  }
  [[nodiscard]] std::string text(const char* file) const {
    return common::read_text_file(folder_.path() / file);
  }
  [[nodiscard]] bool exists(const char* file) const {
    return std::filesystem::exists(folder_.path() / file);
  }
  common::TempFolder folder_;
};

TEST_F(CosimCalibrate, WritesParametersThatALaterRunTakes) {
  std::ofstream(folder_.path() / "start.yaml") << "analytic:\n  queue_packets: 12\n";
  const Finished calibrated = run(
      {"--calibrate", "fitted.yaml", "--parameters", "start.yaml", "--workload", "uniform_random",
       "--workload", "hotspot", "--warmup", "20", "--cycles", "300", "--json", "calibration.json"});
  EXPECT_EQ(calibrated.exit_code, 0) << calibrated.err << calibrated.out;
  EXPECT_THAT(calibrated.out, HasSubstr("multicasts, in neither half"));
  EXPECT_THAT(calibrated.out, EndsWith("median and p95 are within 5% and 15%\n"));
  EXPECT_THAT(text("fitted.yaml"), HasSubstr("\nanalytic:\n  queue_packets: "));
  const nlohmann::json report = nlohmann::json::parse(text("calibration.json"));
  EXPECT_EQ(report["kind"], "cosim-calibration");
  EXPECT_EQ(report["data"]["parameters"]["before"]["queue_packets"], 12);
  EXPECT_EQ(report["data"]["rows"].size(), 6U);

  EXPECT_EQ(run({"--fabric", "analytic", "--loads", "0.1", "--cycles", "50", "--parameters",
                 "fitted.yaml"})
                .exit_code,
            0);
}

TEST_F(CosimCalibrate, RefusesABadFileOfParametersWithLineAndColumn) {
  std::ofstream(folder_.path() / "bad.yaml") << "analytic:\n  queue_packets: 1\n";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--parameters", "bad.yaml", "--fabric", "analytic"},
        std::vector<std::string>{"--parameters", "bad.yaml", "--calibrate", "fitted.yaml"}}) {
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_THAT(finished.err, HasSubstr("bad.yaml:2:18: error: "));
    EXPECT_FALSE(exists("fitted.yaml"));
  }
}

TEST_F(CosimCalibrate, RefusesWhatItCannotSplitAndFilesItCannotWrite) {
  const Finished one = run({"--calibrate", "fitted.yaml", "--workload", "hotspot"});
  EXPECT_EQ(one.exit_code, 2);
  EXPECT_EQ(one.err, "error: a calibration needs two patterns: one to fit, one to hold out\n");
  EXPECT_FALSE(exists("fitted.yaml"));
  EXPECT_EQ(run({"--calibrate", "missing/fitted.yaml"}).exit_code, 2);
  EXPECT_EQ(run({"--calibrate", "fitted.yaml", "--trace", "hops.json"}).err,
            "error: --calibrate cannot be combined with --trace or --fault\n");
}

}  // namespace
}  // namespace kernbench
