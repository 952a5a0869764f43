// SPDX-License-Identifier: Apache-2.0
// The waves of a network that fails, opened in the real GTKWave by the printed command.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "common/text_file.hpp"
#include "tests/cli/gtkwave.hpp"
#include "tests/cli/process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench::network_test {
namespace {

using cli_test::Finished;
using cli_test::Shown;
using ::testing::Contains;
using ::testing::HasSubstr;

const std::string kBroken =
    std::string(places::kNetworkModels) + "/forgetful/model/libnetwork_model.so";
const std::string kTop = "TOP.network_tb_top.";

class NetworkWaves : public ::testing::Test {
 protected:
  void SetUp() override { setenv("KERNBENCH_LAST_WAVE", at("last-wave").c_str(), 1); }
  [[nodiscard]] std::string at(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  [[nodiscard]] Finished run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"sim", places::source("/configs/regressions/network.yaml"),
                                         "--model", kBroken, "--seed", "3", "--report", "out"});
    if (std::find(arguments.begin(), arguments.end(), "--waves") == arguments.end()) {
      arguments.insert(arguments.end(), {"--waves", "on-failure"});
    }
    return cli_test::kernbench(arguments, folder_.path(), folder_.path());
  }
  [[nodiscard]] nlohmann::json first_case() const {
    return nlohmann::json::parse(common::read_text_file(at("out/report.json")))
        .at("data")
        .at("cases")
        .at(0);
  }
  common::TempFolder folder_;
};

TEST_F(NetworkWaves, OpenAtTheFailureWithItsPortAndWhatTheReferenceExpects) {
  const Finished finished = run({"--suite", "multicast-few"});
  ASSERT_EQ(finished.exit_code, 1) << finished.err;
  const nlohmann::json failed = first_case();
  ASSERT_EQ(failed.at("reason"), "[0,0].x[0]: out_vld is 1, the reference has 0");
  const std::string view = "gtkwave " + at("out/waves/multicast-few-seed3.gtkw");
  EXPECT_EQ(failed.at("view"), view);
  EXPECT_THAT(finished.out, HasSubstr("  view:      " + view + "\n"));
  EXPECT_EQ(common::read_text_file(at("last-wave")), at("out/waves/multicast-few-seed3.gtkw\n"));

  const Shown shown =
      cli_test::open_in_gtkwave(view, at("gtkwave"), cli_test::screenshot("network.png"));
  EXPECT_EQ(shown.marker, 400U);
  EXPECT_LE(shown.first, 200U);
  EXPECT_GE(shown.last, 610U);
  EXPECT_GE(shown.dump_end, 610U);
  for (const char* row :
       {"a[0].pkt_in_vld", "a[0].pkt_in_type[1:0]", "b[0].pkt_out_rdy", "b[0].pkt_out_data[7:0]",
        "u_maze.links[0].xi_vld[0]", "u_maze.links[0].xo_vld[0]", "u_maze.links[0].xo_tgt[0][5:0]",
        "expected_in_rdy_i", "expected_out_vld_i", "expected_out_pkt_i[22]",
        "u_maze.g_y[0].g_x[0].u_node.u_core.g_in[0].u_queue.head_q[1:0]",
        "u_maze.g_y[0].g_x[0].u_node.u_core.g_out[0].u_arbiter.low_i[2:0]"}) {
    EXPECT_THAT(shown.rows, Contains(kTop + row));
  }
}

TEST_F(NetworkWaves, ShowTheWholeWayOfThePacketOfTheFailure) {
  ASSERT_EQ(run({"--suite", "multicast-few"}).exit_code, 1);
  const std::string setup = common::read_text_file(at("out/waves/multicast-few-seed3.gtkw"));
  std::string comments;
  std::istringstream lines(setup.substr(setup.find("-way of")));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("-way") || line.starts_with("-node")) comments += line + "\n";
  }
  EXPECT_EQ(comments,
            "-way of high broadcast from [0,0], data 0x9b\n-node [0,0], A\n-node [0,0], to [0,1]\n"
            "-node [0,1], from [0,0]\n-node [0,1], B\n");
}

