// SPDX-License-Identifier: Apache-2.0
// Adds a member to a struct and sees it wherever the report is shown.
#include "plot/report_kind.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "common/description.hpp"
#include "common/diagnostics.hpp"

namespace kernbench::plot {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Row {
  std::string name;
  common::SimTime waited;
};
struct Before {
  std::vector<Row> rows;
  bool whole = true;
};
struct After {
  Before before;
  common::SimTime longest;  ///< the added member
};

}  // namespace
}  // namespace kernbench::plot

namespace kernbench::common {

using plot::After;
using plot::Before;
using plot::Row;

template <>
const Description<Row>& description_of() {
  static const auto kAll =
      Description<Row>().add("name", &Row::name).add("waited_ps", &Row::waited, "for a link");
  return kAll;
}
template <>
const Description<Before>& description_of() {
  static const auto kAll =
      Description<Before>().add("rows", &Before::rows).add("whole", &Before::whole);
  return kAll;
}
template <>
const Description<After>& description_of() {
  static const auto kAll = Description<After>()
                               .add_members(&After::before)
                               .add("longest_wait_ps", &After::longest, "of a row");
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::plot {
namespace {

const ReportKind kBefore = {.name = "wait",
                            .command = "wait",
                            .about = "Waits",
                            .envelope = {.grade = false},
                            .form = common::form_of<Before>};
const ReportKind kAfter = {.name = "wait",
                           .command = "wait",
                           .about = "Waits",
                           .envelope = {.grade = false},
                           .form = common::form_of<After>};

After sample() {
  return {{{{"a", common::SimTime::from_ps(2'000'000)}}, true},
          common::SimTime::from_ps(2'000'000)};
}

common::ReportEnvelope report_of(const nlohmann::json& data) {
  common::ReportEnvelope report;
  report.kind = "wait";
  report.data = data;
  return report;
}

TEST(ReportKind, ShowsAMemberThatIsAddedToAStructEverywhere) {
  const After all = sample();
  const nlohmann::json data = common::to_json(all);
  EXPECT_EQ(data["longest_wait_ps"], 2'000'000);
  const nlohmann::json schema = nlohmann::json::parse(schema_of(kAfter))["properties"]["data"];
  EXPECT_EQ(schema["properties"]["longest_wait_ps"]["description"], "of a row");
  EXPECT_THAT(page_of(kAfter, report_of(data)),
              HasSubstr("<dt>longest wait us</dt><dd>2.000</dd>"));
  EXPECT_EQ(common::value_of<After>(data, "file").longest, all.longest);

  const nlohmann::json less = common::to_json(all.before);
  EXPECT_FALSE(less.contains("longest_wait_ps"));
  EXPECT_THAT(schema_of(kBefore), Not(HasSubstr("longest_wait_ps")));
  EXPECT_THAT(page_of(kBefore, report_of(less)), Not(HasSubstr("longest wait")));
}

TEST(ReportKind, HasItsOwnPartsFirstAndLeavesOutWhatTheyShow) {
  static constexpr std::array<std::string_view, 1> kRows = {"rows"};
  ReportKind kind = kAfter;
  kind.parts = [](const nlohmann::json& data) -> std::vector<ReportSection> {
    return {{"Waits", "<p>" + data["rows"][0]["name"].get<std::string>() + "</p>"}};
  };
  kind.drawn = kRows;
  const std::string page = page_of(kind, report_of(common::to_json(sample())));
  EXPECT_THAT(page, HasSubstr("<h2>Waits</h2>"));
  EXPECT_THAT(page, Not(HasSubstr("<h2>Rows</h2>")));
  EXPECT_THAT(page_of(kAfter, report_of(common::to_json(sample()))), HasSubstr("<h2>Rows</h2>"));
}

TEST(ReportKind, MakesNoPageOfDataWithoutItsForm) {
  nlohmann::json data = common::to_json(sample());
  data["rows"][0]["waited_ps"] = -1;
  data.erase("whole");
  try {
    (void)page_of(kAfter, report_of(data), "wait.json");
    FAIL() << "made a page";
  } catch (const common::BadInput& error) {
    EXPECT_STREQ(error.what(),
                 "wait.json: error: 'data.rows[0].waited_ps' must be an integer from 0 to "
                 "9223372036854775807, not '-1'\n"
                 "wait.json: error: missing key 'data.whole'\n"
                 "  hint: it must be true or false");
  }
}

TEST(ReportKind, MayMakeItsWholePage) {
  ReportKind own = kAfter;
  own.page = [](const common::ReportEnvelope& report, const std::string& file) {
    return report.kind + " of " + file;
  };
  EXPECT_EQ(page_of(own, report_of(common::to_json(sample())), "own.json"), "wait of own.json");
}

TEST(ReportKind, IsFoundByItsNameAlsoInAFile) {
  const ReportKinds kinds = {&kAfter};
  EXPECT_EQ(find_kind(kinds, "wait"), &kAfter);
  EXPECT_EQ(find_kind(kinds, "weight"), nullptr);
  const std::string text = common::render_report(report_of(common::to_json(sample())));
  EXPECT_THAT(page_of_text(kinds, text, "wait.json"), HasSubstr("<h1>wait</h1>"));
  EXPECT_THROW((void)page_of_text({}, text, "wait.json"), common::BadInput);
}

}  // namespace
}  // namespace kernbench::plot
