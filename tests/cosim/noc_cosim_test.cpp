// SPDX-License-Identifier: Apache-2.0
// Co-simulations of a SIP whose cubes are joined by a network of routers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "common/diagnostics.hpp"
#include "common/text_file.hpp"
#include "cosim/report/html.hpp"
#include "cosim/report/json.hpp"
#include "cosim/report/text.hpp"
#include "cosim/report/timeline.hpp"
#include "cosim/run/cosim.hpp"
#include "cosim/run/maze_setup.hpp"
#include "cosim/run/rtl_flits.hpp"
#include "cosim/workload/reproduction.hpp"
#include "cosim/workload/workloads.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"
#include "topology/resolve/resolve_topology.hpp"
#include "topology/spec/topology_spec.hpp"
#include "topology/zoo/endpoint_routes.hpp"

namespace kernbench::cosim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// A SIP of six cubes at the leaves of a tree, whose three other routers have no cube.
class NocCosim : public ::testing::Test {
 protected:
  NocCosim() : file_(written()), resolved_(topology::resolve_topology(file_.string(), {})) {}
  [[nodiscard]] std::filesystem::path written() const {
    (void)folder_.write("tree.yaml",
                        "topology:\n  kind: CustomTopology\n  n: 9\n"
                        "  endpoints: [0, 0, 0, 1, 1, 1, 1, 1, 1]\n"
                        "  edges: [[0, 1], [1, 0], [0, 2], [2, 0], [1, 3], [3, 1], [1, 4], [4, 1], "
                        "[1, 5], [5, 1], [2, 6], [6, 2], [2, 7], [7, 2], [2, 8], [8, 2]]\n");
    return folder_.write("system.yaml",
                         "system: {sips: {count: 1}}\n"
                         "sip: {cube_mesh: {w: 3, h: 2}, inter_cube: {noc: tree.yaml}, "
                         "noc: {flit_bits: 16, clock_ns: 2}}\n");
  }
  [[nodiscard]] const topology::SipSpec& sip() const { return resolved_.graph.spec().sip; }
  [[nodiscard]] std::vector<WorkloadResult> run(const std::string& name,
                                                const WorkloadSettings& settings = {}) const {
    Options options;
    options.fabrics = {FabricKind::Analytic, FabricKind::Cycle};
    return run_cosim(sip(), make_workloads(name, resolved_.graph, settings), options);
  }
  [[nodiscard]] std::string refusal(const MazeSetup& setup) const {
    try {
      (void)sip_of(setup, resolved_.graph, true);
    } catch (const common::BadInput& error) {
      return error.what();
    }
    return "none";
  }

  common::TempFolder folder_;
  std::filesystem::path file_;
  topology::ResolvedTopology resolved_;
};

TEST_F(NocCosim, ATransferBetweenCubesTakesTheCyclesOfTheRoutersOnItsWay) {
  (void)folder_.write(
      "one.csv",
      "time_ps,src,dst,bytes,qos,type\n1000,0,2,9,low,unicast\n1000000,0,5,9,low,unicast\n");
  const auto results = run((folder_.path() / "one.csv").string());
  ASSERT_EQ(results.size(), 1U);
  // Nine bytes are five flits. Cubes 0 and 2 share a parent: three routers of three cycles; between
  // cubes 0 and 5 there are five. Edge 1 is the first after 1 ns, edge 501 the first after 1 us.
  for (const FabricRun& run : results[0].runs) {
    EXPECT_EQ(run.played[0].done->ps(), 2000 * (0 + 5 + 9));
    EXPECT_EQ(run.played[1].done->ps(), 2000 * (500 + 5 + 15));
    EXPECT_EQ(run.packets, 10U);
  }
  // Channels 3->1, 1->5, 1->0, 0->2 and 2->8.
  const auto& packets = results[0].run(FabricKind::Cycle)->clocked->link_packets;
  EXPECT_EQ(std::accumulate(packets.begin(), packets.end(), 0U), 5U * 2 + 5U * 4);
  EXPECT_EQ(outcome_of(results), common::Outcome::Pass);
}

TEST_F(NocCosim, SyntheticTrafficRunsBetweenTheCubes) {
  const auto results =
      run("uniform_random", {.loads = {0.1}, .bytes = 2, .warmup = 100, .cycles = 1000});
  EXPECT_EQ(outcome_of(results), common::Outcome::Pass) << results[0].reason;
  EXPECT_EQ(results[0].workload.offered->senders, 6U);
  for (const auto& transfer : results[0].workload.transfers) {
    EXPECT_LT(transfer.src, 6U);
    EXPECT_LT(transfer.dst, 6U);
  }
}

