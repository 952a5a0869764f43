// SPDX-License-Identifier: Apache-2.0
#include "common/text_distance.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace kernbench::common {
namespace {

TEST(TextDistance, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(text_distance("", ""), 0U);
  EXPECT_EQ(text_distance("seed", "seed"), 0U);
  EXPECT_EQ(text_distance("", "seed"), 4U);
  EXPECT_EQ(text_distance("seed", "seeds"), 1U);
  EXPECT_EQ(text_distance("seed", "sed"), 1U);
  EXPECT_EQ(text_distance("seed", "send"), 1U);
  EXPECT_EQ(text_distance("sede", "seed"), 1U);
  EXPECT_EQ(text_distance("kitten", "sitting"), 3U);
}

TEST(NearestName, FindsWhatWasMeant) {
  constexpr std::array<std::string_view, 3> kNames = {"cycles", "seed", "bit_complement"};
  EXPECT_EQ(nearest_name("sede", kNames), "seed");
  EXPECT_EQ(nearest_name("SEED", kNames), "seed");
  EXPECT_EQ(nearest_name("cycels", kNames), "cycles");
  EXPECT_EQ(nearest_name("bit-complment", kNames), "bit_complement");
}

TEST(NearestName, FindsAWordOfALongerName) {
  constexpr std::array<std::string_view, 4> kNames = {"uniform_random", "booksim.tornado",
                                                      "garnet.tornado", "bit_reverse"};
  EXPECT_EQ(nearest_name("uniform", kNames), "uniform_random");
  EXPECT_EQ(nearest_name("Tornado", kNames), "booksim.tornado");
  EXPECT_EQ(nearest_name("bit", kNames), std::nullopt);
  EXPECT_EQ(nearest_name("form", kNames), std::nullopt);
}

TEST(NearestName, SuggestsNothingFarAway) {
  constexpr std::array<std::string_view, 3> kNames = {"cycles", "seed", "x"};
  EXPECT_EQ(nearest_name("payload", kNames), std::nullopt);
  EXPECT_EQ(nearest_name("y", kNames), std::nullopt);
  EXPECT_EQ(nearest_name("", kNames), std::nullopt);
  EXPECT_EQ(nearest_name("seed", {}), std::nullopt);
}

TEST(NearestName, IsSparedTheComparisonWithAHugeName) {
  constexpr std::array<std::string_view, 1> kNames = {"seed"};
  EXPECT_EQ(nearest_name(std::string(100'000'000, 's'), kNames), std::nullopt);
}

TEST(NearestName, PrefersTheFirstOfEquallyNearOnes) {
  constexpr std::array<std::string_view, 2> kNames = {"send", "sees"};
  EXPECT_EQ(nearest_name("seed", kNames), "send");
}

}  // namespace
}  // namespace kernbench::common
