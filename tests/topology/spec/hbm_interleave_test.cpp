// SPDX-License-Identifier: Apache-2.0
// The channels that the flits of an HBM slice use, for accesses of any stride.
#include "topology/spec/hbm_interleave.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "common/random.hpp"

namespace kernbench::topology {
namespace {

/// Returns the load of the fullest channel over the mean.
double unevenness(const std::vector<std::uint32_t>& loads) {
  std::uint64_t sum = 0;
  for (const std::uint32_t load : loads) sum += load;
  const std::uint32_t fullest = *std::max_element(loads.begin(), loads.end());
  return static_cast<double>(fullest * loads.size()) / static_cast<double>(sum);
}

/// Returns the loads of the channels after `flits` flits, `stride` flits apart.
std::vector<std::uint32_t> loads_of(HbmInterleave interleave, std::uint32_t channels,
                                    std::uint64_t stride, std::uint64_t flits) {
  std::vector<std::uint32_t> loads(channels);
  for (std::uint64_t i = 0; i < flits; ++i) ++loads[hbm_channel(interleave, i * stride, channels)];
  return loads;
}

/// The fullest channel that an access of rows of one flit may have.
struct Bound {
  std::uint32_t flits_per_channel;
  double times_the_mean;
};
constexpr Bound kBounds[] = {{8, 3.0}, {64, 1.75}, {128, 1.5}};

/// Returns a line for each bound that an access of 8, 64 or 128 flits a channel breaks.
std::string beyond(std::uint32_t channels, std::uint64_t first, std::uint64_t stride) {
  std::string found;
  std::vector<std::uint32_t> loads(channels);
  std::uint64_t flit = first;
  std::uint32_t flits = 0;
  for (const Bound& bound : kBounds) {
    for (; flits < bound.flits_per_channel * channels; ++flits, flit += stride) {
      ++loads[hbm_channel(HbmInterleave::Hash, flit, channels)];
    }
    const double seen = unevenness(loads);
    if (seen <= bound.times_the_mean) continue;
    found += std::to_string(channels) + " channels, from flit " + std::to_string(first) +
             ", stride " + std::to_string(stride) + ", " + std::to_string(bound.flits_per_channel) +
             " flits a channel: " + std::to_string(seen) + " times the mean\n";
  }
  return found;
}

// Two of 258,048 pairs of a stride and a number of channels go beyond a bound, as some of so many
// random ones would: the formula has no constant that was chosen by this list.
TEST(HbmInterleave, HashLoadsTheChannelsEvenlyAtEveryStrideOfUpTo4096FlitsButTwo) {
  std::string found;
  for (std::uint32_t channels = 2; channels <= 64; ++channels) {
    for (std::uint64_t stride = 1; stride <= 4096; ++stride) {
      found += beyond(channels, 0, stride);
    }
  }
  EXPECT_EQ(found,
            "59 channels, from flit 0, stride 2192, 128 flits a channel: 1.507812 times the mean\n"
            "62 channels, from flit 0, stride 3304, 8 flits a channel: 3.125000 times the mean\n");
}

TEST(HbmInterleave, HashLoadsTheChannelsEvenlyAtPowersOfTwoAndTheirNeighbours) {
  std::string found;
  for (std::uint32_t channels = 2; channels <= 64; ++channels) {
    for (unsigned power = 1; power <= 22; ++power) {
      for (const std::uint64_t stride : {(std::uint64_t{1} << power) - 1, std::uint64_t{1} << power,
                                         (std::uint64_t{1} << power) + 1}) {
        found += beyond(channels, 0, stride);
      }
    }
  }
  EXPECT_EQ(found, "");
}

TEST(HbmInterleave, HashLoadsTheChannelsEvenlyAtDrawnStridesOfUpToAGibibyte) {
  common::Rng random = common::Rng::stream(1, "strides");
  std::string found;
  for (int i = 0; i < 20'000; ++i) {
    const auto channels = static_cast<std::uint32_t>(2 + random.below(63));
    // Draws the size first, so that short strides are as frequent as long ones.
    const std::uint64_t stride = 1 + random.below(std::uint64_t{1} << (1 + random.below(22)));
    found += beyond(channels, random.below(1U << 20U), stride);
  }
  EXPECT_EQ(found, "");
}

TEST(HbmInterleave, FlitsInSequenceUseEachChannelOnce) {
  for (const auto& [name, interleave] : kHbmInterleaveNames) {
    for (std::uint32_t channels = 1; channels <= 256; ++channels) {
      for (std::uint64_t group = 0; group < 50; ++group) {
        std::set<std::uint32_t> used;
        for (std::uint32_t i = 0; i < channels; ++i) {
          used.insert(hbm_channel(interleave, group * channels + i, channels));
        }
        ASSERT_EQ(used.size(), channels) << name << ", group " << group;
        ASSERT_LT(*used.rbegin(), channels);
      }
    }
  }
}

TEST(HbmInterleave, ModuloPutsAStrideOfAsManyFlitsAsChannelsOnOneChannel) {
  EXPECT_EQ(unevenness(loads_of(HbmInterleave::Modulo, 8, 8, 1024)), 8.0);
  EXPECT_EQ(unevenness(loads_of(HbmInterleave::Modulo, 8, 9, 1024)), 1.0);
  EXPECT_EQ(unevenness(loads_of(HbmInterleave::Hash, 8, 8, 1024)), 1.1171875);
}

// Computed by hand from the formula: mix(1) = 0x5692161d100b05e5, 5 of 8 channels.
TEST(HbmInterleave, HashIsTheFormulaOfTheDocumentation) {
  EXPECT_EQ(hbm_channel(HbmInterleave::Hash, 0, 8), 0U);
  EXPECT_EQ(hbm_channel(HbmInterleave::Hash, 8, 8), 5U);
  EXPECT_EQ(hbm_channel(HbmInterleave::Hash, 9, 8), 6U);
  EXPECT_EQ(hbm_channel(HbmInterleave::Hash, 15, 8), 4U);
  EXPECT_EQ(hbm_channel(HbmInterleave::Hash, 12345, 1), 0U);
}

}  // namespace
}  // namespace kernbench::topology
