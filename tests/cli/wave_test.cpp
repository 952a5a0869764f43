// SPDX-License-Identifier: Apache-2.0
// The waves of a mutant, of an injected fault and of a replayed co-simulation, opened in the real
// GTKWave by the printed command, from another folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "common/text_file.hpp"
#include "gtkwave.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;
using cli_test::open_in_gtkwave;
using cli_test::screenshot;
using cli_test::Shown;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

// x[1] of the 4x2 torus has one stage, x[0], x[2] and y[0] are wires.
constexpr const char* kRegression =
    "name: waves\nfabric: {nx: 4, ny: 2}\nsuites:\n"
    "  - name: traffic\n    traffic: {pattern: all_links, load: 0.8, payload: raw}\n"
    "    back_pressure: {kind: random}\n    cycles: 600\n"
    "  - name: faulty\n    traffic: {pattern: all_links, load: 0.8, payload: raw}\n"
    "    cycles: 600\n    checks: [lockstep, scoreboard]\n"
    "    faults: [{kind: payload_bit_flip, link: {node: 1, port: \"x[1]\"}, cycle: 300}]\n";

class Waves : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("KERNBENCH_LAST_WAVE", at("last-wave").c_str(), 1);
    (void)folder_.write("waves.yaml", kRegression);
    fs::create_directories(at("out"));
  }
  [[nodiscard]] Finished kernbench(const std::vector<std::string>& arguments) const {
    return cli_test::kernbench(arguments, folder_.path(), at("out"));
  }
  [[nodiscard]] Finished sim(const std::string& suite, std::vector<std::string> more) const {
    more.insert(more.begin(),
                {"sim", "waves.yaml", "--suite", suite, "--report", "my reports", "--no-checkers"});
    return kernbench(more);
  }
  /// Copies rtl/ with a stage that loses a bit of the packets that wait in its second entry.
  void copy_broken_rtl(const fs::path& to) const {
    fs::remove_all(to);
    fs::create_directories(to.parent_path());
    fs::copy(places::source("/rtl"), to);
    std::string text = common::read_text_file(to / "irs_lp.sv");
    const std::string sound = "skid_pyld_q <= payload_i;";
    text.replace(text.find(sound), sound.size(), "skid_pyld_q <= payload_i & ~PYLD_W'(2);");
    std::ofstream(to / "irs_lp.sv") << text;
  }
  [[nodiscard]] std::string at(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  [[nodiscard]] nlohmann::json first_case() const {
    return nlohmann::json::parse(common::read_text_file(at("my reports/report.json")))
        .at("data")
        .at("cases")
        .at(0);
  }
  /// Checks that the marker is at the failing cycle, with 20 cycles on each side in view.
  static void expect_failure_in_view(const Shown& shown, std::uint64_t cycle) {
    EXPECT_EQ(shown.marker, 10 * cycle);
    EXPECT_LE(shown.first, cycle > 20 ? 10 * (cycle - 20) : 0);
    EXPECT_GE(shown.last, 10 * (cycle + 21));
    EXPECT_GE(shown.dump_end, 10 * (cycle + 21));
  }
  /// Returns the rows as Verilator 5.006 names them. Newer versions have a scope for each array.
  static std::vector<std::string> rows_of(const Shown& shown) {
    static const std::regex kElement(R"(\.(\w+)\.\1\[)");
    std::vector<std::string> rows;
    rows.reserve(shown.rows.size());
    for (const std::string& row : shown.rows) {
      rows.push_back(std::regex_replace(row, kElement, ".$1["));
    }
    return rows;
  }
  static std::string node_if(unsigned node, const std::string& field) {
    return "TOP.maze_tb_top.node_if[" + std::to_string(node) + "]." + field;
  }

  common::TempFolder folder_;
};

