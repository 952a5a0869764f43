// SPDX-License-Identifier: Apache-2.0
// The exit codes of runs on verilated models: a correct one and one whose stages accept nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "common/atomic_file.hpp"
#include "common/hash.hpp"
#include "common/report_envelope.hpp"
#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using cli_test::files_under;
using cli_test::Finished;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;
namespace fs = std::filesystem;

const fs::path kHere = places::source("/tests/cli");

class VerilatedRun : public ::testing::Test {
 protected:
  static constexpr const char* kDeadStage = R"(// A stage that accepts and sends nothing.
module IRS_LP #(parameter int PYLD_W = 23, parameter bit RO_EN = 1'b1) (
  input  logic              clk,
  input  logic              rst_n,
  input  logic              valid_i,
  output logic              ready_o,
  input  logic [PYLD_W-1:0] payload_i,
  output logic              valid_o,
  input  logic              ready_i,
  output logic [PYLD_W-1:0] payload_o
);
  assign ready_o   = 1'b0;
  assign valid_o   = 1'b0;
  assign payload_o = '0;
endmodule
)";

  /// The first run that needs the model of the broken RTL builds it.
  static void SetUpTestSuite() {
    fs::remove_all(broken_rtl());
    fs::create_directories(broken_rtl().parent_path());
    fs::copy(places::source("/rtl"), broken_rtl());
    fs::remove(broken_rtl() / "irs_lp.sv");
    std::ofstream(broken_rtl() / "irs_lp.sv") << kDeadStage;
  }
  static fs::path broken_rtl() { return fs::path(places::kCliModels) / "broken/rtl"; }

  static std::string broken_models() { return broken_rtl().parent_path() / "models"; }

  [[nodiscard]] Finished run(std::vector<std::string> more) const {
    more.insert(more.begin(), "sim");
    more.insert(more.end(), {"--waves", "off", "--report", report()});
    const fs::path scratch = folder_.path() / "out";
    fs::create_directories(scratch);
    return cli_test::kernbench(more, kHere, scratch);
  }
  [[nodiscard]] Finished run_broken(const std::string& suite) const {
    return run({"outcomes.yaml", "--suite", suite, "--no-checkers", "--rtl-dir",
                broken_rtl().string(), "--models", broken_models()});
  }
  /// Runs the structure check alone, with its models in folder_.
  [[nodiscard]] Finished run_structure(std::vector<std::string> more) const {
    more.insert(more.begin(), {"structure", "--models", models().string()});
    const fs::path scratch = folder_.path() / "out";
    fs::create_directories(scratch);
    return cli_test::kernbench(more, kHere, scratch);
  }
  [[nodiscard]] fs::path models() const { return folder_.path() / "models"; }
  [[nodiscard]] std::string report() const { return (folder_.path() / "report").string(); }

  common::TempFolder folder_;
};

TEST_F(VerilatedRun, OfASoundFabricEndsWith0) {
  const Finished finished = run({"small.yaml", "--no-checkers", "--models", places::kCliModels});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("structure of the RTL: checked\n"));
  EXPECT_THAT(finished.out, HasSubstr("PASS  5 cases"));
  EXPECT_THAT(finished.out, HasSubstr("32/32 links"));
}