TEST_F(NetworkWaves, OfTheChosenCyclesOfACase) {
  const Finished finished = run({"--suite", "alone", "--waves", "30:50"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  const Shown shown = cli_test::open_in_gtkwave(first_case().at("view"), at("gtkwave"));
  EXPECT_EQ(shown.marker, 300U);
  EXPECT_THAT(shown.rows, Contains(kTop + "a[0].pkt_in_vld"));
  EXPECT_EQ(
      run({"--suite", "alone", "--suite", "multicast-few", "--waves", "30:50"}).err,
      "error: --waves FIRST:LAST requires a single case: select it with --suite and --seeds 1\n");
}

TEST_F(NetworkWaves, AreNotWrittenWhenTheyAreOff) {
  const Finished finished = run({"--suite", "multicast-few", "--waves", "off"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(first_case().at("view"), nullptr);
  EXPECT_THAT(finished.out, ::testing::Not(HasSubstr("view:")));
}

TEST_F(NetworkWaves, OfALibraryWithAnotherName) {
  const std::filesystem::path model = std::filesystem::path(kBroken).parent_path();
  (void)run({"--suite", "multicast-few"});  // builds the model with waves if it is missing
  const auto copy = std::filesystem::copy_options::recursive;
  std::filesystem::copy(model, at("net"), copy);
  std::filesystem::copy(model.string() + "-trace", at("net-trace"), copy);
  std::filesystem::rename(at("net/libnetwork_model.so"), at("net/mine.so"));
  const Finished finished = cli_test::kernbench(
      {"sim", places::source("/configs/regressions/network.yaml"), "--model", "net/mine.so",
       "--suite", "multicast-few", "--seed", "3", "--report", "renamed", "--waves", "on-failure"},
      folder_.path(), folder_.path());
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.out, HasSubstr("  view:      gtkwave "));
}

TEST_F(NetworkWaves, OfAReplayedCosimulationOpenAtTheFailure) {
  std::string topology = common::read_text_file(places::source("/configs/topology-maze-8x8.yaml"));
  const std::string size = "w: 8, h: 8";
  ASSERT_NE(topology.find(size), std::string::npos);
  topology.replace(topology.find(size), size.size(), "w: 2, h: 3");
  (void)folder_.write("small.yaml", topology);
  const Finished failed =
      cli_test::kernbench({"cosim", "--topology", "small.yaml", "--fabric", "rtl", "--workload",
                           "multicasts", "--model", kBroken, "--report", "out"},
                          folder_.path(), folder_.path());
  ASSERT_EQ(failed.exit_code, 1) << failed.err << failed.out;
  EXPECT_THAT(failed.out, HasSubstr(" replay out/cosim-1.json --report out --model " + kBroken));
  const Finished replayed =
      cli_test::kernbench({"replay", "out/cosim-1.json", "--model", kBroken, "--report", "out"},
                          folder_.path(), folder_.path());
  EXPECT_EQ(replayed.exit_code, 1) << replayed.err;
  const std::string view = "gtkwave " + at("out/waves/replay.gtkw");
  EXPECT_THAT(replayed.out, HasSubstr("waves     " + view + "\n"));
  EXPECT_THAT(replayed.out, HasSubstr("\nSAME FAILURE  "));
  const nlohmann::json data =
      nlohmann::json::parse(common::read_text_file(at("out/cosim-1.json"))).at("data");
  const Shown shown = cli_test::open_in_gtkwave(view, at("gtkwave"));
  EXPECT_EQ(shown.marker, 10 * data.at("cycle").get<std::uint64_t>());
  EXPECT_THAT(shown.rows, Contains(kTop + "expected_out_vld_i"));
}

}  // namespace
}  // namespace kernbench::network_test
