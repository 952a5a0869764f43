// SPDX-License-Identifier: Apache-2.0
#include "common/enum_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

namespace kernbench::common {
namespace {

enum class Shade : std::uint8_t { Dark, Light, Unnamed };
constexpr std::array<EnumName<Shade>, 2> kShades = {
    {{"light", Shade::Light}, {"dark", Shade::Dark}}};

TEST(EnumNames, AreInTheOrderOfTheTable) {
  EXPECT_THAT(names_of(kShades), testing::ElementsAre("light", "dark"));
}

TEST(EnumNames, LeadFromAnEnumeratorToItsRow) {
  static_assert(row_of(kShades, Shade::Dark) == 1);
  static_assert(name_of(kShades, Shade::Light) == "light");
}

TEST(EnumNames, RefuseAnEnumeratorWithoutAName) {
  EXPECT_THAT([] { (void)name_of(kShades, Shade::Unnamed); },
              testing::ThrowsMessage<std::logic_error>("enumerator 2 is none of light, dark"));
}

}  // namespace
}  // namespace kernbench::common
