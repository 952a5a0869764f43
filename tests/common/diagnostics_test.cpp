// SPDX-License-Identifier: Apache-2.0
#include "common/diagnostics.hpp"

#include <gtest/gtest.h>

#include "tests/common/expect_bad_input.hpp"

namespace kernbench::common {
namespace {

TEST(Diagnostics, ShowsPlaceMessageSourceLineCaretAndHint) {
  Diagnostics diagnostics;
  diagnostics.add_source("a.yaml", "x: 1\nsede: 3\n");
  diagnostics.error({"a.yaml", 2, 1}, "unknown key 'sede'", "did you mean 'seed'?");
  EXPECT_EQ(diagnostics.render(),
            "a.yaml:2:1: error: unknown key 'sede'\n"
            "    2 | sede: 3\n"
            "      | ^\n"
            "  hint: did you mean 'seed'?");
}

TEST(Diagnostics, AlignsTheCaretAfterTabsAndMultiByteCharacters) {
  Diagnostics diagnostics;
  diagnostics.add_source("a.csv", "\t\xc3\xa4 x\r\n");
  diagnostics.error({"a.csv", 1, 5}, "bad");
  EXPECT_EQ(diagnostics.render(),
            "a.csv:1:5: error: bad\n"
            "    1 | \t\xc3\xa4 x\n"
            "      | \t  ^");
}

TEST(Diagnostics, PointsPastTheEndOfALine) {
  Diagnostics diagnostics;
  diagnostics.add_source("a.csv", "ab");
  diagnostics.error({"a.csv", 1, 5}, "something is missing");
  diagnostics.error({"a.csv", 2, 1}, "nor is there another line");
  EXPECT_EQ(diagnostics.render(),
            "a.csv:1:5: error: something is missing\n"
            "    1 | ab\n"
            "      |     ^\n"
            "a.csv:2:1: error: nor is there another line");
}

TEST(Diagnostics, ShowsThePartOfALongLineAroundTheCaret) {
  Diagnostics diagnostics;
  diagnostics.add_source(
      "a", std::string(100, 'a') + "\xc3\xa4" + std::string(79, 'b') + "X" + std::string(200, 'c'));
  diagnostics.error({"a", 1, 182}, "bad");
  EXPECT_EQ(diagnostics.render(), "a:1:182: error: bad\n    1 | ...\xc3\xa4" +
                                      std::string(79, 'b') + "X" + std::string(79, 'c') +
                                      "...\n      | " + std::string(83, ' ') + "^");
}

TEST(Diagnostics, ShowsTheEndsOfALongLineWithoutDotsThere) {
  Diagnostics diagnostics;
  diagnostics.add_source("a", std::string(201, 'a'));
  diagnostics.error({"a", 1, 1}, "first");
  diagnostics.error({"a", 1, 203}, "behind");
  EXPECT_EQ(diagnostics.render(), "a:1:1: error: first\n    1 | " + std::string(80, 'a') +
                                      "...\n      | ^\na:1:203: error: behind\n    1 | ..." +
                                      std::string(80, 'a') + "\n      | " + std::string(84, ' ') +
                                      "^");
}

TEST(Diagnostics, ShowsNothingThatATerminalWouldActOn) {
  Diagnostics diagnostics;
  diagnostics.add_source("a", "x\x1b[31m\xff\x80y\tz\xc2\x9b");
  diagnostics.error({"a", 1, 9}, "bad");
  EXPECT_EQ(diagnostics.render(), "a:1:9: error: bad\n    1 | x?[31m??y\tz??\n      |         ^");
}

TEST(Diagnostics, CountsWhatIsTooMuchToShow) {
  Diagnostics diagnostics;
  for (unsigned i = 0; i < 101; ++i) diagnostics.error({"a", 101 - i, 1}, "bad");
  EXPECT_EQ(diagnostics.size(), 101U);
  const std::string one_more = diagnostics.render();
  EXPECT_TRUE(one_more.starts_with("a:1:1: error: bad\na:2:1:"));
  EXPECT_TRUE(one_more.ends_with("a:100:1: error: bad\nerror: and 1 more error")) << one_more;
}

TEST(Diagnostics, OrdersErrorsByPlaceWithinEachFile) {
  Diagnostics diagnostics;
  diagnostics.error({"b", 9, 1}, "second");
  diagnostics.error({"a", 1, 1}, "third");
  diagnostics.error({"b", 2, 7}, "first");
  EXPECT_EQ(diagnostics.render(), "b:2:7: error: first\nb:9:1: error: second\na:1:1: error: third");
  EXPECT_EQ(diagnostics.errors().front().message, "second");
}

TEST(Diagnostics, NamesAFileWithoutALineAndAMessageWithoutAFile) {
  Diagnostics diagnostics;
  diagnostics.error({"a.yaml"}, "the document is empty");
  diagnostics.error({}, "no suites");
  EXPECT_EQ(diagnostics.render(), "a.yaml: error: the document is empty\nerror: no suites");
}

TEST(Diagnostics, ThrowsEverythingAtOnceOrNothing) {
  Diagnostics diagnostics;
  EXPECT_NO_THROW(diagnostics.throw_if_any());
  diagnostics.error({}, "one");
  diagnostics.error({}, "two");
  try {
    diagnostics.throw_if_any();
    FAIL();
  } catch (const BadInput& e) {
    EXPECT_STREQ(e.what(), "error: one\nerror: two");
    EXPECT_EQ(e.diagnostics().size(), 2U);
  }
}

TEST(BadInput, TakesASingleMessage) {
  EXPECT_EQ(bad_input_of([] { throw BadInput("cannot write 'x'"); }), "error: cannot write 'x'");
}

}  // namespace
}  // namespace kernbench::common
