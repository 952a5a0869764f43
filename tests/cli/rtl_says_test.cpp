// SPDX-License-Identifier: Apache-2.0
// Reports of other RTL: $finish, $stop, errors, assertions, plusargs, text. One model, in which
// plusargs choose what happens (tests/other_rtl/says.sv).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

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

const fs::path kHere = places::kSource;

class RtlSays : public ::testing::Test {
 protected:
  [[nodiscard]] Finished run(std::vector<std::string> words) const {
    words.insert(words.end(), {"--models", places::kCliModels});
    fs::create_directories(at("out"));
    return cli_test::kernbench(words, kHere, at("out"));
  }
  [[nodiscard]] Finished sim(std::vector<std::string> more) const {
    more.insert(more.begin(),
                {"sim", "tests/other_rtl/says.yaml", "--filelist", "tests/other_rtl/says.f",
                 "--no-structure", "--no-checkers", "--waves", "off", "--report", at("reports")});
    return run(more);
  }
  /// Runs the suite whose links have 40 offers.
  [[nodiscard]] Finished busy(const std::string& plusarg) const {
    return sim({"--suite", "busy", "--plusarg", plusarg});
  }
  [[nodiscard]] nlohmann::json report() const {
    return nlohmann::json::parse(common::read_text_file(at("reports") + "/report.json")).at("data");
  }
  [[nodiscard]] nlohmann::json first_failure() const {
    return report().at("cases").at(0).at("failures").at(0);
  }
  [[nodiscard]] std::string at(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  /// Checks that both seeds fail, with a message that begins with file and line.
  void expect_failures(const std::string& plusarg, const std::string& checker,
                       const std::string& line, const std::string& message) const {
    const Finished finished = busy(plusarg);
    ASSERT_EQ(finished.exit_code, 1) << plusarg << finished.err << finished.out;
    EXPECT_EQ(finished.err, "") << plusarg;
    const auto cases = report().at("cases");
    ASSERT_EQ(cases.size(), 2U);
    for (const auto& one : cases) {
      EXPECT_EQ(one.at("outcome"), "mismatch");
      const auto& failure = one.at("failures").at(0);
      EXPECT_EQ(failure.at("checker"), checker) << plusarg;
      EXPECT_THAT(failure.at("message").get<std::string>(),
                  HasSubstr("tests/other_rtl/says.sv:" + line + ": " + message))
          << plusarg;
      EXPECT_THAT(failure.at("message").get<std::string>(), HasSubstr(", cycle ")) << plusarg;
      EXPECT_THAT(one.at("command").get<std::string>(), HasSubstr(" --plusarg " + plusarg));
    }
    EXPECT_THAT(finished.out, HasSubstr("MISMATCH  2 cases"));
  }

  common::TempFolder folder_;
};

TEST_F(RtlSays, SoundRtlWithAssertionsPassesAndSaysThatTheyAreChecked) {
  const Finished finished = sim({});
  EXPECT_EQ(finished.exit_code, 0) << finished.err << finished.out;
  EXPECT_THAT(finished.out,
              HasSubstr("\n3 assertions and 1 unique or priority of the RTL are checked\n"));
  EXPECT_THAT(finished.out, HasSubstr("\n  rtl_assertions "));
  EXPECT_THAT(finished.out, HasSubstr("\n  rtl_unique "));
  EXPECT_EQ(report().at("model").at("rtl_checks"),
            nlohmann::json({{"assertions", 3}, {"unique", 1}, {"checked", true}}));
}

TEST_F(RtlSays, TheRtlEndsACaseAsAMismatchAndTheOthersGoOn) {
  expect_failures("at_40=finish", "rtl", "27", "the RTL called $finish");
  EXPECT_EQ(first_failure().at("kind"), "finish");
  expect_failures("at_40=stop", "rtl", "28", "the RTL called $stop");
  expect_failures("at_40=error", "rtl_assertions", "29", "40 offers");
  expect_failures("at_40=fatal", "rtl_assertions", "30", "40 offers are too many");
}

TEST_F(RtlSays, AViolatedAssertionIsNamedWithItsLabel) {
  expect_failures("at_40=assert", "rtl_assertions", "36", "an assertion failed");
  EXPECT_THAT(first_failure().at("message").get<std::string>(), HasSubstr(".u_monitor.few"));
}

TEST_F(RtlSays, AViolatedUniqueIsCountedApart) {
  expect_failures("at_40=unique", "rtl_unique", "41", "violated: ");
}

TEST_F(RtlSays, InitialAndFinalBlocksCount) {
  const Finished fatal = sim({"--plusarg", "at_start=fatal"});
  EXPECT_EQ(fatal.exit_code, 1) << fatal.err << fatal.out;
  EXPECT_THAT(fatal.out, HasSubstr("this setting is not supported, cycle 0"));
  for (const auto& one : report().at("cases")) EXPECT_EQ(one.at("outcome"), "mismatch");
  const Finished assertion = busy("at_start=assert");
  EXPECT_EQ(assertion.exit_code, 1) << assertion.err << assertion.out;
  EXPECT_THAT(assertion.out, HasSubstr("a parameter is wrong, cycle 0"));
  expect_failures("at_40=final", "rtl_assertions", "48", "0 is the last number");
}

TEST_F(RtlSays, TextIsKeptWithTheCaseAndNotPrinted) {
  const Finished finished = busy("verbose");
  EXPECT_EQ(finished.exit_code, 0) << finished.err << finished.out;
  EXPECT_THAT(finished.out, Not(HasSubstr("verbose")));
  const nlohmann::json output = report().at("cases").at(0).at("output");
  EXPECT_THAT(output.at("text").get<std::string>(),
              StartsWith("verbose \\x1b[31mred\\x1b[0m <&>\n"));
  EXPECT_EQ(output.at("left_out_bytes"), 0);
  EXPECT_THAT(common::read_text_file(at("reports") + "/junit.xml"),
              HasSubstr("<system-out>verbose \\x1b[31mred\\x1b[0m &lt;&amp;&gt;\n"));
}

TEST_F(RtlSays, TextBeyondTheLimitIsCounted) {
  ASSERT_EQ(busy("at_40=flood").exit_code, 0);
  const nlohmann::json output = report().at("cases").at(0).at("output");
  EXPECT_EQ(output.at("text").get<std::string>().size(), 65536U);
  EXPECT_GT(output.at("left_out_bytes"), 0);
}

TEST_F(RtlSays, AWarningIsTextAndNoFailure) {
  ASSERT_EQ(busy("at_40=warning").exit_code, 0);
  EXPECT_THAT(report().at("cases").at(0).at("output").at("text").get<std::string>(),
              HasSubstr("] %Warning: says.sv:31: "));
}

TEST_F(RtlSays, WithoutPlusargsNothingHappens) {
  EXPECT_EQ(sim({"--suite", "busy"}).exit_code, 0);
  EXPECT_TRUE(report().at("cases").at(0).at("output").is_null());
}

TEST_F(RtlSays, ABadPlusargIsRefused) {
  for (const char* bad : {"", "+verbose", "=3", "verilator+seed+1"}) {
    EXPECT_EQ(busy(bad).exit_code, 2) << bad;
  }
}

TEST_F(RtlSays, AssertionsThatAreLeftOutAreNamed) {
  const Finished finished =
      sim({"--suite", "busy", "--no-assertions", "--plusarg", "at_40=assert"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err << finished.out;
  EXPECT_THAT(finished.out,
              HasSubstr("\n3 assertions and 1 unique or priority of the RTL are not checked\n"));
  EXPECT_THAT(finished.out, Not(HasSubstr("rtl_assertions")));
  EXPECT_THAT(report().at("cases").at(0).at("command").get<std::string>(),
              HasSubstr(" --no-assertions"));
  EXPECT_THAT(common::read_text_file(at("reports") + "/report.html"), HasSubstr("are not checked"));
  EXPECT_EQ(run({"sim", "--no-assertions", "--report", at("reports")}).exit_code, 2);
}

/// A copy of the second coding.
class TwiceDefined : public RtlSays {
 protected:
  void SetUp() override { fs::copy(kHere / "tests/other_rtl", rtl(), fs::copy_options::recursive); }
  [[nodiscard]] fs::path rtl() const { return folder_.path() / "rtl"; }
  [[nodiscard]] Finished check_list() const {
    return run({"structure", "--fabric", "2x2", "--filelist", (rtl() / "topo.f").string()});
  }
  void add_to_list(const std::string& name) const {
    std::ofstream(rtl() / "topo.f", std::ios::app) << name << "\n";
  }
};

TEST_F(TwiceDefined, WithAnotherTextIsAnErrorThatNamesBothPlaces) {
  std::string text = common::read_text_file(rtl() / "irs_n.sv");
  std::ofstream(rtl() / "irs_n_2.sv") << text << "// the same\n";
  add_to_list("irs_n_2.sv");
  EXPECT_EQ(check_list().exit_code, 0);
  const auto end = text.find("endmodule");
  text.insert(end, "wire other = 1'b0;\n");
  std::ofstream(rtl() / "irs_n_2.sv") << text;
  const Finished finished = check_list();
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("irs_n_2.sv:"));
  EXPECT_THAT(finished.err,
              HasSubstr("'IRS_N' is defined twice with different texts, at first in "));
  EXPECT_THAT(finished.err, HasSubstr("/irs_n.sv:"));
}

TEST_F(TwiceDefined, AnAssertionThatVerilatorCannotReadIsNamedWithWhatLeavesItOut) {
  std::ofstream(rtl() / "delay.sv") << "module unread (input logic clk, a);\n"
                                       "  p: assert property (@(posedge clk) a |-> ##1 a);\n"
                                       "endmodule\n";
  add_to_list("delay.sv");
  const Finished plain = check_list();
  EXPECT_EQ(plain.exit_code, 2);
  EXPECT_THAT(plain.err, HasSubstr("this Verilator cannot read the assertion at "));
  EXPECT_THAT(plain.err, HasSubstr("/delay.sv:2; write `ifndef VERILATOR before it"));
  std::ofstream(rtl() / "delay.sv") << "module unread (input logic clk, a);\n"
                                       "`ifndef NO_CHECKS\n"
                                       "  p: assert property (@(posedge clk) a |-> ##1 a);\n"
                                       "`endif\n"
                                       "endmodule\n";
  EXPECT_THAT(check_list().err, HasSubstr("/delay.sv:3; -D NO_CHECKS leaves it out"));
}

TEST_F(TwiceDefined, ControlCharactersInAStringDoNotEndTheStructureCheck) {
  std::string text = common::read_text_file(rtl() / "irs_n.sv");
  text.insert(text.rfind("endmodule"),
              "initial if ($test$plusargs(\"x\")) $display(\"\\033[31m\\007\");\n");
  std::ofstream(rtl() / "irs_n.sv") << text;
  const Finished finished = check_list();
  EXPECT_EQ(finished.exit_code, 0) << finished.err << finished.out;
  EXPECT_THAT(finished.out, StartsWith("PASS"));
}

}  // namespace
}  // namespace kernbench
