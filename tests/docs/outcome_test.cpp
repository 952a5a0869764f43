// SPDX-License-Identifier: Apache-2.0
// docs/developer/verification-plan.md lists every place that decides an outcome or an exit code,
// with what nothing to check gives there and the test that shows it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/text_file.hpp"
#include "known_tests.hpp"
#include "outcome_check.hpp"
#include "tests/places.hpp"

namespace kernbench::docs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<SourceFile> judging_sources() {
  std::vector<SourceFile> all = repository_files(
      {"cli", "common", "cosim", "farm", "model", "plot", "sim", "topology"}, {".cpp", ".hpp"});
  for (const SourceFile& file : repository_files({"python"}, {".cpp", ".hpp", ".py"})) {
    all.push_back(file);
  }
  for (const SourceFile& file : repository_files({"scripts", "formal"}, {".py", ".sh"})) {
    all.push_back(file);
  }
  for (const char* runners : {"tests/fuzz", "tests/mutants", "tests/network_mutants",
                              "tests/sabotage", "tests/sanitize"}) {
    for (const SourceFile& file : repository_files({runners}, {".cpp", ".py", ".sh"})) {
      if (!file.path.ends_with("_test.py") && !file.path.ends_with("_fuzz.cpp")) {
        all.push_back(file);
      }
    }
  }
  return all;
}

TEST(OutcomePlaces, EachHasARowAndATestOfNothing) {
  const std::vector<SourceFile> sources = judging_sources();
  EXPECT_GT(sources.size(), 500U);
  EXPECT_THAT(
      check_outcomes(common::read_text_file(places::source("/docs/developer/verification-plan.md")),
                     sources, test_names()),
      IsEmpty());
}

constexpr const char* kHead = "| place | what decides | with nothing | test |\n|---|---|---|---|\n";
const SourceFile kSource{"cli/a.cpp", "return Outcome::Pass;"};

std::vector<std::string> problems_of(const std::string& rows,
                                     const std::vector<SourceFile>& sources = {kSource}) {
  return check_outcomes(kHead + rows, sources, {"Suite.Name", "tests/a_test.py test_nothing"});
}

TEST(OutcomePlacesCheck, AcceptsARowWithATestAndOneWithAReason) {
  EXPECT_THAT(problems_of("| `cli/a.cpp` | all hold | vacuous | `test:Suite.Name` |\n"), IsEmpty());
  EXPECT_THAT(problems_of("| `cli/a.cpp` | all | fails | `test:tests/a_test.py test_nothing` |\n"),
              IsEmpty());
  EXPECT_THAT(
      problems_of(
          "| `cli/a.cpp` | prints | no verdict: it prints what another place decided | |\n"),
      IsEmpty());
}

TEST(OutcomePlacesCheck, NoticesAPlaceWithoutARow) {
  EXPECT_THAT(problems_of(""), ElementsAre("cli/a.cpp: decides an outcome and has no row"));
  EXPECT_THAT(check_outcomes("", {kSource}, {}), SizeIs(1));
}

TEST(OutcomePlacesCheck, NoticesRowsWithoutTestTextOrReason) {
  EXPECT_THAT(problems_of("| `cli/a.cpp` | all hold | vacuous | |\n"),
              ElementsAre("cli/a.cpp: no test"));
  EXPECT_THAT(problems_of("| `cli/a.cpp` | all hold | vacuous | `test:Suite.Other` |\n"),
              ElementsAre("cli/a.cpp: there is no test Suite.Other"));
  EXPECT_THAT(problems_of("| `cli/a.cpp` | | vacuous | `test:Suite.Name` |\n"),
              ElementsAre("cli/a.cpp: no text"));
  EXPECT_THAT(problems_of("| `cli/a.cpp` | prints | no verdict: yes | |\n"),
              ElementsAre("cli/a.cpp: no verdict, without a reason"));
}

TEST(OutcomePlacesCheck, NoticesRowsOfNoPlaceAndSecondRows) {
  const std::string row = "| `cli/a.cpp` | all hold | vacuous | `test:Suite.Name` |\n";
  EXPECT_THAT(problems_of(row + row), ElementsAre("cli/a.cpp: a second row"));
  EXPECT_THAT(problems_of(row + "| `cli/b.cpp` | all | vacuous | `test:Suite.Name` |\n"),
              ElementsAre("cli/b.cpp: no source of this name decides an outcome"));
}

TEST(OutcomePlacesCheck, FindsDecisionsAndNoComparisons) {
  const auto decided = [](const char* path, const char* text) {
    return decides(SourceFile{path, text});
  };
  EXPECT_TRUE(decided("a.cpp", "Outcome outcome = common::Outcome::Pass;"));
  EXPECT_TRUE(decided("a.hpp", "return right ? Outcome::Pass : Outcome::Mismatch;"));
  EXPECT_TRUE(decided("a.cpp", "print(\"PASS  {} points\");"));
  EXPECT_FALSE(decided("a.cpp", "if (outcome == Outcome::Pass || other != common::Outcome::Pass)"));
  EXPECT_TRUE(decided("a.py", "sys.exit(main())"));
  EXPECT_TRUE(decided("a.sh", "[ $# -eq 2 ] || exit 1"));
  EXPECT_TRUE(decided("a.sh", "exit $status"));
  EXPECT_FALSE(decided("a.py", "import sys"));
}

}  // namespace
}  // namespace kernbench::docs