TEST_F(NocCosim, AMachineComputesTheSameNumbersOverBothFabrics) {
  const auto results = run("bench:all-reduce", {.ccl_yaml = places::source("/configs/ccl.yaml")});
  EXPECT_EQ(outcome_of(results), common::Outcome::Pass) << results[0].reason;
  EXPECT_TRUE(results[0].runs[0].machine->result_hash);
  EXPECT_EQ(results[0].runs[0].machine->result_hash, results[0].runs[1].machine->result_hash);
}

TEST_F(NocCosim, ReportsNameTheNetworkAndItsChannels) {
  (void)folder_.write(
      "one.csv",
      "time_ps,src,dst,bytes,qos,type\n1000,0,2,9,low,unicast\n1000,1,2,9,low,unicast\n");
  const auto results = run((folder_.path() / "one.csv").string());
  nlohmann::json data = json_data(results, sip(), 0);
  EXPECT_EQ(data["network"]["channels"].size(), 16U);
  EXPECT_EQ(data["network"]["channels"][2], nlohmann::json({1, 0}));
  EXPECT_EQ(data["network"]["places"].size(), 9U);
  data["network"].erase("channels");
  data["network"].erase("places");
  EXPECT_EQ(data["network"], nlohmann::json({{"topology", "CustomTopology(9,16 edges)"},
                                             {"lanes", 1},
                                             {"slots", 8},
                                             {"stages", 1},
                                             {"packet_flits", 16}}));
  EXPECT_EQ(data["period_ps"], 2000);
  EXPECT_EQ(data["workloads"][0]["links"]["packets"].size(), 16U);
  const auto& worst = data["workloads"][0]["runs"][0]["error"]["worst"];
  ASSERT_FALSE(worst.empty());
  EXPECT_EQ(worst[0]["path"]["source"], "cube 0");
  EXPECT_EQ(worst[0]["path"]["links"], nlohmann::json({"3->1", "1->5"}));
  const std::string page = html_report(results, sip(), "system.yaml", {}, "");
  EXPECT_THAT(page, HasSubstr("routers with 1 lane of 8 slots a class, 1 register a link, packets "
                              "of up to 16 flits"));
  EXPECT_THAT(page, HasSubstr("<th class=\"n\">flits</th>"));
  EXPECT_THAT(page, HasSubstr("flits, over all fabrics"));
  EXPECT_THAT(page, HasSubstr("flits a cycle"));
  EXPECT_THAT(page, Not(HasSubstr("packets a cycle")));
  const std::string text = text_report(results, sip(), common::Colour::Off);
  EXPECT_THAT(text, HasSubstr("PASS  1 of 1 workload"));
  EXPECT_THAT(text, HasSubstr("transfers  flits  cycles  accepted"));
}

TEST_F(NocCosim, ATraceHasTheFlitsOfTheFirstWorkload) {
  (void)folder_.write("one.csv", "time_ps,src,dst,bytes,qos,type\n1000,0,2,9,low,unicast\n");
  Options options;
  options.fabrics = {FabricKind::Cycle};
  options.trace_first = true;
  const auto results = run_cosim(
      sip(), make_workloads((folder_.path() / "one.csv").string(), resolved_.graph, {}), options);
  ASSERT_EQ(results[0].runs[0].clocked->flit_traces.size(), 1U);
  std::ostringstream out;
  write_timeline(results[0], resolved_.graph, {}, out);
  const nlohmann::json file = nlohmann::json::parse(out.str());
  std::vector<std::string> channels;
  std::size_t flits = 0;
  for (const nlohmann::json& event : file.at("traceEvents")) {
    if (event.at("name") == "thread_name" &&
        event["args"]["name"].get<std::string>().find("->") != std::string::npos)
      channels.push_back(event["args"]["name"]);
    if (event.at("ph") == "X" && event["args"].contains("flit")) ++flits;
  }
  EXPECT_THAT(channels, ElementsAre("1->5", "1->5 #2", "3->1", "3->1 #2"));
  EXPECT_EQ(flits, 10U);
}