TEST_F(VerilatedRun, ShowsProofsOfTheSameRtlWhateverTheyAre) {
  std::string rtl;
  for (const char* name :
       {"maze_pkg.sv", "pkt_con_if.sv", "irs_half.sv", "irs_lp.sv", "irs_n.sv", "topo.sv"}) {
    rtl +=
        std::string(name) + "\n" + common::read_text_file(fs::path(places::source("/rtl")) / name);
  }
  for (const char* list : {"network/maze.f", "noc/noc.f"}) {
    std::ifstream names(fs::path(places::source("/rtl")) / list);
    for (std::string name; std::getline(names, name);) {
      // Comments, other lists, and the stages, which are above.
      if (name.starts_with("/") || name.starts_with("-") || name.starts_with("../irs_")) continue;
      name = (fs::path(list).parent_path() / name).string();
      rtl += name + "\n" + common::read_text_file(fs::path(places::source("/rtl")) / name);
    }
  }
  const fs::path prove = folder_.path() / "build/prove";
  fs::create_directories(prove);
  fs::create_directories(folder_.path() / "out");
  const auto run_with = [&](const std::string& hash, std::vector<std::string> more) {
    common::ReportEnvelope proofs;
    proofs.kind = "proofs";
    proofs.data = {{"rtl_hash", hash},
                   {"summary", {{"proven", 5}, {"refuted", 1}, {"undecided", 0}, {"seconds", 1.0}}},
                   {"results", nlohmann::json::array()}};
    common::write_report(prove / "proofs.json", proofs);
    std::ofstream(prove / "proofs.html") << "<p>";
    more.insert(more.begin(), {"sim", (kHere / "small.yaml").string(), "--no-checkers", "--models",
                               places::kCliModels, "--suite", "connectivity"});
    const Finished finished = cli_test::kernbench(more, folder_.path(), folder_.path() / "out");
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    return finished.out;
  };
  const std::string hash = common::hex64(common::hash_bytes(rtl));
  EXPECT_THAT(run_with(hash, {}), HasSubstr("\nproofs       5 of 6 properties proven, 1 refuted "
                                            "(build/prove/proofs.html)\n\nPASS"));
  const auto report =
      nlohmann::json::parse(common::read_text_file(folder_.path() / "build/reports/report.json"));
  EXPECT_EQ(report.at("data").at("proofs").at("report"), "../prove/proofs.html");
  EXPECT_THAT(run_with("00ff", {}), HasSubstr("\nproofs       of other RTL; run make prove\n"));
  // Nothing is known about other RTL.
  EXPECT_THAT(run_with(hash, {"--rtl-dir", places::source("/rtl")}), Not(HasSubstr("proofs")));
}

TEST_F(VerilatedRun, KeepsTheStructureOfAModelAndChecksAnotherBuildAgain) {
  ASSERT_EQ(run({"small.yaml", "--no-checkers", "--models", places::kCliModels}).exit_code, 0);
  const fs::path model = fs::path(places::kCliModels) / "4x2x8-bare";
  const fs::path copy = folder_.path() / "copy";
  fs::create_directories(copy / "dump");
  fs::copy(model / "libmaze_model.so", copy);
  const auto run_copy = [&] {
    return run({"small.yaml", "--model", (copy / "libmaze_model.so").string()});
  };
  // The stored result is enough.
  fs::copy(model / "structure.json", copy);
  EXPECT_EQ(run_copy().exit_code, 0);
  // A result of another model is not used.
  std::string text = common::read_text_file(copy / "structure.json");
  const auto hash = text.find("\"config_hash\": \"") + 16;
  text[hash] = text[hash] == '0' ? '1' : '0';
  std::ofstream(copy / "structure.json") << text;
  const Finished stale = run_copy();
  EXPECT_EQ(stale.exit_code, 1);
  EXPECT_THAT(stale.out, HasSubstr("has no dump of the design"));
  // The dump of the same build is checked instead, that of another is not.
  fs::copy(model / "dump", copy / "dump", fs::copy_options::recursive);
  EXPECT_EQ(run_copy().exit_code, 0);
  std::ofstream(copy / "structure.json") << text;
  std::ofstream(copy / "dump/stamp") << "another\n";
  const Finished other = run_copy();
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_THAT(other.out, HasSubstr("is the dump of another build"));
}

// Every packet arrives as it should: only the structure tells the copy from the original.
TEST_F(VerilatedRun, OfAFabricWithAFindingFailsAndShowsItFirst) {
  const fs::path rtl = folder_.path() / "rtl";
  fs::copy(places::source("/rtl"), rtl);
  std::string text = common::read_text_file(rtl / "pkt_con_if.sv");
  const std::string input = "    input  xi_rdy,\n    input  yo_vld";
  text.replace(text.find(input), input.size(), "    output xi_rdy,\n    input  yo_vld");
  std::ofstream(rtl / "pkt_con_if.sv") << text;
  const Finished finished = run({"small.yaml", "--no-checkers", "--rtl-dir", rtl.string(),
                                 "--models", (folder_.path() / "models").string()});
  EXPECT_EQ(finished.exit_code, 1);
  const std::string finding = (rtl / "pkt_con_if.sv").string() +
                              ":63: xi_rdy is an output of modport slv, expected an input";
  EXPECT_THAT(finished.err, HasSubstr("error: structure: " + finding + "\n"));
  EXPECT_THAT(finished.out, HasSubstr("structure of the RTL: findings\n"));
  EXPECT_THAT(finished.out, HasSubstr("1 case did not pass\n\nstructure seed 0: mismatch\n"));
  EXPECT_THAT(finished.out, HasSubstr("\n  " + finding + "\n"));
  EXPECT_THAT(finished.out, HasSubstr("MISMATCH  5 cases"));
  for (const char* file : {"report.html", "junit.xml", "report.json"}) {
    EXPECT_THAT(common::read_text_file(fs::path(report()) / file), HasSubstr(finding)) << file;
  }
}

