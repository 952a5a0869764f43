// SPDX-License-Identifier: Apache-2.0
// docs/developer/verification-plan.md has a row with existing evidence for every bullet of the
// requirements.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <regex>
#include <sstream>

#include "common/text_file.hpp"
#include "known_tests.hpp"
#include "plan_check.hpp"
#include "repository_text.hpp"
#include "sim/cover/coverage_data.hpp"
#include "sim/network/network_spec.hpp"
#include "sim/noc/noc_spec.hpp"
#include "sim/regression/regression_spec.hpp"
#include "stale_check.hpp"
#include "tests/places.hpp"
#include "topo_statements.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::docs {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::SizeIs;

std::vector<std::string> required_ids() {
  std::vector<std::string> ids;
  for (const Heading& heading : topo_statements()) {
    for (std::size_t i = 1; i <= heading.statements.size(); ++i) {
      ids.push_back(fmt::format("{}.{}", heading.id, i));
    }
  }
  return ids;
}

std::set<std::string> check_names() {
  std::set<std::string> names;
  add_matches(common::read_text_file(places::source("/Makefile")), R"((?:^|\n)([a-z-]+):[^=])",
              "make $1", names);
  for (const SourceFile& file : repository_files({"scripts", "tests"}, {".py", ".sh"})) {
    names.insert(file.path);
    add_matches(file.text, R"(\bdef check_(\w+)\()", (file.path + " $1").c_str(), names);
  }
  return names;
}

/// The properties of `make prove`: rules of the contracts, of the wiring and of the argument about
/// widths, and the models that a stage of the RTL is compared with.
std::set<std::string> proof_names() {
  std::set<std::string> names;
  const auto text = [](const char* file) {
    return common::read_text_file(std::string(places::source("/formal/")) + file);
  };
  add_matches(text("properties.yaml"),
              R"(  - name: (\w+)\n    says: [^\n]+\n    checker: \w+\n    contracts)", "$1", names);
  add_matches(text("wiring.py"), R"re(\n    "(\w+)": ")re", "$1", names);
  add_matches(text("independence.py"), R"re(\n    "(\w+)": ")re", "$1", names);
  add_matches(text("reference.py"), R"re("(\w+_model)")re", "$1", names);
  return names;
}

KnownEvidence repository_evidence() {
  KnownEvidence known;
  for (const SourceFile& file : repository_files({"configs/regressions"}, {".yaml"})) {
    const std::string path = places::source("/") + file.path;
    auto& names = known.suites[std::filesystem::path(file.path).stem().string()];
    const std::string text = common::read_text_file(path);
    if (sim::dut_of_regression(text, path) == "noc") {
      const auto spec = sim::parse_noc_regression(text, path);
      for (const sim::NocSuiteSpec& suite : spec.suites) names.insert(suite.name);
      continue;
    }
    if (sim::is_network_regression(text, path)) {
      const auto spec = sim::parse_network_regression(text, path);
      for (const sim::NetworkSuiteSpec& suite : spec.suites) names.insert(suite.name);
      continue;
    }
    const auto spec = sim::load_regression(path);
    for (const sim::SuiteSpec& suite : spec.suites) names.insert(suite.name);
  }
  sim::CoverageData coverage({8, 8, 8}, topology::MazeLinks(8, 8), 1);
  coverage.deep().emplace(coverage.shape(), topology::MazeLinks(8, 8));
  for (const auto& group : coverage.summary().groups) known.coverage_groups.insert(group.name);
  known.tests = test_names();
  known.checks = check_names();
  known.proofs = proof_names();
  for (const std::string& path : repository_paths()) known.files.insert(path);
  known.commands = program_commands().options;
  known.benchmarks = common::read_text_file(places::source("/benchmarks/maze_bench.cpp"));
  return known;
}

std::string shipped_plan() {
  return common::read_text_file(places::source("/docs/developer/verification-plan.md"));
}

std::string shipped_requirements() {
  return common::read_text_file(places::source("/docs/developer/requirements.md"));
}

/// The shipped plan with the first `from` replaced.
std::string broken(const std::string& from, const std::string& to) {
  std::string plan = shipped_plan();
  const auto at = plan.find(from);
  if (at == std::string::npos) throw std::logic_error("the plan does not hold " + from);
  return plan.replace(at, from.size(), to);
}

std::vector<std::string> problems(const std::string& plan) {
  static const KnownEvidence known = repository_evidence();
  return check_plan(plan, required_ids(), known);
}

TEST(VerificationPlan, HasExistingEvidenceForEveryRequirement) {
  EXPECT_THAT(problems(shipped_plan()), IsEmpty());
}

TEST(VerificationPlan, CountsEveryBulletOfTheRequirements) {
  EXPECT_THAT(required_ids(), SizeIs(168));
}

TEST(VerificationPlan, SaysTheStatementsOfTheList) {
  EXPECT_THAT(other_words(shipped_plan(), topo_statements()), IsEmpty());
}

TEST(VerificationPlanCheck, NoticesAStatementInOtherWords) {
  EXPECT_THAT(other_words(broken("| QoS is preserved |", "| QoS is kept |"), topo_statements()),
              ElementsAre("VR-4.5: 'QoS is kept' is not 'QoS is preserved'"));
}

/// The rows of a page without evidence, but for those that say that they wait for built-in test.
std::vector<std::string> rows_without_a_bound(const std::string& page) {
  std::vector<std::string> found;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("| `n/a` |") == std::string::npos) continue;
    if (line.find("waits for built-in test") == std::string::npos) found.push_back(line);
  }
  return found;
}