TEST_F(NocCosim, AFailureIsRecordedWithItsNetworkAndTransfersBetweenNodes) {
  TransferWorkload workload;
  workload.name = "two";
  workload.transfers = {{common::SimTime::from_ps(1000), 0, 2, {}, {}, 9},
                        {common::SimTime::from_ps(9000), 5, 1, {}, {}, 3}};
  FabricRun run;
  run.reason = "planted";
  run.outcome = common::Outcome::Mismatch;
  run.played = {{workload.transfers[0].at, {}}, {}};
  run.clocked.emplace();
  run.rtl.emplace().failures.push_back({"lockstep", "credit", 23, {}, "planted"});
  const std::filesystem::path path = folder_.path() / "cosim-1.json";
  write_reproduction(path, reproduction_of(sip(), workload, run, {}), {});
  const Reproduction read = read_reproduction(path);
  EXPECT_EQ(read.failure, "planted");
  EXPECT_EQ(read.cycle, 23U);
  EXPECT_EQ(read.sip.inter_cube, topology::InterCube::Noc);
  EXPECT_EQ(read.sip.noc, sip().noc);
  EXPECT_EQ(read.sip.noc_topology->topology()->channels(),
            sip().noc_topology->topology()->channels());
  // The second transfer was not submitted. Cubes 0 and 2 are at nodes 3 and 5.
  ASSERT_EQ(read.workload.transfers.size(), 1U);
  EXPECT_EQ(read.workload.transfers[0].src, 3U);
  EXPECT_EQ(read.workload.transfers[0].dst, 5U);
  const FabricRun replayed = run_on_fabric(FabricKind::Cycle, read.sip, read.workload, {});
  EXPECT_EQ(replayed.played[0].done->ps(), 2000 * (0 + 5 + 9));

  std::string text = common::read_text_file(path);
  text.replace(text.find("\"src\": 3"), 8, "\"src\": 9");
  (void)folder_.write("cosim-1.json", text);
  try {
    (void)read_reproduction(path);
    FAIL();
  } catch (const common::BadInput& error) {
    EXPECT_EQ(error.what(), path.string() +
                                ": error: 'data.transfers[0].src' must be an integer "
                                "from 0 to 8, not '9'");
  }
}

TEST(NocCosimOfSips, CarriesTheNetworkBetweenThemOverEachFabric) {
  common::TempFolder folder;
  const auto file =
      folder.write("sips.yaml",
                   "system: {sips: {count: 3}, inter_sip: {noc: 'BidirectionalTorus1D(3)'}}\n"
                   "sip: {cube_mesh: {w: 2, h: 2}, inter_cube: {noc: 'Mesh2D(2,2)'}}\n");
  const auto resolved = topology::resolve_topology(file.string(), {});
  Options options;
  options.fabrics = {FabricKind::Analytic, FabricKind::Cycle};
  options.run.between_sips = between_sips_of(resolved.graph.spec());
  ASSERT_NE(options.run.between_sips, nullptr);
  const auto results = run_cosim(resolved.graph.spec().sip,
                                 make_workloads("bench:all-reduce", resolved.graph,
                                                {.parameters = {{"bytes", "256"}},
                                                 .ccl_yaml = places::source("/configs/ccl.yaml")}),
                                 options);
  ASSERT_EQ(outcome_of(results), common::Outcome::Pass) << results[0].reason;
  const FabricRun& estimate = results[0].runs[0].between_sips.at(0);
  const FabricRun& reference = results[0].runs[1].between_sips.at(0);
  EXPECT_GT(reference.transfers, 0U);
  EXPECT_EQ(estimate.transfers, reference.transfers);
  EXPECT_EQ(estimate.packets, reference.packets);
  EXPECT_FALSE(estimate.clocked);
  // A transfer between two of three SIPs takes one channel.
  EXPECT_EQ(std::accumulate(reference.clocked->link_packets.begin(),
                            reference.clocked->link_packets.end(), std::uint64_t{0}),
            reference.packets);
  const topology::SipSpec& sip = resolved.graph.spec().sip;
  EXPECT_THAT(text_report(results, sip), HasSubstr("    between SIPs"));
  const nlohmann::json data = json_data(results, sip, 0);
  EXPECT_EQ(data["workloads"][0]["runs"][1]["between_sips"]["flits"], reference.packets);
  EXPECT_EQ(between_sips_of({}), nullptr);
}

