// SPDX-License-Identifier: Apache-2.0
// Another coding of TOPO and its links, sound and with planted bugs, and the waves of its failures
// in the real GTKWave. docs/user-guide.md walks through the same runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "common/text_file.hpp"
#include "gtkwave.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;
using cli_test::open_in_gtkwave;
using cli_test::Shown;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

// Commands are typed in the repository, as in docs/user-guide.md.
const fs::path kHere = places::kSource;

class OtherRtl : public ::testing::Test {
 protected:
  void SetUp() override { setenv("KERNBENCH_LAST_WAVE", last_wave().c_str(), 1); }

  [[nodiscard]] Finished run(std::vector<std::string> more,
                             const std::string& report = "my reports") const {
    more.insert(more.begin(), {"sim", "tests/other_rtl/regression.yaml"});
    more.insert(more.end(), {"--models", places::kCliModels, "--report", at(report)});
    fs::create_directories(at("out"));
    return cli_test::kernbench(more, kHere, at("out"));
  }
  [[nodiscard]] Finished run_filelist(std::vector<std::string> more) const {
    more.insert(more.begin(), {"--filelist", "tests/other_rtl/topo.f"});
    return run(more);
  }
  [[nodiscard]] std::string at(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  [[nodiscard]] std::string last_wave() const { return at("last-wave"); }
  /// Returns the first case with waves.
  [[nodiscard]] nlohmann::json traced_case() const {
    const auto json =
        nlohmann::json::parse(common::read_text_file(at("my reports") + "/report.json"));
    for (const auto& one : json.at("data").at("cases")) {
      if (!one.at("view").is_null()) return one;
    }
    return {};
  }
  /// Checks that the marker is at the failing cycle, with 20 cycles on each side in view.
  static void expect_failure_in_view(const Shown& shown, std::uint64_t cycle) {
    EXPECT_EQ(shown.marker, 10 * cycle);
    EXPECT_LE(shown.first, cycle > 20 ? 10 * (cycle - 20) : 0);
    EXPECT_GE(shown.last, 10 * (cycle + 21));
  }

  common::TempFolder folder_;
};

TEST_F(OtherRtl, ASoundCodingPasses) {
  const Finished finished = run_filelist({});
  EXPECT_EQ(finished.exit_code, 0) << finished.err << finished.out;
  EXPECT_THAT(finished.out, HasSubstr("PASS  4 cases"));
  EXPECT_FALSE(fs::exists(fs::path(places::kCliModels) / "6x2x8")) << "the shipped model's folder";
}

TEST_F(OtherRtl, AnEarlyCreditFailsInLockstepAndOpensAtTheFailure) {
  const Finished finished =
      run_filelist({"-D", "BUG_EARLY_CREDIT", "--suite", "stalls", "--waves", "on-failure"});
  ASSERT_EQ(finished.exit_code, 1) << finished.err << finished.out;
  EXPECT_THAT(finished.out, HasSubstr("lockstep ready"));
  const auto failed = traced_case();
  ASSERT_FALSE(failed.is_null()) << finished.err;
  const auto& first = failed.at("failures").at(0);
  const std::string view = failed.at("view");
  EXPECT_THAT(finished.out, HasSubstr("  view:      " + view + "\n"));
  EXPECT_EQ(
      common::read_text_file(last_wave()),
      (fs::path(at("my reports")) / failed.at("wave_setup").get<std::string>()).string() + "\n");

  const Shown shown = open_in_gtkwave(view, at("gtkwave"), cli_test::screenshot("other-rtl.png"));
  expect_failure_in_view(shown, first.at("cycle"));
  // The failing link's ends are elements of packed vectors; its IRS_N has no stages to show.
  const auto& link = first.at("link");
  const auto source = "TOP.maze_tb_top.node_if[" + std::to_string(link.at("node").get<int>()) + "]";
  EXPECT_THAT(shown.rows, Contains(HasSubstr(source + ".xo_vld[")));
  EXPECT_THAT(shown.rows, Contains("TOP.maze_tb_top.expected_rdy_i"));
  EXPECT_THAT(shown.rows, Not(Contains(HasSubstr("g_stage"))));
}

TEST_F(OtherRtl, CrossedWiresFailInConnectivity) {
  const Finished finished =
      run_filelist({"-D", "BUG_CROSSED_WIRES", "--suite", "connectivity", "--waves", "off"});
  EXPECT_EQ(finished.exit_code, 1) << finished.err << finished.out;
  EXPECT_THAT(finished.out, HasSubstr("connectivity wrong_target"));
}

TEST_F(OtherRtl, FilesByNameWithAnIncludeFolderAreTheSameRtl) {
  std::vector<std::string> files = {"--rtl"};
  for (const char* name : {"link_pkg.sv", "pkt_con_if.sv", "delay.v", "irs_n.sv", "topo.sv"}) {
    files.push_back(std::string("tests/other_rtl/") + name);
  }
  files.insert(files.end(), {"-I", "tests/other_rtl/include"});
  const Finished finished = run(files);
  EXPECT_EQ(finished.exit_code, 0) << finished.err << finished.out;
}

TEST_F(OtherRtl, AFileListOfAnotherProjectIsTheSameRtl) {
  // Variables, a byte-order mark and options of other simulators leave the model as it is.
  setenv("OTHER_RTL", (kHere / "tests/other_rtl").c_str(), 1);
  const fs::path list = folder_.write("environment.f",
                                      "\xEF\xBB\xBF-sv -timescale=1ns/1ps\r\n"
                                      "+incdir+${OTHER_RTL}/include\r\n${OTHER_RTL}/link_pkg.sv\r\n"
                                      "$OTHER_RTL/pkt_con_if.sv\r\n$(OTHER_RTL)/delay.v\r\n"
                                      "$OTHER_RTL/irs_n.sv $OTHER_RTL/topo.sv\r\n");
  const Finished finished = run({"--filelist", list.string()});
  EXPECT_EQ(finished.exit_code, 0) << finished.err << finished.out;
  EXPECT_THAT(finished.out, HasSubstr("PASS  4 cases"));
  EXPECT_THAT(finished.err, HasSubstr("ignored in " + list.string() +
                                      ": -sv (line 1), -timescale=1ns/1ps (line 1)\n"));
  unsetenv("OTHER_RTL");
  const Finished unset = run({"--filelist", list.string()}, "none");
  EXPECT_EQ(unset.exit_code, 2);
  EXPECT_THAT(
      unset.err,
      HasSubstr("error: " + list.string() +
                ":2: the environment variable 'OTHER_RTL' is not set (\\$ is a dollar sign)\n"));
  EXPECT_FALSE(fs::exists(at("none")));
}

TEST_F(OtherRtl, DelaysAreCountedAndImportedFunctionsAreThoseOfItsFiles) {
  fs::copy(kHere / "tests/other_rtl", at("rtl"), fs::copy_options::recursive);
  std::string topo = common::read_text_file(at("rtl/topo.sv"));
  const std::size_t end = topo.rfind("endmodule");
  ASSERT_NE(end, std::string::npos);
  topo.insert(
      end,
      "  import \"DPI-C\" function int side_model(input int x);\n"
      "  initial begin\n    #5;\n    if (side_model(1) != 2) $display(\"wrong\");\n  end\n");
  (void)folder_.write("rtl/topo.sv", topo);
  const std::string side =
      folder_.write("side.cpp", "extern \"C\" int side_model(int x) { return x + 1; }\n");
  const Finished finished =
      run({"--filelist", at("rtl/topo.f"), "--dpi", side, "--fabric", "2x2", "--no-checkers",
           "--no-structure", "--suite", "connectivity", "--waves", "off"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err << finished.out;
  const auto line = 3 + std::count(topo.begin(), topo.begin() + static_cast<long>(end), '\n');
  EXPECT_THAT(finished.err, HasSubstr("1 delay of the RTL is ignored, at " + at("rtl/topo.sv") +
                                      ":" + std::to_string(line) + "\n"));
  EXPECT_THAT(finished.out, Not(HasSubstr("wrong")));
  const auto json =
      nlohmann::json::parse(common::read_text_file(at("my reports") + "/report.json"));
  EXPECT_THAT(json.dump(), HasSubstr("--dpi " + side));
}

TEST_F(OtherRtl, AMissingModuleIsOneLine) {
  const Finished finished =
      run({"--rtl", "tests/other_rtl/link_pkg.sv", "tests/other_rtl/pkt_con_if.sv",
           "tests/other_rtl/topo.sv", "-I", "tests/other_rtl/include", "--no-checkers"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("error: cannot build the 6x2 TOPO model: the RTL has no "
                                      "module 'IRS_N' (used at "));
  EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
}

TEST_F(OtherRtl, AMissingInterfaceIsOneLine) {
  const Finished finished = run({"--rtl", "tests/other_rtl/link_pkg.sv", "tests/other_rtl/topo.sv",
                                 "-I", "tests/other_rtl/include", "--no-checkers"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("the RTL has no interface 'pkt_con_if' (used at "));
  EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
}

}  // namespace
}  // namespace kernbench