TEST_F(Waves, OfAMutantOpenAtTheFailureWithBothEndsAndTheStages) {
  copy_broken_rtl(at("rtl"));
  const Finished finished =
      sim("traffic", {"--rtl-dir", "rtl", "--models", "models", "--waves", "on-failure"});
  ASSERT_EQ(finished.exit_code, 1) << finished.err;
  const auto failed = first_case();
  const auto& first = failed.at("failures").at(0);
  ASSERT_EQ(first.at("link").at("port"), 1);
  const unsigned from = first.at("link").at("node");
  const unsigned to = from / 4 * 4 + (from + 2) % 4;

  const std::string setup = at("my reports/waves/traffic-seed1.gtkw");
  EXPECT_EQ(failed.at("view"), "gtkwave '" + setup + "'");
  EXPECT_THAT(finished.out, HasSubstr("  view:      gtkwave '" + setup + "'\n"));
  EXPECT_THAT(common::read_text_file(at("my reports/report.html")),
              HasSubstr("gtkwave &#39;" + setup + "&#39;</code><button"));

  const Shown shown = open_in_gtkwave(failed.at("view"), at("gtkwave"), screenshot("mutant.png"));
  expect_failure_in_view(shown, first.at("cycle"));
  for (const char* field : {"xo_vld[1]", "xo_rdy[1]", "xo_type[1][1:0]", "xo_qos[1]",
                            "xo_src[1][5:0]", "xo_tgt[1][5:0]", "xo_data[1][7:0]"}) {
    EXPECT_THAT(rows_of(shown), Contains(node_if(from, field)));
  }
  for (const char* field : {"xi_vld[1]", "xi_rdy[1]", "xi_type[1][1:0]", "xi_qos[1]",
                            "xi_src[1][5:0]", "xi_tgt[1][5:0]", "xi_data[1][7:0]"}) {
    EXPECT_THAT(rows_of(shown), Contains(node_if(to, field)));
  }
  EXPECT_THAT(shown.rows, Contains(HasSubstr(".g_xlink[1].u_irs.g_stage[0].g_lp.u_irs.valid_o")));
  for (const char* row : {"expected_rdy_i", "expected_vld_i", "expected_pkt_i[22]"}) {
    EXPECT_THAT(shown.rows, Contains("TOP.maze_tb_top." + std::string(row)));
  }
  EXPECT_THAT(shown.rows, Not(Contains(HasSubstr("seen_"))));

  // `make wave` opens the same, wherever the report is.
  const Shown made = open_in_gtkwave(
      "make --no-print-directory -C " + places::source(" wave INSTALL=no"), at("made"));
  EXPECT_EQ(made.marker, shown.marker);
  EXPECT_EQ(made.rows, shown.rows);
}

TEST_F(Waves, OfAFailureOpenInItsWindowWithoutAnotherModel) {
  copy_broken_rtl(at("rtl"));
  const Finished finished = sim("traffic", {"--rtl-dir", "rtl", "--models", "models"});
  ASSERT_EQ(finished.exit_code, 1) << finished.err;
  EXPECT_THAT(finished.out, Not(HasSubstr("building the traced model")));
  const auto failed = first_case();
  const std::string setup = at("my reports/failures/traffic-seed1/window.gtkw");
  EXPECT_EQ(failed.at("view"), "gtkwave '" + setup + "'");
  const Shown shown = open_in_gtkwave(failed.at("view"), at("gtkwave"), screenshot("window.png"));
  const auto failure = nlohmann::json::parse(
      common::read_text_file(at("my reports/failures/traffic-seed1/failure.json")));
  const auto& wrong = failure.at("data").at("first_wrong");
  EXPECT_EQ(wrong.at("signal"), "stage 0 skid_pyld_q");
  expect_failure_in_view(shown, wrong.at("cycle"));
  for (const char* row : {"failure.valid_i", "failure.stage_0_skid_pyld_q[22:0]",
                          "failure.expected_stage_0_skid_pyld_q[22:0]"}) {
    EXPECT_THAT(shown.rows, Contains(row));
  }
}

TEST_F(Waves, OfAPrebuiltModelAreThoseOfItsOwnRtl) {
  copy_broken_rtl(at("rtl"));
  const fs::path rtl = at("rtl");
  const Finished built = cli_test::kernbench(
      {"model", "NX=4", "NY=2", "CHECKERS=0", "RTL_DIR=rtl", "--output", "built/model"},
      folder_.path(), at("out"));
  ASSERT_EQ(built.exit_code, 0) << built.err;
  EXPECT_EQ(built.out, "built/model/libmaze_model.so\n");
  const Finished finished =
      sim("traffic", {"--model", "built/model/libmaze_model.so", "--waves", "on-failure"});
  EXPECT_EQ(finished.exit_code, 1) << finished.err;
  const std::string finding =
      "error: structure: " + (rtl / "irs_lp.sv").string() +
      ":62: skid_pyld_q[1] stores no bit of the packet, but other bits of it do\n";
  EXPECT_EQ(finished.err, finding);
  EXPECT_TRUE(fs::exists(at("my reports/waves/traffic-seed1.fst")));
  EXPECT_TRUE(fs::exists(at("built/model-trace/libmaze_model.so")));

  std::ofstream(rtl / "irs_lp.sv", std::ios::app) << "// changed\n";
  const Finished changed =
      sim("traffic", {"--model", "built/model/libmaze_model.so", "--waves", "on-failure"});
  EXPECT_EQ(changed.exit_code, 1);
  EXPECT_EQ(changed.err,
            finding +
                "error: no waves: built/model/libmaze_model.so: its sources, the bench or the "
                "tools have changed since it was built\n");
}

