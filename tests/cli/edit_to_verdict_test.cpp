// SPDX-License-Identifier: Apache-2.0
// An edit of the RTL and how its fault shows: on a small fabric before the model is built, and with
// --watch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "common/atomic_file.hpp"
#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
namespace fs = std::filesystem;

class EditToVerdict : public ::testing::Test {
 protected:
  void SetUp() override { fs::copy(places::source("/rtl"), at("rtl")); }

  [[nodiscard]] std::string at(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  /// Replaces a text that occurs once in a file of the copy.
  void edit(const std::string& file, const std::string& from, const std::string& to) const {
    std::string text = common::read_text_file(at("rtl/") + file);
    const std::size_t found = text.find(from);
    ASSERT_NE(found, std::string::npos) << from;
    text.replace(found, from.size(), to);
    common::write_file_atomically(at("rtl/") + file, text);
  }
  [[nodiscard]] std::vector<std::string> sim(std::vector<std::string> more) const {
    more.insert(more.begin(), {"sim", "--rtl-dir", at("rtl"), "--suite", "connectivity", "--report",
                               at("reports"), "--models", at("models")});
    return more;
  }
  [[nodiscard]] Finished run(const std::vector<std::string>& more) const {
    return cli_test::kernbench(sim(more), folder_.path(), scratch_.path());
  }
  /// Waits until the program has printed a text to stderr, at most as long as two builds may take.
  [[nodiscard]] bool prints(const std::string& text) const {
    constexpr int kMost = 30'000;
    for (int i = 0; i < kMost; ++i) {
      const fs::path file = scratch_.path() / "stderr";
      if (fs::exists(file) &&
          common::read_text_file(file.string()).find(text) != std::string::npos) {
        return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  common::TempFolder folder_;
  common::TempFolder scratch_;
};

TEST_F(EditToVerdict, AFaultShowsOnASmallFabricFirst) {
  edit("irs_lp.sv", "assign ready_o   = skid_free_q;", "assign ready_o   = 1'b1;");
  const Finished first = run({"--fabric", "5x3", "--no-checkers", "--waves", "off"});
  EXPECT_EQ(first.exit_code, 1);
  EXPECT_THAT(first.err,
              HasSubstr("irs_n.sv:16: ready_o of IRS_N does not depend on ready_i\nFAIL  4x3 "
                        "first: connectivity seed 1: cycle 0: node 0 (y=0,x=0) x[1]: "));
  EXPECT_THAT(first.err, HasSubstr("\n  again: " + std::string(places::kKernbench) + " sim "));
  EXPECT_THAT(first.err, HasSubstr(" --fabric 4x3x8 "));
  EXPECT_THAT(first.out, HasSubstr("TOPO 5x3, 8 data bits"));
  // The model is there: no other fabric is needed, and the report is the same.
  const Finished again = run({"--fabric", "5x3", "--no-checkers", "--waves", "off"});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.err, Not(HasSubstr("first")));
}

TEST_F(EditToVerdict, AFabricOfOneSizeSkipsTheSmallOne) {
  edit("topo.sv", "if (NX < 2",
       "if (NX == 4) begin : g_missing\n    no_such_module u ();\n  end\n  if (NX < 2");
  const Finished finished = run({"--fabric", "5x3", "--no-checkers", "--waves", "off"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_THAT(finished.err, StartsWith("4x3 first: skipped: cannot build the 4x3 TOPO model"));
}

TEST_F(EditToVerdict, WatchRunsAgainAfterAnEdit) {
  std::vector<std::string> words = sim({"--fabric", "2x2", "--no-checkers", "--watch"});
  words.insert(words.begin(), places::kKernbench);
  cli_test::Process process(words, folder_.path(), scratch_.path());
  const std::string waiting = "waiting for a change of the sources; Ctrl-C ends this\n";
  ASSERT_TRUE(prints(waiting));
  edit("topo.sv", "(x + i + 1) % NX", "(x + i) % NX");
  ASSERT_TRUE(prints(waiting + waiting));
  process.send(SIGINT);
  const Finished finished = process.wait();
  EXPECT_EQ(finished.exit_code, 130);
  EXPECT_THAT(finished.out, ::testing::MatchesRegex(
                                "PASS  structure +[0-9.]+ s\nPASS  2x2 +[0-9.]+ s  2 cases\n"
                                "FAIL  structure +[0-9.]+ s  .*\nFAIL  2x2 +[0-9.]+ s  .*\n"));
  EXPECT_EQ(finished.err, waiting + waiting);
}

/// The generated RTL of a network of two nodes.
class NocEditToVerdict : public EditToVerdict {
 protected:
  void SetUp() override {
    const Finished made =
        cli_test::kernbench({"topology", "rtl", "BidirectionalLine(2)", "-o", at("rtl")},
                            folder_.path(), scratch_.path());
    ASSERT_EQ(made.exit_code, 0) << made.err;
    (void)folder_.write("alone.yaml",
                        "name: alone\ndut: noc\nnetwork: {topology: BidirectionalLine(2)}\n"
                        "suites: [{name: alone, pattern: alone}]\n");
  }
  [[nodiscard]] std::vector<std::string> sim_noc(std::vector<std::string> more) const {
    more.insert(more.begin(), {"sim", at("alone.yaml"), "--filelist", at("rtl/noc_top.f"),
                               "--report", at("reports"), "--models", at("models")});
    return more;
  }
};

TEST_F(NocEditToVerdict, WatchRunsANetworkAgainAfterAnEdit) {
  std::vector<std::string> words = sim_noc({"--no-checkers", "--watch"});
  words.insert(words.begin(), places::kKernbench);
  cli_test::Process process(words, folder_.path(), scratch_.path());
  const std::string waiting = "waiting for a change of the sources; Ctrl-C ends this\n";
  ASSERT_TRUE(prints(waiting));
  edit("noc_router.sv", "credit_o <= pop;", "credit_o <= '0;");
  ASSERT_TRUE(prints(waiting + waiting));
  process.send(SIGINT);
  const Finished finished = process.wait();
  EXPECT_EQ(finished.exit_code, 130);
  EXPECT_THAT(finished.out,
              ::testing::MatchesRegex(
                  "PASS  structure +[0-9.]+ s\nPASS  BidirectionalLine\\(2\\) +[0-9.]+ s  2 "
                  "cases\nPASS  structure +[0-9.]+ s\nFAIL  BidirectionalLine\\(2\\) +[0-9.]+ s  "
                  "alone seed 1: .*\n"));
  EXPECT_EQ(finished.err, waiting + waiting);
  // The model of --no-checkers is one of its own.
  EXPECT_TRUE(std::any_of(
      fs::directory_iterator(at("models")), fs::directory_iterator(),
      [](const fs::directory_entry& entry) { return entry.path().string().ends_with("-bare"); }));
}

}  // namespace
}  // namespace kernbench