TEST(VerificationPlan, HasNothingWithoutABoundButWhatWaitsForBuiltInTest) {
  EXPECT_THAT(rows_without_a_bound(shipped_plan()), IsEmpty());
  EXPECT_THAT(rows_without_a_bound(shipped_requirements()), IsEmpty());
  EXPECT_THAT(rows_without_a_bound("| 1 | one | `n/a` | It waits for built-in test. |\n"
                                   "| 2 | two | `n/a` | It cannot be said. |\n"),
              ElementsAre("| 2 | two | `n/a` | It cannot be said. |"));
}

// The statements of the requirement pages, counted: of the design card, the three parts of the Topo
// page, the Constellation page, the two ADRs, and the four parts of the architecture page.
constexpr std::array kStatements = {9U, 20U, 21U, 25U, 16U, 28U, 20U, 34U, 14U, 23U, 15U};

std::vector<std::string> statement_ids() {
  std::vector<std::string> ids;
  for (std::size_t part = 0; part < kStatements.size(); ++part) {
    for (unsigned i = 1; i <= kStatements.at(part); ++i) {
      ids.push_back(fmt::format("RQ-{}.{}", part, i));
    }
  }
  return ids;
}

TEST(Requirements, HaveARowForEveryStatementWithWhatExists) {
  EXPECT_THAT(statement_ids(), SizeIs(225));
  EXPECT_THAT(check_plan(shipped_requirements(), statement_ids(), repository_evidence()),
              IsEmpty());
}

TEST(VerificationPlanCheck, NoticesAFileAndACommandThatDoNotExist) {
  KnownEvidence known;
  known.files = {"rtl/topo.sv"};
  known.commands = {{"topology route", {"--from", "--to"}}};
  const auto row = [&](const std::string& evidence) {
    return check_plan("| RQ-1.1 | a statement | `" + evidence + "` | |", {"RQ-1.1"}, known);
  };
  EXPECT_THAT(row("file:rtl/topo.sv"), IsEmpty());
  EXPECT_THAT(row("file:rtl/tpoo.sv"), ElementsAre("RQ-1.1: there is no file:rtl/tpoo.sv"));
  EXPECT_THAT(row("command:topology route --from --to"), IsEmpty());
  EXPECT_THAT(row("command:topology route --form"),
              ElementsAre("RQ-1.1: there is no command:topology route --form"));
  EXPECT_THAT(row("command:topology rout"),
              ElementsAre("RQ-1.1: there is no command:topology rout"));
}

TEST(VerificationPlanCheck, NoticesAMissingRow) {
  EXPECT_THAT(problems(broken("| VR-3.4 |", "| dropped |")), Contains("VR-3.4: no row"));
}

TEST(VerificationPlanCheck, NoticesASecondRowAndOneThatNothingRequires) {
  EXPECT_THAT(problems(broken("| VR-3.4 |", "| VR-3.3 |")),
              IsSupersetOf({"VR-3.3: more than one row", "VR-3.4: no row"}));
  EXPECT_THAT(
      problems(shipped_plan() + "| VR-9.1 | more | `n/a` | " + std::string(60, 'x') + " |\n"),
      Contains("VR-9.1: nothing requires it"));
}

TEST(VerificationPlanCheck, NoticesEvidenceThatDoesNotExist) {
  EXPECT_THAT(problems(broken("`suite:default/connectivity`", "`suite:default/conectivity`")),
              Contains("FR-1.1: there is no suite:default/conectivity"));
  EXPECT_THAT(problems(broken("`proof:connection`", "`proof:conection`")),
              Contains("FR-1.2: there is no proof:conection"));
  EXPECT_THAT(problems(broken("`suite:default/connectivity`", "`suite:nightly/connectivity`")),
              Contains("FR-1.1: there is no suite:nightly/connectivity"));
  EXPECT_THAT(problems(broken("`suite:default/connectivity`", "`cover:conected`")),
              Contains("FR-1.1: there is no cover:conected"));
  EXPECT_THAT(problems(broken("`suite:default/connectivity`", "`test:Connectivity.Works`")),
              Contains("FR-1.1: there is no test:Connectivity.Works"));
  EXPECT_THAT(problems(broken("`suite:default/connectivity`", "`check:make connected`")),
              Contains("FR-1.1: there is no check:make connected"));
  EXPECT_THAT(problems(broken("`suite:default/connectivity`", "`bench:light/speed`")),
              Contains("FR-1.1: there is no bench:light/speed"));
}

TEST(VerificationPlanCheck, NoticesAKindOfEvidenceThatDoesNotExist) {
  EXPECT_THAT(problems(broken("`suite:default/connectivity`", "`review:me`")),
              Contains("FR-1.1: 'review:me' is not a kind of evidence"));
}

TEST(VerificationPlanCheck, NoticesARowWithoutEvidence) {
  EXPECT_THAT(check_plan("| VR-1.1 | all links | by inspection | trust us |", {"VR-1.1"}, {}),
              ElementsAre("VR-1.1: no evidence"));
  EXPECT_THAT(check_plan("| VR-1.1 |", {"VR-1.1"}, {}),
              ElementsAre("VR-1.1: no requirement", "VR-1.1: no evidence"));
}

TEST(VerificationPlanCheck, NoticesNotApplicableWithoutAReason) {
  EXPECT_THAT(check_plan("| VR-1.1 | all links | `n/a` | out of scope |", {"VR-1.1"}, {}),
              ElementsAre("VR-1.1: n/a without a reason"));
}

}  // namespace
}  // namespace kernbench::docs
