// SPDX-License-Identifier: Apache-2.0
#include "common/utf8.hpp"

#include <gtest/gtest.h>

namespace kernbench::common {
namespace {

TEST(Utf8, MeasuresTheCharacterAtTheFront) {
  EXPECT_EQ(utf8_length("a"), 1U);
  EXPECT_EQ(utf8_length("\xc3\xa4x"), 2U);
  EXPECT_EQ(utf8_length("\xe2\x82\xac"), 3U);
  EXPECT_EQ(utf8_length("\xf0\x9f\x98\x80"), 4U);
  EXPECT_EQ(utf8_length("\xf4\x8f\xbf\xbf"), 4U) << "U+10FFFF, the last one";
}

TEST(Utf8, FindsNoneInWhatIsNotWellFormed) {
  for (const char* text : {"", "\x80", "\xff", "\xc3", "\xc3(", "\xe2\x82", "\xe2\x82(",
                           "\xc0\xaf",          // overlong '/'
                           "\xe0\x80\xaf",      // overlong '/'
                           "\xf0\x80\x80\xaf",  // overlong '/'
                           "\xed\xa0\x80",      // a surrogate
                           "\xf4\x90\x80\x80",  // U+110000
                           "\xf5\x80\x80\x80"}) {
    EXPECT_EQ(utf8_length(text), 0U) << printable(text, 20);
  }
}

TEST(Utf8, KnowsControlCharacters) {
  EXPECT_TRUE(is_control("\x1b"));
  EXPECT_TRUE(is_control("\n"));
  EXPECT_TRUE(is_control("\x7f"));
  EXPECT_TRUE(is_control("\xc2\x9b"));
  EXPECT_FALSE(is_control(" "));
  EXPECT_FALSE(is_control("\xc2\xa0"));
  EXPECT_FALSE(is_control("\xc3\x9b"));
}

TEST(Utf8, MakesAnyTextPrintable) {
  EXPECT_EQ(printable("gr\xc3\xbc\xc3\x9f", 40), "gr\xc3\xbc\xc3\x9f");
  EXPECT_EQ(printable("a\n\r\t\x1b\xff\xc2\x9b", 40), "a\\n\\r\\t\\x1b\\xff\\xc2\\x9b");
  EXPECT_EQ(printable("abcd", 4), "abcd");
  EXPECT_EQ(printable("abcde", 4), "abcd...");
  EXPECT_EQ(printable("abc\xc3\xa4"
                      "e",
                      4),
            "abc\xc3\xa4...")
      << "never half a character";
}

TEST(Utf8, FindsControlCharactersAnywhere) {
  EXPECT_FALSE(has_control(""));
  EXPECT_FALSE(has_control("gr\xc3\xbc\xc3\x9f \xff"));
  EXPECT_TRUE(has_control("a\x1b[0m"));
  EXPECT_TRUE(has_control("gr\xc3\xbc\xc2\x9b"));
}

TEST(Utf8, EscapesControlCharactersOfSeveralLines) {
  EXPECT_EQ(without_controls("a\x1b[31m\nb\t\r\xff\n"), "a\\x1b[31m\nb\t\\r\\xff\n");
}

TEST(Utf8, QuotesAndCutsOffWhatAUserWrote) {
  EXPECT_EQ(in_quotes("a\nb"), "'a\\nb'");
  EXPECT_EQ(in_quotes(std::string(41, 'x')), "'" + std::string(40, 'x') + "...'");
}

}  // namespace
}  // namespace kernbench::common
