// SPDX-License-Identifier: Apache-2.0
// Tests the sweep of GEMMs: its measurements, its report and its figures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "common/report_envelope.hpp"
#include "model/bench/evaluation/gemm_figures.hpp"
#include "model/bench/evaluation/gemm_report.hpp"
#include "model/bench/evaluation/gemm_sweep.hpp"
#include "model/bench/runner.hpp"
#include "tests/common/temp_folder.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {
namespace {

using common::SimTime;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

/// Returns a system of one SIP with 2 cubes of 4 PEs.
topology::TopologySpec sweep_spec() {
  topology::TopologySpec spec;
  spec.system.sips = 1;
  spec.sip.cube_mesh_w = 2;
  spec.sip.cube_mesh_h = 1;
  spec.cube.pe_per_corner = 1;
  spec.cube.memory_map.slices_per_cube = 4;
  return spec;
}

std::vector<GemmCase> small_cases() {
  std::vector<GemmCase> cases;
  for (const Staging a : {Staging::Streamed, Staging::Resident}) {
    for (const Staging b : {Staging::Streamed, Staging::Resident}) {
      cases.push_back({"square", 64, 64, 64, a, b});
      cases.push_back({"tall", 512, 64, 96, a, b});
    }
  }
  return cases;
}

/// Returns a point at the knee of 32 MACs/byte; at `took_ns` 1000 it reaches the peak exactly.
GemmPoint knee_point(double took_ns) {
  const SimTime took = SimTime::from_ns(took_ns);
  return {{"tall", 1024, 64, 64},
          took,
          32'768'000,
          1'000'000,
          24'000,
          {{"speed of pe_gemm", took - SimTime::from_ps(1)}, {"overhead", SimTime::from_ps(1)}}};
}

/// Returns a sweep of one point on 8 PEs of 4096 MACs a ns and 128 GB/s.
GemmSweep knee_sweep(double took_ns) {
  GemmSweep sweep{roofline_of(sweep_spec(), 8), {knee_point(took_ns)}};
  sweep.roofline.hbm_gbs = 1024;
  return sweep;
}

TEST(GemmEvaluation, RooflineIsThePeakOfAllEnginesAndSlices) {
  const Roofline roofline = roofline_of(sweep_spec(), 8);
  EXPECT_EQ(roofline.peak_gmacs, 32768.0);
  EXPECT_EQ(roofline.hbm_gbs, 2048.0);  // 1024 GB/s a cube
  EXPECT_EQ(roofline.knee(), 16.0);
  EXPECT_EQ(roofline.bound(8.0), 16384.0);
  EXPECT_EQ(roofline.bound(16.0), 32768.0);
  EXPECT_EQ(roofline.bound(1000.0), 32768.0);
}

TEST(GemmEvaluation, UtilizationIsExactlyOneAtThePeak) {
  const GemmSweep sweep = knee_sweep(1000);
  EXPECT_EQ(sweep.points[0].macs_per_byte(), sweep.roofline.knee());
  EXPECT_EQ(sweep.points[0].gmacs(), sweep.roofline.peak_gmacs);
  EXPECT_EQ(sweep.roofline.utilization(sweep.points[0]), 1.0);
  EXPECT_EQ(sweep.roofline.utilization(knee_point(2000)), 0.5);
}

TEST(GemmEvaluation, PointsCountTheMeasuredRegionAndAllBytes) {
  LaunchFigures figures;
  figures.macs = 70;
  figures.read.bytes = 30;
  figures.written.bytes = 5;
  const GemmCase gemm{"square", 2, 3, 4, Staging::Resident, Staging::Streamed};
  const runtime::MeasuredRegion region{
      "gemm", true, SimTime::from_ns(100), {{{}, true, SimTime::from_ns(107)}}};
  const GemmPoint point = point_of(gemm, region, figures);
  EXPECT_EQ(point, (GemmPoint{gemm, SimTime::from_ns(7), 70, 30, 5, {}}));
  EXPECT_EQ(point.gmacs(), 10.0);
  EXPECT_EQ(point.macs_per_byte(), 2.0);
}

TEST(GemmEvaluation, MeasuredPointsStayUnderTheRoofline) {
  const topology::TopologyGraph graph = topology::compile_topology(sweep_spec());
  const GemmSweep sweep = run_gemm_sweep(graph, small_cases(), 2);
  ASSERT_EQ(sweep.points.size(), 8U);
  EXPECT_EQ(sweep.roofline, roofline_of(sweep_spec(), 8));
  for (const GemmPoint& point : sweep.points) {
    const GemmCase& gemm = point.gemm;
    EXPECT_EQ(point.macs, gemm.m * gemm.k * gemm.n) << text_of(gemm);
    EXPECT_EQ(point.written_bytes, 2 * gemm.m * gemm.n) << text_of(gemm);
    // A is read once, and B once by each PE: one tile covers a PE's part of C.
    EXPECT_EQ(point.read_bytes, 2 * (gemm.m * gemm.k + 8 * gemm.k * gemm.n)) << text_of(gemm);
    EXPECT_LE(sweep.roofline.utilization(point), 1.0) << text_of(gemm);
    EXPECT_LE(point.gmacs(), sweep.roofline.bound(point.macs_per_byte())) << text_of(gemm);
  }
}

TEST(GemmEvaluation, SlowEnginesAreNearlyAlwaysBusy) {
  topology::TopologySpec spec = sweep_spec();
  spec.pe.pe_gemm_macs_per_cycle = 1;
  const GemmSweep sweep =
      run_gemm_sweep(topology::compile_topology(spec), {{"square", 128, 128, 128}}, 1);
  // 16 x 128 x 128 MACs on each PE take 262 us.
  EXPECT_GT(sweep.points[0].took, SimTime::from_ns(262'144));
  EXPECT_GT(sweep.roofline.utilization(sweep.points[0]), 0.99);
  EXPECT_LT(sweep.roofline.utilization(sweep.points[0]), 1.0);
}

TEST(GemmEvaluation, IsTheSameWhateverTheThreads) {
  const topology::TopologyGraph graph = topology::compile_topology(sweep_spec());
  const GemmSweep alone = run_gemm_sweep(graph, small_cases(), 1);
  EXPECT_EQ(run_gemm_sweep(graph, small_cases(), 3), alone);
  EXPECT_EQ(common::to_json(run_gemm_sweep(graph, small_cases(), 8)), common::to_json(alone));
}

TEST(GemmEvaluation, NamesTheCaseThatFails) {
  topology::TopologySpec spec = sweep_spec();
  spec.cube.memory_map.tcm_mb = 1;
  const topology::TopologyGraph graph = topology::compile_topology(spec);
  const GemmCase gemm{"tall", 8192, 1024, 16, Staging::Resident, Staging::Streamed};
  try {
    (void)run_gemm_sweep(graph, {gemm}, 1);
    FAIL() << "2 MB of A cannot fit into 1 MB of TCM";
  } catch (const RunFailed& error) {
    EXPECT_THAT(error.what(), ::testing::StartsWith(
                                  "gemm, m 8192, k 1024, n 16, rows, A resident, B streamed: "));
  }
}

TEST(GemmEvaluation, CasesHaveEachStagingOfEachSizeOnce) {
  for (const bool quick : {true, false}) {
    const std::vector<GemmCase> cases = gemm_cases(quick);
    EXPECT_EQ(cases.size(), quick ? 25U : 65U);
    for (const GemmCase& gemm : cases) {
      EXPECT_EQ(std::count(cases.begin(), cases.end(), gemm), 1) << text_of(gemm);
    }
  }
}

class GemmEvaluationFile : public ::testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path write(const nlohmann::json& data) const {
    common::ReportEnvelope report;
    report.kind = kGemmReport.name;
    report.data = data;
    common::write_report(folder_.path() / "gemm.json", report);
    return folder_.path() / "gemm.json";
  }
  /// Returns the errors of reading a report that `damage` has changed, without the file name.
  [[nodiscard]] std::string refusal(const std::function<void(nlohmann::json&)>& damage) const {
    nlohmann::json data = common::to_json(knee_sweep(1000));
    damage(data);
    const std::string file = write(data).string();
    try {
      (void)read_gemm_sweep(file);
      return "accepted";
    } catch (const common::BadInput& error) {
      std::string text = error.what();
      for (std::size_t at = text.find(file); at != std::string::npos; at = text.find(file)) {
        text.erase(at, file.size());
      }
      return text;
    }
  }
  common::TempFolder folder_;
};

TEST_F(GemmEvaluationFile, IsReadBackAsItWasWritten) {
  const GemmSweep sweep = knee_sweep(1000);
  EXPECT_EQ(read_gemm_sweep(write(common::to_json(sweep))), sweep);
}

TEST_F(GemmEvaluationFile, IsRefusedWithAllThatIsWrong) {
  using Json = nlohmann::json;
  EXPECT_EQ(refusal([](Json& data) { data = 7; }), ": error: 'data' must be a map, not '7'");
  EXPECT_EQ(refusal([](Json& data) { data["points"] = Json::array(); }),
            ": error: 'data.points' must be a list of at least 1 item, not of 0");
  EXPECT_EQ(
      refusal([](Json& data) {
        data.erase("hbm_gbs");
        data["hbm"] = 1;
      }),
      ": error: missing key 'data.hbm_gbs'\n"
      "  hint: it must be a number above 0\n"
      ": error: unknown key 'data.hbm'\n"
      "  hint: valid keys: programs, peak_gmacs, hbm_gbs, knee_macs_per_byte, points, fastest");
  EXPECT_EQ(
      refusal([](Json& data) {
        data["points"][0]["m"] = 0;
        data["points"][0]["took_ps"] = -4;
        data["points"][0]["stage_b"] = "cached";
        data["points"][0]["mapping"] = "columns";
        data["peak_gmacs"] = "fast";
      }),
      ": error: 'data.peak_gmacs' must be a number above 0, not 'fast'\n"
      ": error: 'data.points[0].m' must be an integer from 1 to 9007199254740992, not '0'\n"
      ": error: 'data.points[0].mapping' must be one of auto, rows, not 'columns'\n"
      ": error: 'data.points[0].stage_b' must be one of streamed, resident, not 'cached'\n"
      ": error: 'data.points[0].took_ps' must be an integer from 1 to 9007199254740992, not '-4'");
  EXPECT_EQ(refusal([](Json& data) { data["points"].push_back(data["points"][0]); }),
            ": error: 'data.points[1]' is the second point of m 1024, k 64, n 64, rows, A "
            "streamed, B streamed");
}

TEST_F(GemmEvaluationFile, IsRefusedWithAPointAboveTheRoofline) {
  EXPECT_EQ(refusal([](nlohmann::json& data) {
              data["points"][0]["took_ps"] = 999'000;
              data["points"][0]["limits"][0]["time_ps"] = 998'999;
            }),
            ": error: 'data.points[0]' is above the roofline: 32800.8 GMAC/s where 32768 are "
            "possible");
  // Twice the bytes: the HBM allows half as much.
  EXPECT_EQ(refusal([](nlohmann::json& data) { data["points"][0]["read_bytes"] = 2'024'000; }),
            ": error: 'data.points[0]' is above the roofline: 32768 GMAC/s where 16384 are "
            "possible");
}

TEST_F(GemmEvaluationFile, IsRefusedWithLimitsThatDoNotAddUp) {
  EXPECT_EQ(refusal([](nlohmann::json& data) { data["points"][0]["limits"][1]["time_ps"] = 3; }),
            ": error: 'data.points[0].limits' add up to 1000002 ps, not to 'took_ps'");
  EXPECT_EQ(refusal([](nlohmann::json& data) { data["points"][0]["limits"][0]["name"] = 3; }),
            ": error: 'data.points[0].limits[0].name' must be text, not '3'\n"
            "  hint: put it in quotes");
  EXPECT_EQ(refusal([](nlohmann::json& data) { data["points"][0]["limits"] = "long"; }),
            ": error: 'data.points[0].limits' must be a list, not 'long'");
}

TEST_F(GemmEvaluationFile, IsRefusedWhenItIsCutOff) {
  const auto file = folder_.write("cut.json", R"({"schema": 1, "kind": )");
  EXPECT_THROW((void)read_gemm_sweep(file), common::BadInput);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

/// Returns a sweep of two series of two sizes, streamed and resident.
GemmSweep figure_sweep() {
  GemmSweep sweep{knee_sweep(1000).roofline, {}};
  for (const Staging b : {Staging::Streamed, Staging::Resident}) {
    for (const std::uint64_t m : {64U, 128U}) {
      sweep.points.push_back({{"square", m, m, m, Staging::Streamed, b},
                              SimTime::from_ns(1000),
                              m * m * m,
                              m * m * 4,
                              m * m * 2});
      sweep.points.push_back({{"tall", 16 * m, 64, 32, Staging::Streamed, b},
                              SimTime::from_ns(2000),
                              16 * m * 64 * 32,
                              m * 1024,
                              m * 512});
    }
  }
  return sweep;
}

TEST(GemmFigures, HaveAPanelForEachSeriesAndACurveForEachStaging) {
  for (const std::string& svg :
       {gemm_latency_svg(figure_sweep()), gemm_utilization_svg(figure_sweep())}) {
    EXPECT_THAT(svg, HasSubstr(">square: m = k = n</text>"));
    EXPECT_THAT(svg, HasSubstr(">tall: k = 64, n = 32</text>"));
    EXPECT_EQ(count(svg, "<title>rows, A streamed, B streamed</title>"), 2U);
    EXPECT_EQ(count(svg, ">rows, A streamed, B streamed</text>"), 1U);  // one legend
    EXPECT_EQ(count(svg, "<title>m 64, k 64, n 64, rows, A streamed, B resident\n"), 1U);
    EXPECT_THAT(svg, Not(HasSubstr("A resident")));
    EXPECT_THAT(svg, EndsWith("</svg>\n"));
  }
  EXPECT_EQ(count(gemm_utilization_svg(figure_sweep()), ">peak: 32.77 TMAC/s</text>"), 2U);
}

TEST(GemmFigures, MarkTheKneeOfTheRoofline) {
  const std::string svg = gemm_roofline_svg(figure_sweep());
  EXPECT_THAT(svg, HasSubstr(">knee: 32 MACs/byte</text>"));
  EXPECT_THAT(svg, HasSubstr(">HBM: 1.024 TB/s</text>"));
  EXPECT_THAT(svg, HasSubstr(">peak: 32.77 TMAC/s</text>"));
  EXPECT_THAT(svg, HasSubstr(">tall: rows, A streamed, B resident</text>"));
  EXPECT_EQ(count(svg, "class=\"marker"), 8U + 4U);  // points and legend entries
}

TEST(GemmFigures, NeedPoints) {
  const GemmSweep none{figure_sweep().roofline, {}};
  EXPECT_THROW((void)gemm_latency_svg(none), std::invalid_argument);
  EXPECT_THROW((void)gemm_utilization_svg(none), std::invalid_argument);
  EXPECT_THROW((void)gemm_roofline_svg(none), std::invalid_argument);
}

}  // namespace
}  // namespace kernbench::model::bench