/// Three SIPs of three cubes, on stand-ins for the RTL of both networks. `plusarg` breaks that
/// between the SIPs.
class NocFailureBetweenSips : public ::testing::Test {
 protected:
  NocFailureBetweenSips()
      : resolved_(topology::resolve_topology(
            folder_
                .write("sips.yaml",
                       "system: {sips: {count: 3}, inter_sip: {noc: 'BidirectionalLine(3)'}, "
                       "noc: {flit_bits: 23, slots: 4}}\n"
                       "sip: {cube_mesh: {w: 3, h: 1}, inter_cube: {noc: 'BidirectionalLine(3)'}, "
                       "noc: {flit_bits: 23, slots: 4}}\n")
                .string(),
            {})) {
    options_.fabrics = {FabricKind::Rtl};
    options_.run.between_sips = between_sips_of(resolved_.graph.spec());
    options_.run.noc = model(sip(), {});
  }
  [[nodiscard]] const topology::SipSpec& sip() const { return resolved_.graph.spec().sip; }
  [[nodiscard]] std::shared_ptr<const NocModel> model(const topology::SipSpec& of,
                                                      const std::vector<std::string>& plusargs) {
    return open_noc_model(*model::fabric::noc_base_of(of.noc_topology, of.noc),
                          places::kReferenceNoc, "", "", plusargs);
  }
  /// Runs a collective, and reads its reproduction from the file that it leaves.
  [[nodiscard]] Reproduction failed(const std::string& plusarg, const std::string& reason) {
    options_.run.noc_between_sips = model(*options_.run.between_sips, {plusarg});
    const auto results = run_cosim(
        sip(),
        make_workloads(
            "bench:all-reduce", resolved_.graph,
            {.parameters = {{"bytes", "256"}}, .ccl_yaml = places::source("/configs/ccl.yaml")}),
        options_);
    EXPECT_EQ(outcome_of(results), common::Outcome::Mismatch);
    EXPECT_EQ(results[0].reason, "between SIPs: " + reason);
    const auto reproduction = reproduction_of(sip(), results[0], options_.run);
    const std::filesystem::path path = folder_.path() / "cosim-1.json";
    write_reproduction(path, reproduction.value(), {});
    return read_reproduction(path);
  }
  [[nodiscard]] std::string replayed(const Reproduction& failure, const std::string& plusarg) {
    return replay(failure, model(*options_.run.between_sips, {plusarg}), {}).reason;
  }

  common::TempFolder folder_;
  topology::ResolvedTopology resolved_;
  Options options_;
};

TEST_F(NocFailureBetweenSips, OfTheRtlIsReplayedWithoutTheSips) {
  const std::string reason =
      "edge 1596: cycle 166 of the RTL: lockstep flit: 1->2: vc 0, 0xa62ad4046, the reference has "
      "vc "
      "0, 0xa62bd4046";
  const Reproduction failure = failed("third_head", reason);
  EXPECT_EQ(failure.network->topology, "BidirectionalLine(3)");
  EXPECT_EQ(replayed(failure, "third_head"), reason);
  EXPECT_EQ(replayed(failure, "nothing"), "");
}

TEST_F(NocFailureBetweenSips, OfAFaultIsReplayedWithIt) {
  options_.run.noc_fault_between_sips = sim::NocFaultKind::CreditLost;
  const std::string reason =
      "edge 1482: cycle 52 of the RTL: lockstep credit: node 2, A: credits 0b0, the reference has "
      "0b1";
  Reproduction failure = failed("nothing", reason);
  EXPECT_EQ(failure.noc_fault, sim::NocFaultKind::CreditLost);
  EXPECT_EQ(replayed(failure, "nothing"), reason);
  failure.noc_fault.reset();
  EXPECT_EQ(replayed(failure, "nothing"), "");
}

TEST_F(NocCosim, RefusesWhatOnlyAMazeHas) {
  MazeSetup setup;
  setup.topology = file_.string();
  EXPECT_EQ(refusal(setup), "none");
  setup.failed_node = 1;
  EXPECT_EQ(refusal(setup),
            "error: --failed-node is of a MAZE; the cubes of this topology are joined by a network "
            "of routers");
  setup.failed_node.reset();
  setup.nodes = "ideal";
  EXPECT_EQ(refusal(setup),
            "error: --nodes ideal is of a MAZE; the cubes of this topology are joined by a network "
            "of routers");
  try {
    require_carried(make_workloads("multicasts", resolved_.graph, {.count = 4}).at(0), sip());
    FAIL();
  } catch (const common::BadInput& error) {
    EXPECT_STREQ(
        error.what(),
        "error: workload 'multicasts': transfer 0 is a broadcast of high QoS; a network of "
        "routers carries unicasts of low QoS");
  }
  require_carried(make_workloads("all_to_all", resolved_.graph, {}).at(0), sip());
}

}  // namespace
}  // namespace kernbench::cosim
