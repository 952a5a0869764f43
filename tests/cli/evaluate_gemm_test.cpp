// SPDX-License-Identifier: Apache-2.0
// Runs `kernbench evaluate gemm` as a process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class EvaluateGemm : public ::testing::Test {
 protected:
  [[nodiscard]] Finished run(std::vector<std::string> more) const {
    (void)folder_.write("topology.yaml",
                        "system: {sips: {count: 1}}\n"
                        "sip: {cube_mesh: {w: 2, h: 1}}\n"
                        "cube: {pe_layout: {pe_per_corner: 1}, "
                        "memory_map: {slices_per_cube: 4}}\n");
    std::filesystem::create_directories(folder_.path() / "scratch");
    more.insert(more.begin(), {"evaluate", "gemm"});
    return cli_test::kernbench(more, folder_.path(), folder_.path() / "scratch");
  }
  [[nodiscard]] std::string text(const std::filesystem::path& name) const {
    return common::read_text_file(folder_.path() / name);
  }
  common::TempFolder folder_;
};

TEST_F(EvaluateGemm, WritesWhatItMeasuredAndDrawsTheSameFromTheFileAlone) {
  const Finished swept = run(
      {"--topology", "topology.yaml", "--quick", "--json", "gemm.json", "--plots", "first/plots"});
  EXPECT_EQ(swept.exit_code, 0) << swept.err;
  EXPECT_EQ(swept.err, "");
  EXPECT_THAT(swept.out, HasSubstr("8 PEs: 32768 GMAC/s at most; HBM: 2048 GB/s; knee at 16 "
                                   "MACs/byte\n"));
  const nlohmann::json report = nlohmann::json::parse(text("gemm.json"));
  EXPECT_EQ(report["kind"], "gemm-evaluation");
  EXPECT_EQ(report["outcome"], "pass");
  EXPECT_EQ(report["data"]["points"].size(), 25U);

  const Finished drawn = run({"--figures", "gemm.json", "--plots", "second"});
  EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
  EXPECT_EQ(drawn.out,
            "wrote second/gemm-latency.svg\n"
            "wrote second/gemm-utilization.svg\n"
            "wrote second/gemm-roofline.svg\n");
  EXPECT_THAT(cli_test::files_under(folder_.path() / "second"),
              ElementsAre("gemm-latency.svg", "gemm-roofline.svg", "gemm-utilization.svg"));
  for (const std::string& name : cli_test::files_under(folder_.path() / "second")) {
    EXPECT_EQ(text("second/" + name), text("first/plots/" + name)) << name;
  }
  EXPECT_THAT(text("second/gemm-roofline.svg"), HasSubstr(">knee: 16 MACs/byte</text>"));
}

TEST_F(EvaluateGemm, ASpreadGivesEachPointABandAndNamesTheFastestMapping) {
  const Finished swept = run({"--topology", "topology.yaml", "--quick", "--json", "gemm.json",
                              "--spread", "3", "--seed", "7"});
  EXPECT_EQ(swept.exit_code, 0) << swept.err;
  EXPECT_THAT(swept.out,
              HasSubstr("\nspread over 3 runs whose programs start up to 0.020 us later, each by "
                        "its own draw (seed 7)\n"
                        "square, m 128, k 128, n 128: auto takes least, median "));
  const nlohmann::json report = nlohmann::json::parse(text("gemm.json"));
  for (const nlohmann::json& point : report["data"]["points"]) {
    const nlohmann::json& spread = point["spread"];
    EXPECT_EQ(spread["runs"], 3);
    EXPECT_EQ(spread["seed"], 7);
    EXPECT_EQ(spread["times"][0]["undisturbed_ps"], point["took_ps"]);
    EXPECT_LT(spread["times"][0]["least_ps"], spread["times"][0]["most_ps"]);
  }
  const Finished drawn = run({"--figures", "gemm.json", "--plots", "plots"});
  EXPECT_EQ(drawn.exit_code, 0) << drawn.err;

  nlohmann::json damaged = report;
  nlohmann::json& spread = damaged["data"]["points"][0]["spread"];
  spread["runs"] = 0;
  spread["times"][0]["median_ps"] = 0;
  (void)folder_.write("gemm.json", damaged.dump());
  const Finished refused = run({"--figures", "gemm.json", "--plots", "more"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.err,
            "gemm.json: error: 'data.points[0].spread.runs' must be an integer from 1 to "
            "18446744073709551615, not '0'\n"
            "gemm.json: error: 'data.points[0].spread.times[0].median_ps' must be at least "
            "'data.points[0].spread.times[0].least_ps'\n");
}

TEST_F(EvaluateGemm, RefusesADamagedFileAndDrawsNothing) {
  (void)folder_.write("gemm.json",
                      R"({"schema": 1, "kind": "gemm-evaluation", "outcome": "pass", "seed": null,
 "config_hash": "", "revision": "", "command": "",
 "data": {"programs": 8, "peak_gmacs": 100, "hbm_gbs": 100, "points": [
  {"series": "square", "m": 1, "k": 1, "n": 1, "mapping": "rows", "stage_a": "streamed",
   "stage_b": "streamed", "took_ps": 1000, "macs": 101, "read_bytes": 60, "written_bytes": 60,
   "limits": [{"name": "speed of pe_gemm", "time_ps": 1000}]}]}})");
  const Finished finished = run({"--figures", "gemm.json", "--plots", "plots"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.err,
            "gemm.json: error: 'data.points[0]' is above the roofline: 101 GMAC/s where 84.1667 "
            "are possible\n");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "plots"));
}

