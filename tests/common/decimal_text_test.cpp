// SPDX-License-Identifier: Apache-2.0
#include "common/decimal_text.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace kernbench::common {
namespace {

TEST(DecimalText, IsExactAndWithoutTrailingZeros) {
  EXPECT_EQ(decimal_text(0, 3), "0");
  EXPECT_EQ(decimal_text(1500, 3), "1.5");
  EXPECT_EQ(decimal_text(1000, 3), "1");
  EXPECT_EQ(decimal_text(1, 6), "0.000001");
  EXPECT_EQ(decimal_text(2666667, 6), "2.666667");
  EXPECT_EQ(decimal_text(7, 0), "7");
}

TEST(DecimalText, KnowsTheSignAndTheEnds) {
  EXPECT_EQ(decimal_text(-1050, 3), "-1.05");
  EXPECT_EQ(decimal_text(-50, 3), "-0.05");
  EXPECT_EQ(decimal_text(std::numeric_limits<std::int64_t>::max(), 3), "9223372036854775.807");
  EXPECT_EQ(decimal_text(std::numeric_limits<std::int64_t>::min(), 3), "-9223372036854775.808");
}

}  // namespace
}  // namespace kernbench::common
