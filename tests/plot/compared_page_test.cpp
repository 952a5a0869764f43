// SPDX-License-Identifier: Apache-2.0
#include "plot/compared_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "common/description.hpp"
#include "common/diagnostics.hpp"

namespace kernbench::plot {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct Try {
  std::uint64_t bytes = 0;
  common::SimTime took;
};
struct Case {
  std::string name;
  std::uint64_t size = 0;
  common::SimTime latency;
  std::string limit;
  std::vector<Try> tries;
};
struct Sweep {
  std::string pattern;
  double load = 0;
  std::vector<Case> cases;
  std::vector<std::string> missed;
};

}  // namespace
}  // namespace kernbench::plot

namespace kernbench::common {

using plot::Case;
using plot::Sweep;
using plot::Try;

template <>
const Description<Try>& description_of() {
  static const auto kAll = Description<Try>().add("bytes", &Try::bytes).add("took_ps", &Try::took);
  return kAll;
}
template <>
const Description<Case>& description_of() {
  static const auto kAll = Description<Case>()
                               .add("name", &Case::name)
                               .add("size", &Case::size)
                               .add("latency_ps", &Case::latency)
                               .add("limit", &Case::limit)
                               .add("tries", &Case::tries);
  return kAll;
}
template <>
const Description<Sweep>& description_of() {
  static const auto kAll = Description<Sweep>()
                               .add("pattern", &Sweep::pattern)
                               .add("load", &Sweep::load)
                               .add("cases", &Sweep::cases)
                               .add("missed", &Sweep::missed);
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::plot {
namespace {

using common::SimTime;

const ReportKind kSweep = {.name = "sweep",
                           .command = "sweep",
                           .about = "Sweeps",
                           .envelope = {.grade = false},
                           .form = common::form_of<Sweep>};

Case row(const std::string& name, std::uint64_t size, std::int64_t us, std::string limit = "wire") {
  return {name, size, SimTime::from_ps(us * 1'000'000), std::move(limit), {}};
}
Sweep three_rows() {
  return {"uniform", 0.5, {row("a", 1, 2), row("a", 2, 3), row("b", 1, 4)}, {"x"}};
}

std::string differences(const Sweep& a, const Sweep& b, std::size_t most = kMostRows) {
  return html_of_differences(common::form_of<Sweep>(), common::to_json(a), common::to_json(b),
                             most);
}
/// Returns the texts of all cells, those of a row between bars.
std::vector<std::string> rows_of(const std::string& html) {
  std::vector<std::string> rows;
  const std::regex row_pattern("<tr>(.*?)</tr>");
  const std::regex tag("<[^>]*>");
  for (std::sregex_iterator at(html.begin(), html.end(), row_pattern), end; at != end; ++at) {
    std::string cells = (*at)[1].str();
    cells = std::regex_replace(cells, std::regex("</t[dh]>"), "|");
    rows.push_back(std::regex_replace(cells, tag, ""));
  }
  return rows;
}

TEST(ComparedPage, OfEqualDataIsEmpty) {
  EXPECT_THAT(differences(three_rows(), three_rows()), IsEmpty());
}

TEST(ComparedPage, HasTheSingleValuesThatDiffer) {
  Sweep other = three_rows();
  other.pattern = "transpose";
  other.load = 0.25;
  EXPECT_THAT(rows_of(differences(three_rows(), other)),
              ElementsAre("value|A|B|B - A|", "pattern|uniform|transpose||",
                          "load|0.500|0.250|-0.250 (-50 %)|"));
}

TEST(ComparedPage, PairsRowsByTheColumnsThatTellThemApart) {
  Sweep other = three_rows();
  other.cases = {row("b", 1, 4), row("a", 2, 6), row("a", 1, 2, "memory")};
  const std::string html = differences(three_rows(), other);
  EXPECT_THAT(
      rows_of(html),
      ElementsAre("name|size|latency us A|latency us B|B - A|limit A|limit B|",
                  "a|1|2.000|2.000|=|wire|memory|", "a|2|3.000|6.000|+3.000 (+100 %)|wire|wire|"));
  EXPECT_THAT(html, HasSubstr("1 row is equal."));
}

TEST(ComparedPage, ShowsRowsThatOneReportLacks) {
  Sweep other = three_rows();
  other.cases = {row("a", 1, 2), row("a", 2, 3), row("c", 1, 5)};
  EXPECT_THAT(rows_of(differences(three_rows(), other)),
              ElementsAre("name|size|latency us A|latency us B|B - A|limit A|limit B|",
                          "b|1|4.000|||wire||", "c|1||5.000|||wire|"));
}

TEST(ComparedPage, DoesNotPairSingleRowsOfDifferentThings) {
  Sweep a = three_rows();
  Sweep b = three_rows();
  a.cases = {row("a", 1, 2)};
  b.cases = {row("b", 1, 3)};
  EXPECT_THAT(
      rows_of(differences(a, b)),
      ElementsAre("name|size A|size B|B - A|latency us A|latency us B|B - A|limit A|limit B|",
                  "a|1|||2.000|||wire||", "b||1|||3.000|||wire|"));
}

TEST(ComparedPage, NeverTakesATimeForWhatTellsRowsApart) {
  Sweep a = three_rows();
  Sweep b = three_rows();
  a.cases = {row("a", 1, 2), row("a", 1, 3)};
  b.cases = {row("a", 1, 2), row("a", 1, 5)};
  EXPECT_THAT(rows_of(differences(a, b)), ElementsAre("name|size|latency us A|latency us B|B - A|",
                                                      "a|1|3.000|5.000|+2.000 (+66.7 %)|"));
}

TEST(ComparedPage, ComparesListsInsideRows) {
  Sweep a = three_rows();
  Sweep b = three_rows();
  a.cases[1].tries = {{8, SimTime::from_ps(1'000'000)}, {16, SimTime::from_ps(2'000'000)}};
  b.cases[1].tries = {{8, SimTime::from_ps(1'000'000)}, {16, SimTime::from_ps(4'000'000)}};
  EXPECT_THAT(rows_of(differences(a, b)), ElementsAre("name|size|bytes|took us A|took us B|B - A|",
                                                      "a|2|16|2.000|4.000|+2.000 (+100 %)|"));
}

TEST(ComparedPage, NamesTextsThatOneListLacksAndRowsBeyondTheLimit) {
  Sweep other = three_rows();
  other.missed = {"y"};
  EXPECT_THAT(differences(three_rows(), other),
              HasSubstr("<p>Only in A:</p>\n<ul>\n<li>x</li>\n</ul>\n<p>Only in B:</p>\n<ul>\n"
                        "<li>y</li>\n</ul>\n"));
  other.cases = {};
  const std::string html = differences(three_rows(), other, 2);
  EXPECT_THAT(html, HasSubstr("<p class=\"dim\">and 1 more that differ</p>"));
  EXPECT_EQ(rows_of(html).size(), 3U);
}

NamedReport named(const std::string& name, const Sweep& sweep) {
  NamedReport one{name, {}};
  one.report.kind = "sweep";
  one.report.revision = "r";
  one.report.data = common::to_json(sweep);
  return one;
}

TEST(ComparedPage, HasBothCommandsDifferencesAndTheParts) {
  ReportKind kind = kSweep;
  kind.parts = [](const json& data) -> std::vector<ReportSection> {
    return {{"Chart", "<p>" + data["pattern"].get<std::string>() + "</p>"}};
  };
  NamedReport other = named("b<.json", three_rows());
  other.report.outcome = common::Outcome::Mismatch;
  other.report.data["pattern"] = "shuffle";
  const std::string page = compared_page(kind, named("a.json", three_rows()), other);
  EXPECT_THAT(page, HasSubstr("b&lt;.json"));
  EXPECT_THAT(page, HasSubstr("<h2>A: Chart</h2>\n<p>uniform</p>"));
  EXPECT_THAT(page, HasSubstr("<h2>B: Chart</h2>\n<p>shuffle</p>"));
  EXPECT_THAT(page, HasSubstr("<header class=\"card failed\">"));
  EXPECT_THAT(page, Not(HasSubstr("The results are equal.")));
  EXPECT_THAT(compared_page(kind, named("a", three_rows()), named("b", three_rows())),
              HasSubstr("<p>The results are equal.</p>"));
}

TEST(ComparedPage, RefusesWhatIsNoReportOfTheKind) {
  const auto refusal = [](const auto& call) -> std::string {
    try {
      (void)call();
    } catch (const common::BadInput& error) {
      return error.diagnostics().errors().front().message;
    }
    return "accepted";
  };
  NamedReport damaged = named("b.json", three_rows());
  damaged.report.data["load"] = "high";
  EXPECT_EQ(refusal([&] { return compared_page(kSweep, named("a.json", three_rows()), damaged); }),
            "'data.load' must be a number, not 'high'");
  ReportKind other = kSweep;
  other.name = "other";
  const std::string text = common::render_report(named("a", three_rows()).report);
  NamedReport of_other = named("b", three_rows());
  of_other.report.kind = "other";
  EXPECT_EQ(refusal([&] {
              return compared_page_of_texts({&kSweep, &other}, text, "a.json",
                                            common::render_report(of_other.report), "b.json");
            }),
            "b.json is a report of another kind");
}

}  // namespace
}  // namespace kernbench::plot