TEST_F(VerilatedRun, OfTheStructureAlonePassesAndKeepsItsResult) {
  const Finished first = run_structure({"--fabric", "2x2"});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(first.err, "");
  EXPECT_THAT(first.out, MatchesRegex("PASS  structure of 2x2x8: 8 links, [0-9],[0-9]+ bits "
                                      "followed\n"));
  EXPECT_FALSE(fs::exists(models() / "2x2x8/libmaze_model.so"));
  // The stored result is used while nothing changed, and a check of no link is none.
  const fs::path stored = models() / "2x2x8/structure.json";
  const std::string text = common::read_text_file(stored);
  std::string none = text;
  none.replace(none.find("\"links\": 8"), 10, "\"links\": 0");
  std::ofstream(stored) << none;
  const Finished vacuous = run_structure({"--fabric", "2x2"});
  EXPECT_EQ(vacuous.exit_code, 1);
  EXPECT_THAT(vacuous.out, StartsWith("FAIL  structure of 2x2x8: 0 links, "));
  // The dump of another build is made again, and checked.
  std::ofstream(models() / "2x2x8/dump/stamp") << "another\n";
  std::string other = text;
  const auto hash = other.find("\"config_hash\": \"") + 16;
  other[hash] = other[hash] == '0' ? '1' : '0';
  std::ofstream(stored) << other;
  EXPECT_EQ(run_structure({"--fabric", "2x2"}).out, first.out);
  EXPECT_EQ(common::read_text_file(stored), text);
}

TEST_F(VerilatedRun, OfTheStructureAloneFailsWithAFinding) {
  const fs::path rtl = folder_.path() / "rtl";
  fs::copy(places::source("/rtl"), rtl);
  std::string text = common::read_text_file(rtl / "pkt_con_if.sv");
  const std::string input = "    input  xi_rdy,\n    input  yo_vld";
  text.replace(text.find(input), input.size(), "    output xi_rdy,\n    input  yo_vld");
  std::ofstream(rtl / "pkt_con_if.sv") << text;
  const Finished finished = run_structure({"--fabric", "4x2x1", "--rtl-dir", rtl.string()});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(finished.out, "FAIL  structure of 4x2x1: 1 finding\n");
  EXPECT_EQ(finished.err, "error: structure: " + (rtl / "pkt_con_if.sv").string() +
                              ":63: xi_rdy is an output of modport slv, expected an input\n");
}

TEST_F(VerilatedRun, OfTheStructureAloneNotesWhatOtherPeoplesRtlMayHave) {
  const fs::path rtl = folder_.path() / "rtl";
  fs::copy(places::source("/rtl"), rtl);
  std::string text = common::read_text_file(rtl / "irs_lp.sv");
  const std::string last = "\nendmodule";
  text.replace(text.find(last), last.size(),
               "  logic more_q;\n  always_ff @(posedge clk) more_q <= valid_i;\nendmodule");
  std::ofstream(rtl / "irs_lp.sv") << text;
  const std::string note = "structure: " + (rtl / "irs_n.sv").string() +
                           ":6: IRS_N with IRS_DEEP=1 has 41 registers, expected at most 40\n";
  const Finished finished = run_structure({"--fabric", "4x2x4", "--rtl-dir", rtl.string()});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_THAT(finished.err, StartsWith(note));
  EXPECT_THAT(finished.err, Not(HasSubstr("error")));
  EXPECT_EQ(run_structure({"--fabric", "4x2x4", "--rtl-dir", rtl.string(), "--quiet"}).err, "");
}

TEST_F(VerilatedRun, OfTheStructureAloneLooksAtTheNodesOfANetworkToo) {
  const Finished sound = run_structure({"network", "--fabric", "2x2x1"});
  EXPECT_EQ(sound.exit_code, 0) << sound.err;
  EXPECT_THAT(sound.out,
              MatchesRegex("PASS  structure of network 2x2x1: 4 nodes, 8 links, [0-9]+,[0-9]+ bits "
                           "followed\n"));
  const fs::path rtl = folder_.path() / "rtl";
  fs::copy(places::source("/rtl"), rtl, fs::copy_options::recursive);
  std::string text = common::read_text_file(rtl / "network/maze_array.sv");
  const std::string gate = ".clk(node_clk)";
  text.replace(text.find(gate), gate.size(), ".clk(N == 3 ? clk : node_clk)");
  std::ofstream(rtl / "network/maze_array.sv") << text;
  const Finished broken =
      run_structure({"network", "--fabric", "2x2x1", "--rtl-dir", rtl.string()});
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_EQ(broken.out, "FAIL  structure of network 2x2x1: 1 finding\n");
  EXPECT_EQ(broken.err, "error: structure: " + (rtl / "network/maze_node.sv").string() +
                            ":69: node 3: its clock is u_maze.clk, expected clk_o of a "
                            "MAZE_CLOCK_GATE\n");
}

