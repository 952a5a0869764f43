// SPDX-License-Identifier: Apache-2.0
// The options --what-if and --tornado of `kernbench run`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/cli/run_fixture.hpp"

namespace kernbench::cli {
namespace {

using cli_test::Finished;
using ::testing::EndsWith;
using ::testing::HasSubstr;

using RunChanges = cli_test::RunCommand;

TEST_F(RunChanges, SimulatesAChangedSystem) {
  const std::string change = "pe.pe_math.attrs.elements_per_cycle/2";
  const Finished finished =
      run({"softmax", "--set", "split=no", "--set", "cubes=2", "--set", "pes=4", "--what-if",
           change, "--spread", "3", "--json", "run.json"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(
      finished.out,
      EndsWith("\n\nwhat if pe.pe_math.attrs.elements_per_cycle/2\n"
               "  softmax: 15.978 us instead of 12.394 us: +28.92 %, the band is 0.07 %\n"));
  const nlohmann::json asked = json("run.json")["data"]["what_if"];
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0]["changes"], change);
  EXPECT_EQ(asked[0]["regions"][0]["no_difference"], false);
  // It is the run on a topology with the change.
  (void)run({"softmax", "--set", "split=no", "--set", "cubes=2", "--set", "pes=4", "--set",
             "topology.pe.pe_math.attrs.elements_per_cycle=64", "--spread", "3", "--json",
             "changed.json"});
  EXPECT_EQ(asked[0]["regions"][0]["median_ps"],
            json("changed.json")["data"]["spread"]["times"][0]["median_ps"]);
}

TEST_F(RunChanges, SaysWhenAChangeMakesNoDifference) {
  const Finished finished = run({"gemm", "--set", "m=256", "--set", "k=128", "--set", "n=128",
                                 "--what-if", "cube.hbm_ctrl.attrs.overhead_ns*1.01", "--what-if",
                                 "cube.memory_map.hbm_total_bw_gbs/16", "--spread", "5"});
  EXPECT_THAT(
      finished.out,
      EndsWith("\nwhat if cube.hbm_ctrl.attrs.overhead_ns*1.01\n"
               "  gemm: 1.102 us instead of 1.101 us: no difference (+0.08 %, the band is 3.17 %)\n"
               "\nwhat if cube.memory_map.hbm_total_bw_gbs/16\n"
               "  gemm: 3.886 us instead of 1.101 us: +252.93 %, the band is 3.17 %\n"
               "  in another mapping: c=blocks, cubes=2x1, pes=4\n"));
}

TEST_F(RunChanges, ChangesPartsInSeriesTogether) {
  const Finished finished =
      run({"softmax", "--set", "rows=64", "--what-if", "cube.links.ucie_conn.bw_gbs*2", "--spread",
           "2", "--json", "run.json"});
  EXPECT_THAT(finished.out, HasSubstr("\nwhat if cube.links.ucie_conn.bw_gbs*2,\n"
                                      "        cube.links.ucie_internal.bw_gbs*2 (all that are "
                                      "equally fast in series)\n"));
  EXPECT_EQ(json("run.json")["data"]["what_if"].size(), 2U);
}

TEST_F(RunChanges, DrawsATornado) {
  const std::vector<std::string> words = {"vector-add", "--set",     "rows=64", "--spread",
                                          "2",          "--tornado", "--json",  "run.json",
                                          "--html",     "run.html"};
  const Finished finished = run(words);
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out,
              HasSubstr("\ntornado, % of time (less than the band in brackets)         value"));
  EXPECT_THAT(finished.out, HasSubstr("\nwithout any effect: system.noc.clock_ns, "));
  EXPECT_THAT(finished.out, HasSubstr("\nleft out: pe.links.pe_internal.distance_mm: it is 0\n"));
  const std::string table = finished.out.substr(finished.out.find("\ntornado"));
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
  const std::string page = common::read_text_file(folder_.path() / "run.html");
  EXPECT_THAT(page, HasSubstr("<h2>Tornado</h2>"));
  const nlohmann::json rows = json("run.json")["data"]["tornado"];
  EXPECT_EQ(count(page, "<td class=\"keys\">"), rows.size());
  EXPECT_EQ(run(words).out, finished.out) << "the same for each run";
}

TEST_F(RunChanges, RefusesChangesThatCannotBe) {
  const Finished unknown = run({"softmax", "--what-if", "pe.clok_ghz*2,pe.clock_ghz*1e9"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_EQ(unknown.err,
            "error: --what-if: 'pe.clock_ghz*1e9' makes 1000000000 of 1, which must be 0.001 to "
            "1000\n"
            "error: --what-if: 'pe.clok_ghz*2': there is no number 'pe.clok_ghz'; did you mean "
            "'pe.clock_ghz'?\n");
  const Finished rule =
      run({"softmax", "--what-if", "pe.clock_ghz", "--what-if", "cube.geometry.cube_mm.w/2"});
  EXPECT_EQ(rule.exit_code, 2);
  EXPECT_EQ(
      rule.err,
      "error: --what-if: 'pe.clock_ghz' is not a key of a topology file, * or /, and a number "
      "above 0, such as pe.clock_ghz*2\n"
      "error: --what-if: the cube has fewer than 4 columns of routers, and HBM takes the middle "
      "2: cube.geometry.cube_mm.w is 8.5, cube.pe_layout.max_column_gap_mm is 3: make the "
      "width at least 9.1, or the gap at most 1.5\n");
}

}  // namespace
}  // namespace kernbench::cli
