// SPDX-License-Identifier: Apache-2.0
#include "common/text_table.hpp"

#include <gtest/gtest.h>

#include <string>

namespace kernbench::common {
namespace {

TEST(TextTable, AlignsNumbersOnTheRightAndTextsOnTheLeft) {
  TextTable table({"name", "time (us)"});
  table.add({"a", "1,234.500"});
  table.add({"longer", "-"});
  table.add_line("  a line across");
  EXPECT_EQ(table.text(),
            "name    time (us)\n"
            "a       1,234.500\n"
            "longer          -\n"
            "  a line across\n");
  EXPECT_EQ(table.text(Colour::On).substr(0, 4), "\033[1m");
}

// A test has no terminal, so there are 100 columns.
TEST(TextTable, BreaksHeadingsAndCutsTextsThatDoNotFit) {
  TextTable table({"a rather long heading", "text"});
  table.add({"7", std::string(120, 'x')});
  EXPECT_EQ(table.text(),
            "      a\n"
            " rather\n"
            "   long\n"
            "heading text\n"
            "      7 " +
                std::string(91, 'x') + "\u2026\n");
}

}  // namespace
}  // namespace kernbench::common
