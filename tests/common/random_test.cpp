// SPDX-License-Identifier: Apache-2.0
#include "common/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <stdexcept>

namespace kernbench::common {
namespace {

TEST(Rng, KeepsItsValuesForEver) {
  Rng zero(0);
  EXPECT_EQ(zero.bits64(),
            0x99ec5f36cb75f2b4U);  // the published value for xoshiro256** and splitmix64
  EXPECT_EQ(zero.bits64(), 0xbf6e1f784956452aU);
  EXPECT_EQ(zero.bits64(), 0x1a5f849d4933e6e0U);
  Rng stream = Rng::stream(1, "traffic", 2, 3);
  EXPECT_EQ(stream.bits64(), 13701060186985221539U);
  EXPECT_EQ(stream.below(896), 329U);
  EXPECT_EQ(stream.bernoulli_word(probability_threshold(0.3)), 10346189342747402272U);
}

TEST(Rng, StreamsOfDifferentNamesSeedsAndIndicesDiffer) {
  const auto first = [](Rng rng) { return rng.bits64(); };
  const std::set<std::uint64_t> values = {
      first(Rng::stream(1, "a")),       first(Rng::stream(2, "a")),
      first(Rng::stream(1, "b")),       first(Rng::stream(1, "a", 0)),
      first(Rng::stream(1, "a", 1)),    first(Rng::stream(1, "a", 0, 1)),
      first(Rng::stream(1, "a", 1, 0)), first(Rng::stream(1, "a", 0, 0))};
  EXPECT_EQ(values.size(), 8U);
  EXPECT_EQ(first(Rng::stream(1, "a", 1)), first(Rng::stream(1, "a", 1)));
}

TEST(Rng, BelowStaysBelowAndIsEven) {
  Rng rng(7);
  std::array<unsigned, 6> counts{};
  for (int i = 0; i < 60000; ++i) ++counts.at(rng.below(6));
  for (const unsigned count : counts) EXPECT_NEAR(count, 10000, 450);  // 5 sigma
  EXPECT_EQ(rng.below(1), 0U);
}

TEST(Rng, BelowIsUnbiasedWhereMultiplyingAloneWouldNotBe) {
  // For n = 3 * 2^62 the product without rejection yields every third value twice as often.
  constexpr std::uint64_t kN = std::uint64_t{3} << 62;
  Rng rng(7);
  std::array<unsigned, 3> counts{};
  for (int i = 0; i < 30000; ++i) {
    const std::uint64_t value = rng.below(kN);
    ASSERT_LT(value, kN);
    ++counts.at(value % 3);
  }
  for (const unsigned count : counts) EXPECT_NEAR(count, 10000, 450);
}

TEST(ProbabilityThreshold, IsExactAtTheEndsAndRefusesTheRest) {
  EXPECT_EQ(probability_threshold(0.0), 0U);
  EXPECT_EQ(probability_threshold(0.5), kCertain / 2);
  EXPECT_EQ(probability_threshold(1.0), kCertain);
  EXPECT_THROW((void)probability_threshold(-0.1), std::invalid_argument);
  EXPECT_THROW((void)probability_threshold(1.1), std::invalid_argument);
  EXPECT_THROW((void)probability_threshold(std::numeric_limits<double>::quiet_NaN()),
               std::invalid_argument);
}

TEST(Chance, IsExactAtTheEndsAndFairBetween) {
  Rng rng(3);
  unsigned hits = 0;
  for (int i = 0; i < 100000; ++i) {
    ASSERT_FALSE(rng.chance(0));
    ASSERT_TRUE(rng.chance(kCertain));
    hits += rng.chance(probability_threshold(0.1)) ? 1U : 0U;
  }
  EXPECT_NEAR(hits, 10000, 475);  // 5 sigma
}

TEST(BernoulliWord, IsExactAtTheEndsAndDrawsNothingThere) {
  Rng rng(3);
  Rng untouched = rng;
  EXPECT_EQ(rng.bernoulli_word(0), 0U);
  EXPECT_EQ(rng.bernoulli_word(kCertain), ~std::uint64_t{0});
  EXPECT_EQ(rng.bits64(), untouched.bits64());
}

TEST(BernoulliWord, DrawsAsManyWordsAsTheProbabilityHasBinaryDigits) {
  for (const auto& [p, words] : {std::pair{0.5, 1}, {0.25, 2}, {0.75, 2}, {0.375, 3}}) {
    Rng rng(5);
    Rng counted(5);
    (void)rng.bernoulli_word(probability_threshold(p));
    for (int i = 0; i < words; ++i) (void)counted.bits64();
    EXPECT_EQ(rng.bits64(), counted.bits64()) << p;
  }
}

TEST(BernoulliWord, SetsEveryBitWithTheProbabilityAskedFor) {
  constexpr int kWords = 40000;
  for (const double p : {0.001, 0.1, 0.25, 0.3, 0.5, 0.75, 0.9, 0.999}) {
    Rng rng = Rng::stream(11, "bernoulli");
    std::array<unsigned, 64> counts{};
    for (int i = 0; i < kWords; ++i) {
      const std::uint64_t word = rng.bernoulli_word(probability_threshold(p));
      for (unsigned bit = 0; bit < 64; ++bit)
        counts.at(bit) += static_cast<unsigned>(word >> bit & 1U);
    }
    const double mean = p * kWords;
    const double sigma = std::sqrt(kWords * p * (1 - p));
    // Rounding to 1/65536 changes the probability by at most half of that.
    const double quantisation = kWords / 131072.0;
    for (const unsigned count : counts) EXPECT_NEAR(count, mean, 5 * sigma + quantisation) << p;
  }
}

TEST(BernoulliWord, BitsOfAWordAreIndependent) {
  Rng rng(13);
  unsigned both = 0;
  constexpr int kWords = 20000;
  for (int i = 0; i < kWords; ++i) {
    const std::uint64_t word = rng.bernoulli_word(probability_threshold(0.3));
    both += static_cast<unsigned>(std::popcount(word & (word >> 1) & 0x5555555555555555U));
  }
  const double pairs = 32.0 * kWords;
  EXPECT_NEAR(both, 0.09 * pairs, 5 * std::sqrt(pairs * 0.09 * 0.91));
}

TEST(BernoulliWord, RoundsNothingToNeverOrAlways) {
  Rng rare(1);
  Rng frequent(1);
  bool some = false;
  bool not_all = false;
  for (int i = 0; i < 20000; ++i) {
    some |= rare.bernoulli_word(1) != 0;
    not_all |= frequent.bernoulli_word(kCertain - 1) != ~std::uint64_t{0};
  }
  EXPECT_TRUE(some);
  EXPECT_TRUE(not_all);
}

}  // namespace
}  // namespace kernbench::common
