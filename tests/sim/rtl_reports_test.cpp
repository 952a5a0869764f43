// SPDX-License-Identifier: Apache-2.0
#include "sim/check/rtl_reports.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <fstream>
#include <utility>

#include "sim/dut/build_log.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A model that reports these events, one batch a cycle, and the last in its final blocks.
class ReportingRtl : public RtlOutput {
 public:
  ReportingRtl(RtlChecks checks, std::deque<std::vector<RtlEvent>> batches)
      : checks_(checks), batches_(std::move(batches)) {}
  [[nodiscard]] RtlChecks rtl_checks() const override { return checks_; }
  std::vector<RtlEvent> take_events() override {
    if (batches_.empty()) return {};
    std::vector<RtlEvent> batch = std::move(batches_.front());
    batches_.pop_front();
    return batch;
  }

 private:
  RtlChecks checks_;
  std::deque<std::vector<RtlEvent>> batches_;
};

constexpr RtlChecks kBoth{2, 1, true};

RtlEvent event(RtlEventKind kind, std::string message = "", std::string scope = "") {
  return {kind, 7, "a.sv", 3, std::move(scope), std::move(message)};
}

struct Ended {
  std::vector<std::string> checkers;  ///< name, cycles, failures
  std::vector<std::string> messages;
};

Ended end_of(RtlChecks checks, std::deque<std::vector<RtlEvent>> batches) {
  ReportingRtl rtl(checks, std::move(batches));
  RtlReports reports(rtl);
  CheckerSet set;
  reports.add_to(set);
  struct Runner {
    std::vector<Extension*> all;
    void add(Extension& one) { all.push_back(&one); }
  } runner;
  set.attach_to(runner);
  for (int cycle = 0; cycle < 3; ++cycle) {
    for (Extension* extension : runner.all) extension->on_cycle({});
  }
  for (Extension* one : runner.all) one->after({});
  Ended ended;
  for (const CheckerResult& result : set.results()) {
    ended.checkers.push_back(result.name + " " + std::to_string(result.checks) + " " +
                             std::to_string(result.failures));
  }
  for (const Failure& failure : set.failures())
    ended.messages.push_back(failure.checker + ": " + failure.message);
  return ended;
}

TEST(RtlReports, EachKindBelongsToItsChecker) {
  const Ended ended =
      end_of(kBoth, {{event(RtlEventKind::Error, "'assert' failed.", "TOP.top.u.small"),
                      event(RtlEventKind::Unique, "synthesis full_case, but non-match found"),
                      event(RtlEventKind::Finish), event(RtlEventKind::Stop),
                      event(RtlEventKind::Broken, "it did not converge"),
                      event(RtlEventKind::Error, "too\x1b many")}});
  EXPECT_THAT(ended.checkers, ElementsAre("rtl_assertions 3 2", "rtl_unique 3 1", "rtl 3 3"));
  EXPECT_THAT(ended.messages,
              ElementsAre("rtl_assertions: a.sv:3: an assertion failed, cycle 7, in top.u.small",
                          "rtl_assertions: a.sv:3: too\\x1b many, cycle 7",
                          "rtl_unique: a.sv:3: violated: synthesis full_case, but non-match found, "
                          "cycle 7",
                          "rtl: a.sv:3: the RTL called $finish, cycle 7",
                          "rtl: a.sv:3: the RTL called $stop, cycle 7",
                          "rtl: a.sv:3: the simulation cannot continue: it did not converge, "
                          "cycle 7"));
}

TEST(RtlReports, WithoutChecksInTheModelEveryReportIsACall) {
  for (const RtlChecks checks : {RtlChecks{2, 1, false}, RtlChecks{0, 0, true}}) {
    EXPECT_THAT(end_of(checks, {{event(RtlEventKind::Error, "bad")}}).checkers,
                ElementsAre("rtl 3 1"));
    EXPECT_THAT(end_of(checks, {}).checkers, IsEmpty());
  }
}

