// SPDX-License-Identifier: Apache-2.0
// The lines that may be at fault, on the page of a failure.
#include "sim/debug/failure_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/described.hpp"
#include "sim/debug/failure_data.hpp"

namespace kernbench::sim {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

LineRow row(const std::string& file, unsigned line, unsigned from) {
  LineRow row;
  row.suspect.file = file;
  row.suspect.line = line;
  row.suspect.signal = "read_q";
  row.suspect.missing = 0;
  row.place = file + ":" + std::to_string(line);
  row.from = from;
  for (unsigned i = 0; i < 5; ++i) row.source.push_back("text " + std::to_string(from + i));
  return row;
}

std::string page_with(const std::vector<LineRow>& lines) {
  FailureData data;
  data.lines = lines;
  common::ReportEnvelope envelope;
  envelope.kind = kFailureReport.name;
  envelope.data = common::to_json(data);
  return failure_page(envelope, "failure.json");
}

TEST(FailurePage, ShowsTheSourceOfNeighbouringLinesOnce) {
  const std::string page = page_with({row("a.sv", 10, 8), row("a.sv", 12, 10), row("b.sv", 12, 10),
                                      row("a.sv", 13, 11), row("a.sv", 14, 12)});
  EXPECT_THAT(page, HasSubstr("<h3>2. a.sv:12</h3>\n<p class=\"dim\">drives read_q; marked in the "
                              "lines of 1</p>\n<h3>3. b.sv:12</h3>"));
  EXPECT_THAT(page, HasSubstr("<span class=\"hit\">   10  text 10</span>\n"
                              "<span>   11  text 11</span>\n"
                              "<span class=\"hit\">   12  text 12</span>\n</pre>"));
  // The lines of 4 end behind those of 1, and contain 5.
  EXPECT_THAT(page, HasSubstr("<h3>4. a.sv:13</h3>\n<p class=\"dim\">drives read_q</p>\n<pre"));
  EXPECT_THAT(page, HasSubstr("<h3>5. a.sv:14</h3>\n<p class=\"dim\">drives read_q; marked in the "
                              "lines of 4</p>\n"));
}

TEST(FailurePage, NamesTheSignalThatALineWouldHaveToRead) {
  LineRow one = row("a.sv", 10, 8);
  one.suspect.missing = 1;
  one.suspect.could_read = {"done_q", "or_x"};
  EXPECT_THAT(page_with({one}),
              HasSubstr("drives read_q; a right line would also read done_q or or_x</p>"));
  one.suspect.could_read = {"a", "b", "c", "d", "e"};
  EXPECT_THAT(page_with({one}), HasSubstr("; a right line would read one more signal</p>"));
  one.suspect.missing = 2;
  EXPECT_THAT(page_with({one}), HasSubstr("; a right line would read two more signals</p>"));
  one.suspect.finding = "has fewer bits";
  EXPECT_THAT(page_with({one}), HasSubstr("<p class=\"dim\">has fewer bits</p>"));
}

// Names are not cut: the picture is as wide as they need.
TEST(FailurePage, ShowsTheWholeNameOfASignal) {
  WaveView view{.unit = "node 1"};
  view.first = 4;
  view.cycles = 2;
  view.rows.push_back({"node 1 A vc 0 slots_q[3], a long one", false, true, {}, {{4, "1", "1"}}});
  const std::string svg = wave_svg(view);
  EXPECT_THAT(svg, HasSubstr(">node 1 A vc 0 slots_q[3], a long one<title>"));
  EXPECT_THAT(svg, HasSubstr("width=\"344\""));
  EXPECT_THAT(svg, HasSubstr("data-labels=\"268\" data-pitch=\"34\""));
  view.rows.front().name = std::string(70, 'x') + "end";
  EXPECT_THAT(wave_svg(view), HasSubstr(">.." + std::string(55, 'x') + "end<title>"));
  EXPECT_THAT(wave_svg(view), Not(HasSubstr("width=\"344\"")));
}

}  // namespace
}  // namespace kernbench::sim
