// SPDX-License-Identifier: Apache-2.0
#include "sim/report/junit_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/report_sample.hpp"
#include "tests/sim/report_xml_check.hpp"

namespace kernbench::sim {
namespace {

using common::Outcome;
using sample::read_xml;
using sample::XmlElement;
using testing::HasSubstr;

TEST(XmlReader, RefusesWhatIsNotWellFormed) {
  const std::string head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  EXPECT_NO_THROW((void)read_xml(head + "<a b=\"1\">x<c/></a>\n"));
  for (const char* bad : {"<a>", "<a></b>", "<a b=\"<\"/>", "<a>&</a>", "<a>&x;</a>", "<a b=1/>",
                          "<a/><a/>", "<a>\x01</a>", "<a b=\"1\" b=\"2\"/>"}) {
    EXPECT_ANY_THROW((void)read_xml(head + bad)) << bad;
  }
}

TEST(JunitReport, WritesASuiteForEverySuiteAndACaseForEverySeed) {
  EXPECT_EQ(junit_report(sample::passing_result()),
            R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="configs/small.yaml" tests="2" failures="0" errors="0" time="1.500">
  <testsuite name="saturation" tests="2" failures="0" errors="0" time="0.500">
    <properties>
      <property name="config" value="configs/small.yaml"/>
      <property name="config_hash" value="00000000000000aa"/>
      <property name="revision" value="r1"/>
      <property name="model_hash" value="00000000000000bb"/>
      <property name="seed" value="7"/>
      <property name="command" value="kernbench sim configs/small.yaml --seed 7"/>
    </properties>
    <testcase classname="sim.saturation" name="seed 7" time="0.250"/>
    <testcase classname="sim.saturation" name="seed 8" time="0.250"/>
  </testsuite>
</testsuites>
)");
}

TEST(JunitReport, EveryFailureHasItsSeedItsCommandAndItsMessages) {
  const XmlElement root = read_xml(junit_report(sample::failing_result()));
  EXPECT_EQ(root.attributes.at("failures"), "1");
  const XmlElement& bursts = root.children.at(1);
  EXPECT_EQ(bursts.attributes.at("name"), "bursts");
  EXPECT_EQ(bursts.attributes.at("failures"), "1");
  const XmlElement& failure = bursts.children.at(1).children.at(0);
  EXPECT_EQ(failure.name, "failure");
  EXPECT_EQ(failure.attributes.at("type"), "mismatch");
  EXPECT_EQ(failure.attributes.at("message"), "seed 7: expected <1> & got \"2\"");
  EXPECT_EQ(failure.text,
            "expected <1> & got \"2\"\n"
            "seed: 7\n"
            "run again: kernbench sim --suite bursts --seed 7\n"
            "cycle 1234: scoreboard corruption on [0,1].x[0] -> [0,0].x[0]: data <0x5a> & 'more'\n"
            "cycle 1300: scoreboard undelivered: one packet left\n"
            "wave: waves/a b#1.fst\nview: gtkwave '/r/waves/a b#1.gtkw'\n");
}

TEST(JunitReport, TellsFailuresOfTheDesignFromErrorsOfTheRun) {
  const std::vector<std::pair<Outcome, std::string>> expected = {
      {Outcome::Mismatch, "failure"},   {Outcome::Vacuous, "failure"},
      {Outcome::Timeout, "failure"},    {Outcome::Deadlock, "failure"},
      {Outcome::BadInput, "error"},     {Outcome::Interrupted, "error"},
      {Outcome::InternalError, "error"}};
  for (const auto& [outcome, element] : expected) {
    RegressionResult r = sample::empty_result();
    r.cases = {sample::failing_case("bursts", 7)};
    r.cases[0].outcome = outcome;
    const XmlElement root = read_xml(junit_report(r));
    EXPECT_EQ(root.children.at(0).children.at(1).children.at(0).name, element);
    EXPECT_EQ(root.attributes.at("failures"), element == "failure" ? "1" : "0");
    EXPECT_EQ(root.attributes.at("errors"), element == "error" ? "1" : "0");
  }
}

TEST(JunitReport, TellsCasesOfOneSeedApartByTheirFaults) {
  RegressionResult r = sample::empty_result();
  r.cases = {sample::fault_case("drop", {"scoreboard"})};
  EXPECT_THAT(junit_report(r), HasSubstr("name=\"seed 1, fault drop at [0,0].y[0] -&gt; "
                                         "[1,0].y[0]\""));
}

TEST(JunitReport, AnInterruptedRunIsAnErrorAlthoughItsCasesPassed) {
  RegressionResult r = sample::passing_result();
  r.outcome = common::Outcome::Interrupted;
  r.planned = 5;
  const XmlElement root = read_xml(junit_report(r));
  EXPECT_EQ(root.attributes.at("errors"), "1");
  EXPECT_THAT(junit_report(r), HasSubstr("message=\"seed 7: interrupted after 2 of 5 cases\""));
}

TEST(JunitReport, StaysWellFormedWhateverAMessageHolds) {
  RegressionResult r = sample::failing_result();
  r.cases[2].failures[0].message = "\x01\x1b[31m ]]> \xff\xfe <!-- &amp; \xEF\xBF\xBF\t\r\n";
  const XmlElement root = read_xml(junit_report(r));
  EXPECT_THAT(root.children.at(1).children.at(1).children.at(0).text,
              HasSubstr("[31m ]]> \xEF\xBF\xBD\xEF\xBF\xBD <!-- &amp; \xEF\xBF\xBD\t\r\n"));
}

}  // namespace
}  // namespace kernbench::sim
