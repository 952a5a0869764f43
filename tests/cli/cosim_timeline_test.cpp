// SPDX-License-Identifier: Apache-2.0
// `kernbench cosim --trace`: the timeline of a run.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "common/atomic_file.hpp"
#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;

class CosimTimeline : public ::testing::Test {
 protected:
  [[nodiscard]] Finished run(const std::string& fabric, const std::string& file) const {
    std::filesystem::create_directories(folder_.path() / "scratch");
    return cli_test::kernbench(
        {"cosim", "--topology", places::source("/configs/topology-maze-8x8.yaml"), "--workload",
         "all_to_all", "--workload", "uniform_random", "--loads", "0.1", "--cycles", "50",
         "--fabric", fabric, "--trace", file},
        folder_.path(), folder_.path() / "scratch");
  }
  common::TempFolder folder_;
};

TEST_F(CosimTimeline, ShowsEveryTransferAndPacketOfTheFirstWorkload) {
  const Finished finished = run("cycle", "timeline.json");
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  const nlohmann::json trace =
      nlohmann::json::parse(common::read_text_file(folder_.path() / "timeline.json"));
  std::set<std::string> names;
  std::size_t transfers = 0;
  std::size_t packets = 0;
  for (const nlohmann::json& event : trace.at("traceEvents")) {
    if (event.at("name") == "process_name") names.insert(event["args"]["name"]);
    if (event.at("ph") != "X") continue;
    ++(event["args"].contains("packet") ? packets : transfers);
  }
  EXPECT_EQ(names, (std::set<std::string>{"all_to_all links", "all_to_all transfers"}));
  EXPECT_EQ(transfers, 64U * 63U);
  // A packet to each other node: 14 of them cross one link, 49 cross two.
  EXPECT_EQ(packets, 64U * (14U + 2U * 49U));
}

TEST_F(CosimTimeline, OfAMachineWithSeveralSipsHasItsHopsAndEveryMaze) {
  common::write_file_atomically(
      folder_.path() / "topology.yaml",
      "system:\n  sips: {count: 2}\nsip:\n  inter_cube: maze\n  cube_mesh: {w: 4, h: 3}\n");
  const auto names_of = [&](const std::string& window) {
    const Finished finished = cli_test::kernbench(
        {"cosim", "--topology", "topology.yaml", "--workload", "probe", "--bytes", "64", "--fabric",
         "cycle", "--trace", "timeline.json", "--trace-window", window},
        folder_.path(), folder_.path() / "scratch");
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    const nlohmann::json trace =
        nlohmann::json::parse(common::read_text_file(folder_.path() / "timeline.json"));
    std::set<std::string> names;
    std::size_t slices = 0;
    for (const nlohmann::json& event : trace.at("traceEvents")) {
      if (event.at("name") == "process_name") names.insert(event["args"]["name"]);
      if (event.at("ph") == "X") ++slices;
    }
    return std::pair(names, slices);
  };
  std::filesystem::create_directories(folder_.path() / "scratch");
  const auto [names, slices] = names_of(":");
  EXPECT_EQ(names,
            (std::set<std::string>{"probe machine", "probe SIP 0 links", "probe SIP 0 transfers",
                                   "probe SIP 1 links", "probe SIP 1 transfers"}));
  const std::size_t in_window = names_of("0:150").second;
  EXPECT_GT(in_window, 0U);
  EXPECT_LT(in_window, slices / 2);
}

TEST_F(CosimTimeline, OfANetworkOfRoutersHasItsFlits) {
  std::filesystem::create_directories(folder_.path() / "scratch");
  const Finished finished = cli_test::kernbench(
      {"cosim", "--topology", places::source("/configs/topology-noc-torus.yaml"), "--workload",
       "all_to_all", "--bytes", "32", "--fabric", "cycle", "--trace", "timeline.json"},
      folder_.path(), folder_.path() / "scratch");
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  const nlohmann::json trace =
      nlohmann::json::parse(common::read_text_file(folder_.path() / "timeline.json"));
  std::size_t transfers = 0;
  std::size_t flits = 0;
  for (const nlohmann::json& event : trace.at("traceEvents")) {
    if (event.at("ph") != "X") continue;
    ++(event["args"].contains("flit") ? flits : transfers);
  }
  EXPECT_EQ(transfers, 16U * 15U);
  // Distances of 1 or 2 along each side of the torus: 32 channels to all other nodes.
  EXPECT_EQ(flits, 16U * 32U);
}

TEST_F(CosimTimeline, NeedsTheCycleReference) {
  const Finished finished = run("analytic", "timeline.json");
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.err,
            "error: --trace requires --fabric cycle or all: it traces the cycle reference\n");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "timeline.json"));
}

TEST_F(CosimTimeline, AFileThatCannotBeWrittenIsRefusedBeforeTheRun) {
  const Finished finished = run("cycle", "missing/timeline.json");
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.out, "");
  EXPECT_EQ(finished.err,
            "error: cannot write 'missing/timeline.json': No such file or directory\n");
}

}  // namespace
}  // namespace kernbench
