// SPDX-License-Identifier: Apache-2.0
// Runs `kernbench traffic` as a process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class TrafficCommand : public ::testing::Test {
 protected:
  [[nodiscard]] Finished run(std::vector<std::string> more) const {
    std::filesystem::create_directories(folder_.path() / "scratch");
    more.insert(more.begin(), "traffic");
    return cli_test::kernbench(more, folder_.path(), folder_.path() / "scratch");
  }
  /// Runs the command on bad input and returns its error message.
  [[nodiscard]] std::string refusal(const std::vector<std::string>& words) const {
    const Finished finished = run(words);
    EXPECT_EQ(finished.exit_code, 2) << finished.out;
    EXPECT_EQ(finished.out, "");
    return finished.err;
  }
  common::TempFolder folder_;
};

TEST_F(TrafficCommand, PrintsATableOfLatencyAgainstLoad) {
  const Finished finished =
      run({"Mesh2D(4,4)", "--loads", "0.05,0.3", "--cycles", "2000", "--seed", "7"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out,
              StartsWith("Mesh2D(4,4): 16 nodes, 48 channels, dimension order XY\n"
                         "analytic fabric: routers with 1 register a link\n"
                         "uniform_random: 16 of 16 endpoints send, transfers of 1 flit, 2,000 "
                         "cycles after 1,000, seed 7\n\n"
                         "                             mean      95 %      99 %   longest         "
                         "          busiest  busy\n"
                         "load  offered  accepted  (cycles)  (cycles)  (cycles)  (cycles)  hops  "
                         "transfers  link      (%)\n"));
  EXPECT_THAT(finished.out,
              HasSubstr("\n0.05   0.0492    0.0490     11.93        19        22        23  2.59  "
                        "    2,395  8->4      6.0\n 0.3   0.2995    0.3002     12.34        19  "
                        "      22        28  2.66     14,401  6->10    34.1\n"));
  EXPECT_THAT(
      finished.out,
      HasSubstr("\nlatencies: estimate: packets wait in queues without bounds, which no test "
                "compares with routers\n  under load\n"));
  EXPECT_THAT(finished.out, EndsWith(" transfers, each done exactly once\n"));
}

TEST_F(TrafficCommand, SimulatesTheRoutersOfAnyTopologyCycleByCycle) {
  const Finished finished =
      run({"Mesh2D(4,4)", "--fabric", "cycle", "--lanes", "2", "--slots", "4", "--stages", "0",
           "--packet-flits", "3", "--bytes", "4", "--loads", "0.3", "--json", "traffic.json"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out,
              HasSubstr("\ncycle fabric: routers with 2 lanes of 4 slots a class, 0 registers a "
                        "link, packets of up to 3 flits\n"));
  EXPECT_THAT(finished.out, HasSubstr("\nlatencies: exact\nPASS  "));
  const nlohmann::json json =
      nlohmann::json::parse(common::read_text_file(folder_.path() / "traffic.json"));
  EXPECT_EQ(json["grade"], nlohmann::json({{"kind", "exact"}}));
  EXPECT_EQ(json["data"]["fabric"], "cycle");
  EXPECT_EQ(json["data"]["routers"],
            nlohmann::json({{"lanes", 2}, {"slots", 4}, {"stages", 0}, {"packet_flits", 3}}));
}

TEST_F(TrafficCommand, TakesTheSameTimesOverAMazeOnBothFabricsWhenNothingMeets) {
  const auto row = [&](const std::string& fabric) {
    const std::string out =
        run({"FlattenedButterfly(3,2)", "--maze", "--loads", "0.01", "--fabric", fabric}).out;
    return out.substr(out.find("\n0.01"), 90);
  };
  EXPECT_EQ(row("analytic"), row("cycle"));
}

TEST_F(TrafficCommand, WritesAllResultsAsJson) {
  EXPECT_EQ(run({"FlattenedButterfly(8,8)", "--maze", "--pattern", "transpose", "--loads", "0.02",
                 "--bytes", "4", "--json", "traffic.json"})
                .exit_code,
            0);
  const nlohmann::json json =
      nlohmann::json::parse(common::read_text_file(folder_.path() / "traffic.json"));
  EXPECT_EQ(json["kind"], "traffic");
  EXPECT_EQ(json["outcome"], "pass");
  EXPECT_EQ(json["seed"], 1);
  EXPECT_EQ(json["grade"], nlohmann::json({{"kind", "exact"}}));
  EXPECT_EQ(json["data"]["pattern"], "transpose");
  EXPECT_EQ(json["data"]["senders"], 56);
  const nlohmann::json& load = json["data"]["loads"].at(0);
  EXPECT_EQ(load["mean_hops"], 2.0);
  // Diagonal neighbours: four packets cross two wires and one corner.
  EXPECT_GE(load["latency_mean_cycles"], 5.0);
  EXPECT_GT(load["measured_transfers"], 0);
}

TEST_F(TrafficCommand, SaysTheSameForTheSameSeedAndAnotherThingForAnother) {
  const std::vector<std::string> words = {"BidirectionalTorus2D(4,4)", "--cycles", "1000"};
  const auto seeded = [&](const std::string& seed) {
    std::vector<std::string> more = words;
    more.insert(more.end(), {"--seed", seed});
    return run(more).out;
  };
  EXPECT_EQ(seeded("3"), seeded("3"));
  EXPECT_NE(seeded("3"), seeded("4"));
}

TEST_F(TrafficCommand, ReadsATopologyFromAFileAndSaysWhatCannotBeReached) {
  (void)folder_.write("line.yaml", "topology: {kind: UnidirectionalLine, n: 4}\n");
  const Finished finished = run({"--spec", "line.yaml", "--loads", "0.1"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("\nuniform_random: 3 of 4 endpoints send, "));
  EXPECT_THAT(finished.out, HasSubstr("\n6 pairs of endpoints have no route and are skipped\n"));
}

TEST_F(TrafficCommand, FailsWhenNothingMoved) {
  const Finished finished = run({"Mesh2D(2,2)", "--loads", "0", "--json", "traffic.json"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.out, EndsWith("FAIL  vacuous: no transfer was measured at some load\n"));
  EXPECT_THAT(common::read_text_file(folder_.path() / "traffic.json"),
              HasSubstr("\"outcome\": \"vacuous\""));
}

TEST_F(TrafficCommand, RefusesBadInputWithTheLegalNames) {
  EXPECT_EQ(refusal({"Mesh2D(4,4)", "--pattern", "tornado"}),
            "error: --pattern: 'tornado' is not one of uniform_random, transpose, bit_complement, "
            "bit_reverse, half_rotation, booksim.tornado, booksim.neighbor, hotspot, shuffle, "
            "garnet.tornado, garnet.neighbor; did you mean 'booksim.tornado'?\n");
  EXPECT_EQ(refusal({"Mesh2D(4,3)", "--pattern", "transpose"}),
            "error: transpose needs a square grid, which Mesh2D(4,3) is not\n");
  EXPECT_THAT(refusal({"Mash2D(4,4)"}), HasSubstr("Mesh2D"));
  EXPECT_EQ(refusal({}),
            "error: give either a topology, such as 'Mesh2D(4,4)', or a --spec file\n"
            "Run 'kernbench traffic --help' for its options.\n");
  EXPECT_EQ(refusal({"Mesh2D(4,4)", "--loads", "0.1,,0.2"}),
            "error: each of --loads must be a number from 0 to 1, not ''\n");
  EXPECT_EQ(refusal({"Mesh2D(4,4)", "--loads", "1.01"}),
            "error: each of --loads must be a number from 0 to 1, not '1.01'\n");
  EXPECT_EQ(refusal({"Mesh2D(4,4)", "--maze"}),
            "error: --maze requires a FlattenedButterfly topology, not Mesh2D(4,4)\n");
  EXPECT_EQ(refusal({"FlattenedButterfly(1,4)", "--maze"}),
            "error: a MAZE Topo has 2..16 nodes a side, not 1x4\n");
  EXPECT_EQ(refusal({"Mesh2D(4,4)", "--hotspot-node", "3"}),
            "error: --hotspot-node and --hotspot-share require --pattern hotspot\n");
  EXPECT_EQ(refusal({"Mesh2D(4,4)", "--pattern", "hotspot", "--hotspot-share", "2"}),
            "error: --hotspot-share must be a number from 0 to 1, not '2'\n");
  EXPECT_THAT(refusal({"Mesh2D(4,4)", "--bytes", "0"}),
              HasSubstr("--bytes: must be an integer from 1 to 1099511627776, not '0'"));
  EXPECT_THAT(refusal({"Mesh2D(4,4)", "--cycles", "0"}),
              HasSubstr("--cycles: must be an integer from 1 to 10000000, not '0'"));
  EXPECT_THAT(refusal({"--spec", "missing.yaml"}), HasSubstr("missing.yaml"));
  EXPECT_THAT(refusal({"Mesh2D(4,4)", "--fabric", "exact"}),
              HasSubstr("--fabric: 'exact' is not one of analytic, cycle, rtl"));
  EXPECT_EQ(refusal({"Mesh2D(32,32)", "--fabric", "cycle", "--packet-bits", "32", "--lanes", "8"}),
            "error: flits of Mesh2D(32,32) have 76 bits with addresses and numbers; 64 is the "
            "most\n");
}

}  // namespace
}  // namespace kernbench
