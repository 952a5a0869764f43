// SPDX-License-Identifier: Apache-2.0
#include "plot/report_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plot/report_assets.hpp"

namespace kernbench::plot {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Href, MakesAPathALinkThatIsNothingElse) {
  EXPECT_EQ(path_to_href("waves/a b#1?.fst"), "waves/a%20b%231%3F.fst");
  EXPECT_EQ(path_to_href("javascript:x"), "javascript%3Ax");
}

TEST(ReportPage, ListsItsSectionsAndLeavesOutEmptyOnes) {
  ReportPage page("pass: a & b");
  page.header("<h1>a</h1>\n", true);
  page.add({"Links <1>", "<p>one</p>\n"});
  page.add({"Nothing", ""});
  page.add_columns({{"Links (1)", "<p>two</p>\n", true}}, {{"\u00fc", "<p>three</p>\n"}});
  page.footer("<p>end</p>");
  const std::string html = std::move(page).finish();
  EXPECT_THAT(html, HasSubstr("<title>pass: a &amp; b</title>"));
  EXPECT_THAT(html, HasSubstr("<nav class=\"contents\" aria-label=\"Contents\">\n<ul>\n"
                              "<li><a href=\"#links-1-\">Links &lt;1&gt;</a></li>\n"
                              "<li><a href=\"#links-1--2\">Links (1)</a></li>\n"
                              "<li><a href=\"#section\">\u00fc</a></li>\n</ul>\n</nav>\n<main>\n"));
  EXPECT_THAT(html,
              HasSubstr("<section class=\"card\" id=\"links-1-\" aria-label=\"Links &lt;1&gt;\">"
                        "\n<h2>Links &lt;1&gt;</h2>\n<p>one</p>\n</section>\n"));
  EXPECT_THAT(html, HasSubstr("<section class=\"card big\" id=\"links-1--2\" "));
  EXPECT_THAT(html, Not(HasSubstr("Nothing")));
  EXPECT_THAT(html, HasSubstr("</main>\n<footer><p>end</p></footer>\n"));
}

TEST(ReportPage, MarksAFailure) {
  ReportPage page("mismatch");
  page.header("", false);
  EXPECT_THAT(std::move(page).finish(), HasSubstr("<header class=\"card failed\">"));
}

TEST(ReportPage, LeavesOutTheScript) {
  ReportPage page("rows");
  EXPECT_THAT(ReportPage(page).finish(), HasSubstr("<script>"));
  page.leave_out_script();
  EXPECT_THAT(std::move(page).finish(), Not(HasSubstr("<script")));
}

TEST(ReportPage, TheScriptLeavesAPageWellFormed) {
  for (const char* mark : {"<", "&"}) EXPECT_THAT(report_script(), Not(HasSubstr(mark)));
}

TEST(ScrollBox, IsANamedRegionThatTheKeyboardReaches) {
  EXPECT_EQ(scroll_box("a < b", "<table></table>\n"),
            "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"a &lt; b\">\n"
            "<table></table>\n</div>\n");
}

}  // namespace
}  // namespace kernbench::plot