TEST(RtlReports, AReportOfTheFinalBlocksCounts) {
  EXPECT_THAT(
      end_of(kBoth, {{}, {}, {}, {}, {}, {}, {}, {}, {}, {event(RtlEventKind::Finish)}}).checkers,
      ElementsAre("rtl_assertions 3 0", "rtl_unique 3 0", "rtl 3 1"));
}

TEST(RtlReports, TheNumbersOfChecksAreASentence) {
  EXPECT_EQ(checks_text({0, 0, true}), "");
  EXPECT_EQ(checks_text({1, 0, true}), "1 assertion of the RTL is checked");
  EXPECT_EQ(checks_text({0, 2, true}), "2 unique or priority of the RTL are checked");
  EXPECT_EQ(checks_text({3, 1, false}),
            "3 assertions and 1 unique or priority of the RTL are not checked");
}

TEST(RtlReports, AShortenedTextHasItsLastLines) {
  EXPECT_EQ(shortened({"a\nb\nc\n", 0}, 5), "a\nb\nc");
  EXPECT_EQ(shortened({"a\nb\nc\n", 0}, 2), "(1 lines before)\nb\nc");
  EXPECT_EQ(shortened({"a\n", 9}, 2), "a\n(9 more bytes left out)");
}

class BuildLog : public ::testing::Test {
 protected:
  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    const std::string path = (folder_.path() / name).string();
    std::ofstream(path) << text;
    return path;
  }
  common::TempFolder folder_;
};

TEST_F(BuildLog, ADefinitionWithAnotherTextIsAnErrorAndWithTheSameANote) {
  const std::string a = write("a.sv", "module m; wire x; endmodule\nmodule n; endmodule\n");
  const std::string b =
      write("b.sv", "module m; wire y; endmodule\nmodule n; // same\nendmodule\n");
  const auto twice = [&](int line, char name) {
    const std::string at = ":" + std::to_string(line) + ":8: ";
    return "%Warning-MODDUP: " + b + at + "Duplicate declaration of module: '" + name + "'\n" +
           "    1 | module\n      |        ^\n    " + a + at +
           "... Location of original declaration\n";
  };
  const BuildFindings findings = findings_in(write("log", twice(1, 'm') + twice(2, 'n')));
  EXPECT_THAT(findings.errors, ElementsAre(b +
                                           ":1: 'm' is defined twice with different texts, at "
                                           "first in " +
                                           a + ":1"));
  EXPECT_THAT(findings.notes, ElementsAre(b +
                                          ":2: 'n' is defined twice with the same text, at "
                                          "first in " +
                                          a + ":2"));
  EXPECT_THAT(findings_in((folder_.path() / "none").string()).errors, IsEmpty());
}

TEST_F(BuildLog, ARedefinedMacroIsANote) {
  const std::string log = write(
      "log",
      "%Warning-REDEFMACRO: b.sv:2:13: Redefining existing define: 'W', with different value: '4'\n"
      "                     a.sv:6:1: ... Location of previous definition, with value: '3'\n");
  EXPECT_THAT(findings_in(log).notes,
              ElementsAre("b.sv:2: the macro W is '4' from here on, and '3' before (near a.sv:6)"));
}

TEST_F(BuildLog, AnAssertionThatCannotBeReadIsNamedWithItsGuard) {
  const std::string file = write(
      "a.sv", "`ifndef A_SV\n`define A_SV\n`ifndef OFF\nassert\n`else\nassert\n`endif\n`endif\n");
  const auto hint = [&](int line) {
    return assertion_hint(write("log", "%Error: " + file + ":" + std::to_string(line) +
                                           ":15: syntax error, unexpected ##, expecting ')'\n"));
  };
  const std::string begin = "\n  this Verilator cannot read the assertion at " + file;
  EXPECT_EQ(hint(4), begin + ":4; -D OFF leaves it out, and it is then not checked");
  EXPECT_EQ(hint(6), begin +
                         ":6; write `ifndef VERILATOR before it and `endif behind it, which "
                         "leave it out, and it is then not checked");
  EXPECT_EQ(assertion_hint(write("log", "%Error: a.sv:1:1: syntax error, unexpected ';'\n")), "");
}

}  // namespace
}  // namespace kernbench::sim