TEST_F(EvaluateGemm, AFileWithoutPointsHasNothingToDraw) {
  (void)folder_.write("gemm.json",
                      R"({"schema": 1, "kind": "gemm-evaluation", "outcome": "pass", "seed": null,
 "config_hash": "", "revision": "", "command": "",
 "data": {"programs": 8, "peak_gmacs": 100, "hbm_gbs": 100, "points": []}})");
  const Finished finished = run({"--figures", "gemm.json", "--plots", "plots"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.err,
            "gemm.json: error: 'data.points' must be a list of at least 1 item, not of 0\n");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "plots"));
}

TEST_F(EvaluateGemm, ACaseThatTakesTooMuchSimulatedTimeEndsWith3AndIsNamed) {
  (void)folder_.write("slow.yaml",
                      "system: {sips: {count: 1}}\n"
                      "sip: {cube_mesh: {w: 2, h: 1}}\n"
                      "cube: {pe_layout: {pe_per_corner: 1}, "
                      "memory_map: {slices_per_cube: 4, hbm_total_bw_gbs: 0.001}}\n");
  const Finished finished = run({"--topology", "slow.yaml", "--quick", "--json", "gemm.json"});
  EXPECT_EQ(finished.exit_code, 3) << finished.err;
  EXPECT_THAT(finished.err,
              ::testing::StartsWith("error: gemm, m 2048, k 256, n 256, auto: "
                                    "simulated time reached 1000000.000 us; running:\n"));
  EXPECT_EQ(finished.out, "");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "gemm.json"));
}

TEST_F(EvaluateGemm, WritesItsFiguresBesideItsReport) {
  const Finished swept = run({"--topology", "topology.yaml", "--quick", "--json", "gemm.json"});
  EXPECT_EQ(swept.exit_code, 0) << swept.err;
  EXPECT_THAT(cli_test::files_under(folder_.path() / "gemm-plots"),
              ElementsAre("gemm-latency.svg", "gemm-roofline.svg", "gemm-utilization.svg"));
  std::filesystem::remove_all(folder_.path() / "gemm-plots");
  EXPECT_EQ(run({"--figures", "gemm.json"}).out,
            "wrote gemm-plots/gemm-latency.svg\n"
            "wrote gemm-plots/gemm-utilization.svg\n"
            "wrote gemm-plots/gemm-roofline.svg\n");
  std::filesystem::remove_all(folder_.path() / "gemm-plots");
  EXPECT_EQ(run({"--topology", "topology.yaml", "--quick", "--json", "gemm.json", "--no-plots"})
                .exit_code,
            0);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "gemm-plots"));
  (void)folder_.write("gemm-plots", "a file");
  const Finished refused = run({"--figures", "gemm.json"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("'gemm-plots', where the plots of 'gemm.json' would be"));
}

TEST_F(EvaluateGemm, RefusesOptionsThatDoNotGoTogether) {
  EXPECT_EQ(run({}).exit_code, 2);
  EXPECT_EQ(run({"--figures", "gemm.json", "--no-plots"}).exit_code, 2);
  EXPECT_EQ(run({"--figures", "gemm.json", "--json", "other.json", "--plots", "p"}).exit_code, 2);
  EXPECT_EQ(run({"--figures", "gemm.json", "--plots", "p", "--quick"}).exit_code, 2);
  EXPECT_EQ(run({"--json", "gemm.json", "--jobs", "0"}).exit_code, 2);
  const Finished missing = run({"--figures", "gemm.json", "--plots", "p"});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("gemm.json"));
}

}  // namespace
}  // namespace kernbench