TEST_F(VerilatedRun, OfTheStructureAloneNamesTheErrorOfRtlThatDoesNotCompile) {
  const fs::path rtl = folder_.path() / "rtl";
  fs::copy(places::source("/rtl"), rtl);
  std::ofstream(rtl / "irs_lp.sv") << "module IRS_LP;\n  assign = 1;\nendmodule\n";
  const Finished finished = run_structure({"--fabric", "2x2", "--rtl-dir", rtl.string()});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.out, "");
  EXPECT_THAT(finished.err, StartsWith("error: cannot build the dump of the 2x2 TOPO ("));
  EXPECT_THAT(finished.err, HasSubstr((rtl / "irs_lp.sv").string() + ":2:"));
}

// A single test, so that the broken model is built only once.
TEST_F(VerilatedRun, OfABrokenFabricEndsAsItsCheckersSeeIt) {
  const Finished mismatch = run_broken("with_lockstep");
  EXPECT_EQ(mismatch.exit_code, 1) << mismatch.err;
  EXPECT_THAT(mismatch.out, HasSubstr("ready is 0, the reference has 1"));
  // The reports, the page of the failure with its files, and that of the structure.
  EXPECT_EQ(files_under(report()).size(), 14U);

  const Finished deadlock = run_broken("with_watchdog");
  EXPECT_EQ(deadlock.exit_code, 4) << deadlock.err;
  EXPECT_THAT(deadlock.out,
              HasSubstr("a packet waited at the source for 50 cycles (valid 1, ready 0)"));

  const Finished timeout = run_broken("with_nobody_who_waits");
  EXPECT_EQ(timeout.exit_code, 3) << timeout.err;
  EXPECT_THAT(timeout.out, HasSubstr("the fabric did not drain"));

  const Finished vacuous = run_broken("with_nothing_sent");
  EXPECT_EQ(vacuous.exit_code, 1) << vacuous.err;
  EXPECT_THAT(vacuous.out, HasSubstr("scoreboard compared nothing"));

  // The worst outcome of several cases determines the exit code.
  EXPECT_EQ(run({"outcomes.yaml", "--no-checkers", "--rtl-dir", broken_rtl().string(), "--models",
                 broken_models()})
                .exit_code,
            4);
}

TEST_F(VerilatedRun, TheLinkCheckersKnowTheDepthThatTheRtlShouldHave) {
  const fs::path rtl = folder_.path() / "rtl";
  fs::copy(places::source("/rtl"), rtl);
  std::string topo = common::read_text_file(rtl / "topo.sv");
  const std::string depth = "maze_pkg::irs_depth(i + 1, NX)";
  topo.replace(topo.find(depth), depth.size(), "(x == 2 && y == 1 && i == 1) ? 2 : " + depth);
  common::write_file_atomically(rtl / "topo.sv", topo);
  const Finished finished = run({"outcomes.yaml", "--suite", "with_link_checkers", "--rtl-dir",
                                 rtl.string(), "--models", (folder_.path() / "models").string()});
  EXPECT_EQ(finished.exit_code, 1) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("[1,2].x[1] -> [1,0].x[1]: rule 'too_late' violated"));
}

TEST_F(VerilatedRun, WhoseRtlDoesNotCompileIsBadInputThatNamesTheLine) {
  const fs::path rtl = folder_.path() / "rtl";
  fs::copy(places::source("/rtl"), rtl);
  std::ofstream(rtl / "irs_lp.sv") << "module IRS_LP;\n  assign = 1;\nendmodule\n";
  const Finished finished = run({"small.yaml", "--no-checkers", "--rtl-dir", rtl.string(),
                                 "--models", (folder_.path() / "models").string()});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("error: cannot build the 4x2 TOPO model"));
  EXPECT_THAT(finished.err, HasSubstr((rtl / "irs_lp.sv").string() + ":2:"));
  EXPECT_THAT(files_under(report()), ::testing::IsEmpty());
}

}  // namespace
}  // namespace kernbench
