// SPDX-License-Identifier: Apache-2.0
#include "model/engine/event_argument.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace kernbench::model::engine {
namespace {

enum class Small : std::uint8_t { First, Second, Last = 15 };

constexpr std::uint32_t kLastIndex = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kLastGeneration = EventArgument::kGenerations - 1;

static_assert(sizeof(EventArgument) == sizeof(std::uint64_t));
static_assert(EventArgument().number() == 0);
static_assert(EventArgument(Small::First, 0).number() == 0);

TEST(EventArgument, ReturnsTheNumberItWasMadeOf) {
  constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(EventArgument(kLast).number(), kLast);
}

TEST(EventArgument, KeepsTagIndexAndGenerationApart) {
  for (const Small tag : {Small::First, Small::Second, Small::Last}) {
    for (const std::uint32_t index : {0U, 1U, kLastIndex}) {
      for (const std::uint32_t generation : {0U, 1U, kLastGeneration}) {
        const EventArgument argument(tag, index, generation);
        EXPECT_EQ(argument.tag<Small>(), tag);
        EXPECT_EQ(argument.index(), index);
        EXPECT_EQ(argument.generation(), generation);
      }
    }
  }
}

TEST(EventArgument, DistinguishesAllItsFields) {
  const EventArgument argument(Small::Second, 3, 5);
  EXPECT_NE(argument.number(), EventArgument(Small::First, 3, 5).number());
  EXPECT_NE(argument.number(), EventArgument(Small::Second, 4, 5).number());
  EXPECT_NE(argument.number(), EventArgument(Small::Second, 3, 6).number());
}

TEST(EventArgument, ReturnsTheObjectItRefersTo) {
  std::string object = "tile";
  const std::string constant = "constant";
  EXPECT_EQ(&EventArgument::to(object).object<std::string>(), &object);
  EXPECT_EQ(&EventArgument::to(constant).object<const std::string>(), &constant);
}

}  // namespace
}  // namespace kernbench::model::engine
