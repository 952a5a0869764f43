// SPDX-License-Identifier: Apache-2.0
#include "common/id_map.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "common/random.hpp"

namespace kernbench::common {
namespace {

TEST(IdMap, HasWhatWasPutInUntilItIsTakenOut) {
  IdMap<int> map;
  EXPECT_EQ(map.find(7), nullptr);
  EXPECT_EQ(map.take(7), std::nullopt);
  EXPECT_TRUE(map.insert(7, 70));
  EXPECT_FALSE(map.insert(7, 71));
  EXPECT_EQ(*map.find(7), 70);
  EXPECT_EQ(map.size(), 1U);
  EXPECT_EQ(map.take(7), 70);
  EXPECT_EQ(map.take(7), std::nullopt);
  EXPECT_EQ(map.find(7), nullptr);
  EXPECT_EQ(map.size(), 0U);
}

TEST(IdMap, DoesAsAnOrderedMapDoesWhateverComesAndGoes) {
  Rng random(1);
  IdMap<std::uint64_t> map;
  std::map<std::uint64_t, std::uint64_t> expected;
  for (int step = 0; step < 200'000; ++step) {
    const std::uint64_t id = random.below(300);
    if (random.below(2) == 0) {
      const std::uint64_t value = random.bits64();
      ASSERT_EQ(map.insert(id, value), expected.emplace(id, value).second);
    } else {
      const auto held = expected.find(id);
      const std::optional<std::uint64_t> taken = map.take(id);
      ASSERT_EQ(taken.has_value(), held != expected.end());
      if (taken) {
        ASSERT_EQ(*taken, held->second);
        expected.erase(held);
      }
    }
    const std::uint64_t sought = random.below(300);
    const auto found = expected.find(sought);
    const std::uint64_t* value = map.find(sought);
    ASSERT_EQ(value != nullptr, found != expected.end());
    if (value != nullptr) {
      ASSERT_EQ(*value, found->second);
    }
    ASSERT_EQ(map.size(), expected.size());
  }
}

}  // namespace
}  // namespace kernbench::common
