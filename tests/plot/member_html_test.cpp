// SPDX-License-Identifier: Apache-2.0
#include "plot/member_html.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace kernbench::plot {
namespace {

using common::ValueForm;
using Kind = ValueForm::Kind;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

ValueForm form(const std::string& name, Kind kind, std::vector<ValueForm> parts = {}) {
  ValueForm made;
  made.name = name;
  made.kind = kind;
  made.parts = std::move(parts);
  return made;
}

TEST(MemberHtml, ShowsListsOfAtMostOneObjectAsColumns) {
  const ValueForm rows =
      form("rows", Kind::List,
           {form("", Kind::Object,
                 {form("name", Kind::Text),
                  form("times", Kind::List,
                       {form("", Kind::Object, {form("took_ps", Kind::Integer)})})})});
  const nlohmann::json one = nlohmann::json::parse(
      R"([{"name": "a", "times": [{"took_ps": 2000000}]}, {"name": "b", "times": []}])");
  EXPECT_THAT(html_of_value(rows, one), HasSubstr(">took us</th>"));
  EXPECT_THAT(html_of_value(rows, one), HasSubstr("<td class=\"n\">2.000</td>"));
  const nlohmann::json two =
      nlohmann::json::parse(R"([{"name": "a", "times": [{"took_ps": 1}, {"took_ps": 2}]}])");
  EXPECT_THAT(html_of_value(rows, two), HasSubstr("<td class=\"n\">2</td>"));
}

TEST(MemberHtml, ShortensLongListsOfTexts) {
  const ValueForm rows =
      form("rows", Kind::List,
           {form("", Kind::Object, {form("path", Kind::List, {form("", Kind::Text)})})});
  EXPECT_THAT(html_of_value(rows, nlohmann::json::parse(R"([{"path": ["a", "b", "c", "<d>"]}])")),
              HasSubstr("<td>a, b, c, &lt;d&gt;</td>"));
  EXPECT_THAT(
      html_of_value(rows, nlohmann::json::parse(R"([{"path": ["a", "b", "c", "d", "<e>"]}])")),
      HasSubstr("<td title=\"a, b, c, d, &lt;e&gt;\">a ... &lt;e&gt; (5)</td>"));
}

TEST(MemberHtml, ShowsListsOfTextsByLine) {
  const ValueForm list = form("missed", Kind::List, {form("", Kind::Text)});
  EXPECT_EQ(html_of_value(list, nlohmann::json::parse(R"(["a", "<b>", "c"])"), 2),
            "<ul>\n<li>a</li>\n<li>&lt;b&gt;</li>\n</ul>\n"
            "<p class=\"dim\">and 1 more, which the JSON report has</p>\n");
  EXPECT_EQ(html_of_value(list, nlohmann::json::array()), "");
}

TEST(MemberHtml, ShowsListsOfNumbersAndPairsInOneParagraph) {
  const ValueForm numbers = form("counts", Kind::List, {form("", Kind::Integer)});
  EXPECT_EQ(html_of_value(numbers, {1, 2}), "<p>1, 2</p>\n");
  const ValueForm pairs = form("channels", Kind::List, {numbers});
  EXPECT_EQ(html_of_value(pairs, nlohmann::json::parse("[[0, 1], [1, 0]]")),
            "<p>[0,1], [1,0]</p>\n");
}

TEST(MemberHtml, CutsObjectsOfSeveralFormsInACell) {
  const ValueForm rows =
      form("rows", Kind::List,
           {form("", Kind::Object,
                 {form("params", Kind::Either, {form("", Kind::Text), form("", Kind::Object)})})});
  const nlohmann::json data = {{{"params", {{"a", std::string(200, 'x')}}}}};
  EXPECT_THAT(html_of_value(rows, data),
              ContainsRegex("<td>.&quot;a&quot;:&quot;x{100,120}\\.\\.\\.</td>"));
}

TEST(MemberHtml, MovesEqualColumnsOutOfAWideTableOnly) {
  std::vector<ValueForm> members;
  nlohmann::json row;
  for (int i = 0; i < 10; ++i) {
    const std::string name = "m" + std::to_string(i);
    members.push_back(form(name, Kind::Integer));
    row[name] = 7;
  }
  ValueForm rows = form("rows", Kind::List, {form("", Kind::Object, members)});
  nlohmann::json data = {row, row};
  EXPECT_THAT(html_of_value(rows, data), HasSubstr(">m9</th>"));
  rows.parts[0].parts.push_back(form("other", Kind::Integer));
  data[0]["other"] = 1;
  data[1]["other"] = 2;
  EXPECT_THAT(html_of_value(rows, data), HasSubstr("<dt>m9</dt><dd>7</dd>"));
  EXPECT_THAT(html_of_value(rows, data), Not(HasSubstr(">m9</th>")));
  EXPECT_THAT(html_of_value(rows, data), HasSubstr(">other</th>"));
}

TEST(MemberHtml, SaysHowManyRowsAreLeftOut) {
  const ValueForm rows =
      form("rows", Kind::List, {form("", Kind::Object, {form("n", Kind::Integer)})});
  const nlohmann::json data = nlohmann::json::parse(R"([{"n": 1}, {"n": 2}, {"n": 3}])");
  EXPECT_THAT(html_of_value(rows, data, 2), HasSubstr("and 1 more, which the JSON report has"));
  EXPECT_THAT(html_of_value(rows, data, 3), Not(HasSubstr(" more, ")));
}

TEST(MemberHtml, ShowsMapsAsFacts) {
  const ValueForm map = form("latency_ps", Kind::Map, {form("", Kind::Integer)});
  EXPECT_THAT(html_of_value(map, nlohmann::json::parse(R"({"cycle": 1500000, "rtl": null})")),
              HasSubstr("<dt>cycle</dt><dd>1.500</dd>"));
}

}  // namespace
}  // namespace kernbench::plot
