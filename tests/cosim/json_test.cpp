// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/json.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cosim/workload/workloads.hpp"
#include "tests/cosim/cosim_sample.hpp"
#include "tests/sim/reference_dut.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::cosim {
namespace {

using Json = nlohmann::json;

TEST(CosimJson, HoldsEverythingOfARun) {
  const Json data = json_data({sample::at_load("tiny", 0.5)}, sample::small_sip());
  const Json expected = Json::parse(R"json({
    "shape": {"nx": 2, "ny": 2, "flit_w": 8},
    "period_ps": 1000,
    "order": "xy", "nodes": "maze", "failed_node": null,
    "network": null,
    "coverage": null,
    "workloads": [{
      "name": "tiny", "outcome": "pass", "reason": "",
      "offered": {"load": 0.5, "senders": 2, "warmup_cycles": 2, "cycles": 4},
      "transfers": 2, "operations": null, "parting": null,
      "links": {
        "fabric": "rtl", "complete": true,
        "packets": [3, 0, 0, 3, 1, 0, 0, 0],
        "utilization": [0.75, 0.0, 0.0, 0.75, 0.25, 0.0, 0.0, 0.0],
        "load": {"window_cycles": 16, "sips": 1, "packets": ["3 0 0 2 1 0 0 0", "0 0 0 1 0 0 0 0"]}
      },
      "runs": [{
        "fabric": "analytic", "outcome": "pass", "reason": "", "transfers_done": 2, "packets": 4,
        "result_hash": null, "cycles": null, "packet_hash": null, "accepted": 0.375,
        "grade": {"kind": "estimate", "reasons": ["the MAZE is analytic, mean latencies -4.2 to +3.3 % off"]},
        "latency": {"mean_ps": 2500.0, "median_ps": 1000, "p95_ps": 4000, "max_ps": 4000,
                    "histogram_cycles": [[1, 1], [4, 1]]},
        "error": {
          "reference": "rtl", "median": 0.0, "p95": 0.5, "max": 0.5, "mean_signed": -0.25,
          "worst": [{
            "transfer": 1, "type": "unicast", "qos": "high", "src": 2, "dst": 3, "bytes": 1,
            "at_ps": 1000, "latency_ps": {"analytic": 1000, "cycle": 2000, "rtl": 2000},
            "lost": null,
            "path": {"source": "[1,0]", "corner": null, "destination": "[1,1]",
                     "links": ["[1,0].x[0] -> [1,1].x[0]"]}
          }]
        },
        "checkers": [], "failures": [], "fault": null, "model_hash": null
      }, {
        "fabric": "cycle", "outcome": "pass", "reason": "", "transfers_done": 2, "packets": 4,
        "result_hash": null, "cycles": 8, "packet_hash": "fedcba9876543210", "accepted": 0.5,
        "grade": {"kind": "exact"},
        "latency": {"mean_ps": 3000.0, "median_ps": 2000, "p95_ps": 4000, "max_ps": 4000,
                    "histogram_cycles": [[2, 1], [4, 1]]},
        "error": null, "checkers": [], "failures": [], "fault": null, "model_hash": null
      }, {
        "fabric": "rtl", "outcome": "pass", "reason": "", "transfers_done": 2, "packets": 4,
        "result_hash": null, "cycles": 8, "packet_hash": "fedcba9876543210", "accepted": 0.5,
        "grade": {"kind": "exact"},
        "latency": {"mean_ps": 3000.0, "median_ps": 2000, "p95_ps": 4000, "max_ps": 4000,
                    "histogram_cycles": [[2, 1], [4, 1]]},
        "error": null,
        "checkers": [{"name": "scoreboard", "checks": 4, "failures": 0},
                     {"name": "lockstep", "checks": 64, "failures": 0}],
        "failures": [], "fault": null, "model_hash": "00112233"
      }]
    }]
  })json");
  EXPECT_EQ(data, expected) << Json::diff(expected, data).dump(1);
}

