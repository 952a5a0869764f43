// SPDX-License-Identifier: Apache-2.0
#include "common/numbers.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace kernbench::common {
namespace {

TEST(ParseU64, ReadsDecimalAndHexadecimal) {
  EXPECT_EQ(parse_u64("0"), 0U);
  EXPECT_EQ(parse_u64("12"), 12U);
  EXPECT_EQ(parse_u64("0x1F"), 31U);
  EXPECT_EQ(parse_u64("0Xff"), 255U);
  EXPECT_EQ(parse_u64("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(parse_u64("0xffffffffffffffff"), std::numeric_limits<std::uint64_t>::max());
}

TEST(ParseU64, RefusesEverythingElse) {
  for (const char* text : {"",
                           " ",
                           "12abc",
                           "12 ",
                           " 12",
                           "+12",
                           "-1",
                           "-0",
                           "0x",
                           "0x1g",
                           "x1",
                           "0x-1",
                           "1_000",
                           "1'000",
                           "1,000",
                           "1e3",
                           "1.0",
                           "012",
                           "00",
                           "0o17",
                           "0b1",
                           "18446744073709551616",
                           "0x10000000000000000",
                           "1\n",
                           "true",
                           "0x0x1"}) {
    EXPECT_FALSE(parse_u64(text)) << text;
  }
}

TEST(ParseI64, ReadsItsWholeRange) {
  EXPECT_EQ(parse_i64("-5"), -5);
  EXPECT_EQ(parse_i64("-0x10"), -16);
  EXPECT_EQ(parse_i64("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(parse_i64("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
}

TEST(ParseI64, RefusesWhatDoesNotFitOrIsNoNumber) {
  for (const char* text : {"9223372036854775808", "-9223372036854775809", "0xffffffffffffffff",
                           "--1", "-", "- 1", "+1", "-01", "1x", ""}) {
    EXPECT_FALSE(parse_i64(text)) << text;
  }
}

TEST(ParseDouble, ReadsDecimalsAndExponents) {
  EXPECT_EQ(parse_double("0"), 0.0);
  EXPECT_EQ(parse_double("0.5"), 0.5);
  EXPECT_EQ(parse_double("-1.5e3"), -1500.0);
  EXPECT_EQ(parse_double("1E-2"), 0.01);
}

TEST(ParseDouble, RefusesGarbageAndWhatIsNotFinite) {
  for (const char* text : {"", "1.5x", "1.5 ", " 1.5", "+1.5", "1,5", "1.5.2", "1e", "nan", "inf",
                           "-inf", ".inf", ".nan", "infinity", "1e999", "0x1p3", "01.5", "1_0"}) {
    EXPECT_FALSE(parse_double(text)) << text;
  }
}

}  // namespace
}  // namespace kernbench::common
