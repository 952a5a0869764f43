// SPDX-License-Identifier: Apache-2.0
#include "sim/report/json_report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/sim/report_sample.hpp"

namespace kernbench::sim {
namespace {

using nlohmann::json;

json data_of(const RegressionResult& r) {
  return regression_data(r, sample::coverage());
}

TEST(JsonReport, SurvivesBeingWrittenAndReadBack) {
  RegressionResult r = sample::failing_result();
  r.cases.push_back(sample::fault_case("drop", {"scoreboard"}));
  r.cases[0].seed = 18446744073709551615U;
  r.cases[0].mean_latency = 1.0 / 3.0;
  const json data = data_of(r);
  const json back = json::parse(data.dump());
  EXPECT_EQ(back, data);
  EXPECT_EQ(back["cases"][0]["seed"].get<std::uint64_t>(), 18446744073709551615U);
  EXPECT_EQ(back["cases"][0]["mean_latency"].get<double>(), 1.0 / 3.0);
}

TEST(JsonReport, HasEverythingAboutACase) {
  const json data = data_of(sample::failing_result());
  EXPECT_EQ(data["cases"][2], json::parse(R"({
    "suite": "bursts", "seed": 7, "outcome": "mismatch", "reason": "expected <1> & got \"2\"",
    "command": "kernbench sim --suite bursts --seed 7",
    "pattern": "all_links", "back_pressure": "none",
    "cycles": 1000, "delivered": 4000, "mean_latency": 1.0, "output_hash": "fedcba9876543210",
    "checkers": [{"name": "scoreboard", "checks": 4000, "failures": 2},
                 {"name": "lockstep", "checks": 24000, "failures": 0}],
    "not_checked": [],
    "failures": [
      {"checker": "scoreboard", "kind": "corruption", "cycle": 1234,
       "link": {"node": 1, "port": 0, "name": "[0,1].x[0] -> [0,0].x[0]"},
       "message": "data <0x5a> & 'more'"},
      {"checker": "scoreboard", "kind": "undelivered", "cycle": 1300, "link": null,
       "message": "one packet left"}],
    "output": null, "fault": null, "cause": "failures/bursts-seed7/failure.html",
    "wave": "waves/a b#1.fst", "wave_setup": "waves/a b#1.gtkw",
    "view": "gtkwave '/r/waves/a b#1.gtkw'",
    "host": {"seconds": 0.25}})"));
}

TEST(JsonReport, HasTheTotalsTheModelAndTheCoverage) {
  const json data = data_of(sample::failing_result());
  EXPECT_EQ(data["config"], "configs/small.yaml");
  EXPECT_EQ(data["shape"], json::parse(R"({"nx": 2, "ny": 2, "flit_w": 8})"));
  EXPECT_EQ(data["model"],
            json::parse(R"({"hash": "00000000000000bb", "checkers": true, "structure": "",
              "rtl_checks": {"assertions": 0, "unique": 0, "checked": false}})"));
  EXPECT_EQ(data["totals"], json::parse(R"({"planned": 3, "not_run": 0, "cases": 3, "passed": 2,
    "cycles": 3000, "delivered": 20000, "checks": 84000, "links": 8, "links_delivered": 7,
    "faults_injected": 0, "faults_caught": 0})"));
  EXPECT_EQ(data["coverage"], json::parse(R"({"hit": 15, "total": 16, "required": true, "groups": [
    {"name": "delivered", "hit": 8, "total": 8, "missed": []},
    {"name": "stalled", "hit": 7, "total": 8,
     "missed": ["stalled.[0,0].x[0] -> [0,1].x[0]"]}]})"));
  EXPECT_EQ(data["host"], json::parse(R"({"seconds": 1.5})"));
}

TEST(JsonReport, CountsOfALinkAreThoseOfItsReceivingEnd) {
  RegressionResult r = sample::passing_result();
  r.link_packets[1 * 4 + 2] = 77;  // packets that arrive at node 2 through y[0] are from node 0
  const json data = data_of(r);
  ASSERT_EQ(data["links"].size(), 8U);
  EXPECT_EQ(data["links"][1], json::parse(R"({"name": "[0,0].y[0] -> [1,0].y[0]", "depth": 0,
                                              "packets": 77, "stalls": 6, "longest_stall": 60})"));
}

TEST(JsonReport, HasTheFaultOfACaseAndTheKillMatrix) {
  RegressionResult r = sample::empty_result();
  r.cases = {sample::fault_case("drop", {"scoreboard"}), sample::fault_case("drop", {})};
  r.cases[1].fault->injected_at.reset();
  const json data = data_of(r);
  EXPECT_EQ(data["cases"][0]["fault"], json::parse(R"({"kind": "drop",
    "link": {"node": 0, "port": 1, "name": "[0,0].y[0] -> [1,0].y[0]"}, "place": null,
    "injected_at": 50, "caught_by": ["scoreboard"]})"));
  EXPECT_TRUE(data["cases"][1]["fault"]["injected_at"].is_null());
  r.cases[1].fault->place = "0->1";
  EXPECT_TRUE(data_of(r)["cases"][1]["fault"]["link"].is_null());
  EXPECT_EQ(data_of(r)["cases"][1]["fault"]["place"], "0->1");
  EXPECT_EQ(data["kill_matrix"], json::parse(R"([{"fault": "drop", "cases": 2, "injected": 1,
    "caught": 1, "by_checker": {"scoreboard": {"attached": 1, "caught": 1, "alone": 1},
                                "lockstep": {"attached": 1, "caught": 0, "alone": 0}}}])"));
}

TEST(JsonReport, HasTheProofsOfThisRtlOnly) {
  RegressionResult r = sample::passing_result();
  EXPECT_TRUE(data_of(r).at("proofs").is_null());
  r.proofs = sample::proofs();
  EXPECT_EQ(data_of(r)["proofs"], json::parse(R"({"proven": 184, "refuted": 2, "undecided": 1,
    "report": "../prove/a b.html"})"));
  r.proofs->link.clear();
  EXPECT_TRUE(data_of(r)["proofs"]["report"].is_null());
  r.proofs->state = Proofs::State::OfOtherRtl;
  EXPECT_TRUE(data_of(r)["proofs"].is_null());
}

TEST(JsonReport, TellsOfARunThatEndedBeforeItsFirstCase) {
  const json data = regression_data(sample::empty_result(), {});
  EXPECT_EQ(data["cases"], json::array());
  EXPECT_EQ(data["kill_matrix"], json::array());
  EXPECT_EQ(data["links"].size(), 8U);
  EXPECT_EQ(data["links"][0]["packets"], 0);
}

}  // namespace
}  // namespace kernbench::sim