TEST(CosimJson, HoldsFailuresFaultsAndWhatIsMissing) {
  const Json data = json_data({sample::failing("broken")}, sample::small_sip());
  const Json& workload = data["workloads"][0];
  EXPECT_EQ(workload["outcome"], "mismatch");
  EXPECT_EQ(workload["reason"], "expected <1> & got \"2\"");
  EXPECT_EQ(workload["offered"], Json());
  EXPECT_EQ(workload["runs"][0]["error"]["reference"], "cycle");
  EXPECT_EQ(workload["runs"][0]["error"]["worst"][0]["latency_ps"]["rtl"], Json());
  const Json& rtl = workload["runs"][2];
  EXPECT_EQ(rtl["transfers_done"], 1);
  EXPECT_EQ(rtl["latency"], Json());
  EXPECT_EQ(rtl["accepted"], Json());
  EXPECT_EQ(rtl["failures"], Json::parse(R"json([{
    "checker": "scoreboard", "kind": "loss", "cycle": 7, "message": "no packet <0x5a>",
    "link": {"node": 2, "port": 0, "name": "[1,0].x[0] -> [1,1].x[0]"}}])json"));
  EXPECT_EQ(rtl["fault"], Json::parse(R"json({
    "kind": "drop", "injected_at": 6, "caught_by": ["scoreboard"], "place": null,
    "link": {"node": 2, "port": 0, "name": "[1,0].x[0] -> [1,1].x[0]"}})json"));
}

TEST(CosimJson, HasNoLinksWhenTheAnalyticFabricRanAlone) {
  WorkloadResult result = sample::passing("alone");
  result.runs.resize(1);
  const Json data = json_data({result}, sample::small_sip());
  EXPECT_EQ(data["workloads"][0]["links"], Json());
  EXPECT_EQ(data["workloads"][0]["runs"][0]["error"], Json());
}

TEST(CosimJson, CountsAPartOfACycleAsAWholeOne) {
  FabricRun run = sample::two_transfers(FabricKind::Rtl, 4, 2);
  run.played[0].submitted = common::SimTime::from_ps(999);
  const std::map<std::uint64_t, std::uint64_t> expected = {{2, 1}, {4, 1}};
  EXPECT_EQ(latency_histogram({}, run, sample::small_sip()), expected);
}

/// Runs a workload on all fabrics, with the reference in place of the RTL.
std::vector<WorkloadResult> simulated(unsigned jobs) {
  const topology::SipSpec sip = sample::small_sip();
  Options options;
  options.run.nodes = model::fabric::MazeNodeKind::Ideal;
  options.fabrics = {FabricKind::Analytic, FabricKind::Cycle, FabricKind::Rtl};
  options.jobs = jobs;
  options.run.make_dut = [](std::uint64_t /*seed*/) {
    return std::make_shared<sim::ReferenceDut>(maze::Shape{2, 2, 8});
  };
  WorkloadSettings settings;
  settings.loads = {0.1, 0.9};
  settings.warmup = 10;
  settings.cycles = 50;
  return run_cosim(sip, make_workloads("uniform_random", sip, settings), options);
}

TEST(CosimJson, IsTheSameTextForEqualResultsOfAnyNumberOfJobs) {
  const std::vector<WorkloadResult> results = simulated(1);
  EXPECT_EQ(results[0].outcome, common::Outcome::Pass) << results[0].reason;
  EXPECT_EQ(json_data(results, sample::small_sip()).dump(),
            json_data(simulated(4), sample::small_sip()).dump());
}

TEST(CosimConfigHash, DependsOnEverythingThatDecidesTheResults) {
  const topology::SipSpec sip = sample::small_sip();
  const std::vector<Workload> workloads = {sample::at_load("tiny", 0.5).workload};
  Options options;
  options.fabrics = {FabricKind::Cycle};
  const std::string hash = config_hash(sip, workloads, options);
  EXPECT_EQ(hash.size(), 16U);

  Options more_jobs = options;
  more_jobs.jobs = 8;
  EXPECT_EQ(config_hash(sip, workloads, more_jobs), hash);

  topology::SipSpec slower = sip;
  slower.maze.clock_ns = 2;
  EXPECT_NE(config_hash(slower, workloads, options), hash);
  topology::SipSpec turned = sip;
  turned.maze.order = topology::DimensionOrder::YX;
  EXPECT_NE(config_hash(turned, workloads, options), hash);
  std::vector<Workload> larger = workloads;
  larger[0].transfers[1].bytes = 2;
  EXPECT_NE(config_hash(sip, larger, options), hash);
  Options other = options;
  other.fabrics = {FabricKind::Rtl};
  EXPECT_NE(config_hash(sip, workloads, other), hash);
  other = options;
  other.run.seed = 2;
  EXPECT_NE(config_hash(sip, workloads, other), hash);
  other = options;
  other.run.analytic.emplace().queue_packets = 5;
  EXPECT_NE(config_hash(sip, workloads, other), hash);
  other = options;
  other.run.rtl.fault = sim::FaultSpec{};
  EXPECT_NE(config_hash(sip, workloads, other), hash);
}

}  // namespace
}  // namespace kernbench::cosim
