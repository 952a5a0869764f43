// SPDX-License-Identifier: Apache-2.0
// Runs `kernbench evaluate all-reduce` as a process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;
using ::testing::HasSubstr;

class EvaluateAllReduce : public ::testing::Test {
 protected:
  /// Runs a sweep on SIPs of two cubes with 4 PEs each and this HBM bandwidth.
  [[nodiscard]] Finished run(const std::string& hbm_gbs, std::vector<std::string> more) const {
    (void)folder_.write("topology.yaml",
                        "system: {sips: {count: 1}}\n"
                        "sip: {cube_mesh: {w: 2, h: 1}}\n"
                        "cube: {pe_layout: {pe_per_corner: 1}, "
                        "memory_map: {slices_per_cube: 4, hbm_total_bw_gbs: " +
                            hbm_gbs + "}}\n");
    std::filesystem::create_directories(folder_.path() / "scratch");
    more.insert(more.begin(), {"evaluate", "all-reduce", "--quick", "--topology", "topology.yaml"});
    return cli_test::kernbench(more, folder_.path(), folder_.path() / "scratch");
  }
  common::TempFolder folder_;
};

TEST_F(EvaluateAllReduce, WritesAndDrawsEveryPointWithItsNumbersCompared) {
  const Finished swept = run("2048", {"--json", "points.json", "--plot", "plot.svg"});
  EXPECT_EQ(swept.exit_code, 0) << swept.err;
  EXPECT_EQ(swept.err, "");
  EXPECT_THAT(swept.out, HasSubstr("\nPASS  45 points: results compared, latencies checked "
                                   "against the lower bound; 0 wrong\n"));
  const nlohmann::json report =
      nlohmann::json::parse(common::read_text_file(folder_.path() / "points.json"));
  EXPECT_EQ(report["kind"], "all-reduce-evaluation");
  EXPECT_EQ(report["outcome"], "pass");
  EXPECT_EQ(report["data"]["points"].size(), 45U);
  for (const nlohmann::json& point : report["data"]["points"]) {
    EXPECT_EQ(point["wrong"], 0);
    EXPECT_EQ(point["elements"].get<std::uint64_t>() * 4,
              point["bytes"].get<std::uint64_t>() * point["sips"].get<std::uint64_t>());
    EXPECT_GE(point["latency_ps"].get<std::int64_t>(), point["bound_ps"].get<std::int64_t>());
  }
  EXPECT_THAT(common::read_text_file(folder_.path() / "plot.svg"), HasSubstr("</svg>"));
}

TEST_F(EvaluateAllReduce, WritesItsPlotBesideItsReport) {
  const Finished swept = run("2048", {"--json", "points.json"});
  EXPECT_EQ(swept.exit_code, 0) << swept.err;
  EXPECT_THAT(swept.out, HasSubstr("wrote points.svg\n"));
  const std::string plot = common::read_text_file(folder_.path() / "points.svg");
  EXPECT_THAT(plot, HasSubstr("</svg>"));
  // A plot of an earlier run is replaced, another file is not, and nothing is simulated.
  (void)folder_.write("points.svg", plot.substr(0, 100));
  EXPECT_EQ(run("2048", {"--json", "points.json"}).exit_code, 0);
  EXPECT_EQ(common::read_text_file(folder_.path() / "points.svg"), plot);
  (void)folder_.write("points.svg", "mine");
  const Finished refused = run("2048", {"--json", "points.json"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.err,
            "error: 'points.svg', where the plots of 'points.json' would be, exists and is none: "
            "name another place with --plot, or give --no-plots\n");
  EXPECT_EQ(common::read_text_file(folder_.path() / "points.svg"), "mine");
  EXPECT_EQ(run("2048", {"--json", "points.json", "--no-plots"}).exit_code, 0);
  EXPECT_EQ(common::read_text_file(folder_.path() / "points.svg"), "mine");
  const Finished twice = run("2048", {"--json", "points.json", "--html", "points.svg"});
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_THAT(twice.err, HasSubstr("'points.svg' is also the output of --html"));
}

TEST_F(EvaluateAllReduce, CallsTimesWithinTheirBandsNoDifference) {
  const Finished swept = run("2048", {"--spread", "3", "--seed", "7", "--json", "-"});
  EXPECT_EQ(swept.exit_code, 0) << swept.err;
  EXPECT_EQ(nlohmann::json::parse(swept.out)["data"]["points"][0]["spread"]["runs"], 3);
  EXPECT_THAT(
      swept.err,
      HasSubstr("\n1 SIP, 16,384 bytes: the centre root takes 99.8 % of the time and 100.0 % "
                "of the flit-hops of the\n  corner root; medians: no difference (-0.12 %, "
                "the band is 1.54 %)\n"));
  EXPECT_THAT(swept.err,
              HasSubstr("us\n    intercube-corner, ring, tcm: no difference (+0.12 %, the band is "
                        "1.54 %)\n1 SIPs, 131072 bytes: intercube-center, ring, tcm takes least"));
}

TEST_F(EvaluateAllReduce, ACaseThatTakesTooMuchSimulatedTimeEndsWith3AndIsNamed) {
  const Finished finished = run("0.001", {"--json", "points.json"});
  EXPECT_EQ(finished.exit_code, 3) << finished.err;
  EXPECT_THAT(finished.err,
              ::testing::StartsWith(
                  "error: all-reduce, 1048576 bytes, 1 SIPs, intercube-center, ring, slots "
                  "in tcm: simulated time reached 1000000.000 us; running:\n"));
  EXPECT_EQ(finished.out, "");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "points.json"));
}

}  // namespace
}  // namespace kernbench