TEST_F(Waves, OfAnInjectedFaultShowWhatTheCheckersSaw) {
  const Finished finished = sim("faulty", {"--models", places::kCliModels, "--waves", "200:500"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const auto caught = first_case();
  const std::uint64_t cycle = caught.at("failures").at(0).at("cycle");
  const Shown shown = open_in_gtkwave(caught.at("view"), at("gtkwave"), screenshot("fault.png"));
  expect_failure_in_view(shown, cycle);
  // Node 1 sends through x[1] to node 3.
  for (const std::string& row :
       {node_if(1, "xo_vld[1]"), node_if(3, "xi_data[1][7:0]"),
        std::string("TOP.maze_tb_top.want_vld_i"), std::string("TOP.maze_tb_top.seen_vld_i"),
        std::string("TOP.maze_tb_top.seen_rdy_i"), std::string("TOP.maze_tb_top.seen_pkt_i[22]"),
        std::string("TOP.maze_tb_top.expected_vld_i")}) {
    EXPECT_THAT(rows_of(shown), Contains(row));
  }
}

TEST_F(Waves, OfAReplayedCosimulationOpenAtTheFailure) {
  std::string topology = common::read_text_file(places::source("/configs/topology-maze-8x8.yaml"));
  for (const char* size : {"w: 8", "h: 8"}) {
    const std::size_t at = topology.find(size);
    ASSERT_NE(at, std::string::npos);
    topology.replace(at, 4, std::string(size).substr(0, 3) + (size[0] == 'w' ? "4" : "2"));
  }
  (void)folder_.write("small.yaml", topology);
  const Finished failed =
      kernbench({"cosim", "--nodes", "ideal", "--topology", "small.yaml", "--fabric", "rtl",
                 "--loads", "0.5", "--cycles", "300", "--fault", "payload_bit_flip",
                 "--no-checkers", "--models", places::kCliModels, "--report", "."});
  ASSERT_EQ(failed.exit_code, 1) << failed.err << failed.out;
  EXPECT_THAT(failed.out, HasSubstr("with waves: " + std::string(places::kKernbench) +
                                    " replay ./cosim-1.json --report . --models " +
                                    std::string(places::kCliModels) + " --no-checkers\n"));
  const Finished replayed = kernbench({"replay", "cosim-1.json", "--no-checkers", "--models",
                                       places::kCliModels, "--report", "my replay"});
  ASSERT_EQ(replayed.exit_code, 1) << replayed.err << replayed.out;
  const std::string view = "gtkwave '" + at("my replay/waves/replay.gtkw") + "'";
  EXPECT_THAT(replayed.out, HasSubstr("waves     " + view + "\n"));
  EXPECT_THAT(replayed.out, HasSubstr("SAME FAILURE"));
  const Finished seeded = kernbench({"replay", "cosim-1.json", "--seed", "3"});
  EXPECT_EQ(seeded.exit_code, 2);
  EXPECT_EQ(seeded.err, "error: --seed: the file has the seeds of a co-simulation\n");
  const auto data = nlohmann::json::parse(common::read_text_file(at("cosim-1.json"))).at("data");
  const Shown shown = open_in_gtkwave(view, at("gtkwave"), screenshot("replay.png"));
  expect_failure_in_view(shown, data.at("cycle"));
  EXPECT_THAT(shown.rows, Contains("TOP.maze_tb_top.seen_vld_i"));
  EXPECT_THAT(shown.rows, Contains("TOP.maze_tb_top.expected_vld_i"));
}

}  // namespace
}  // namespace kernbench
