#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "model/components/parts/memories.hpp"
#include "model/components/parts/standard_components.hpp"

namespace kernbench::model::properties {

/// Looks at the system and the traffic that a seed stands for. "" when the property holds, else
/// what is wrong.
using Property = std::string (*)(std::uint64_t seed,
                                 const components::ComponentRegistry& components);

inline constexpr std::uint64_t kSeeds = 1000;

inline void expect_holds(Property property) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    ASSERT_EQ(property(seed, components::standard_components()), "") << "seed " << seed;
  }
}

/// With a component that is wrong the property must not hold for most seeds.
inline void expect_noticed(Property property, const components::ComponentRegistry& wrong) {
  constexpr int kTried = 20;
  int noticed = 0;
  for (std::uint64_t seed = 0; seed < kTried; ++seed) {
    if (!property(seed, wrong).empty()) ++noticed;
  }
  EXPECT_GE(noticed, kTried / 2);
}

/// The standard components with another hbm_ctrl; `arguments` go to each.
template <typename Hbm, typename... Arguments>
components::ComponentRegistry with_hbm(Arguments... arguments) {
  components::ComponentRegistry registry = components::standard_components();
  registry.add("hbm_ctrl",
               [arguments...](components::Machine& machine,
                              topology::NodeId node) -> std::unique_ptr<components::Component> {
                 return std::make_unique<Hbm>(machine, node, arguments...);
               });
  return registry;
}

}  // namespace kernbench::model::properties
