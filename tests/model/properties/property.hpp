// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "model/components/machine/machine.hpp"
#include "model/components/parts/memories.hpp"

namespace kernbench::model::properties {

/// Checks a property on the random system and traffic of a seed. Returns "" if it holds, else an
/// error message.
using Property = std::string (*)(std::uint64_t seed,
                                 const components::ComponentRegistry& components);

inline constexpr std::uint64_t kSeeds = 1000;

inline void expect_holds(Property property) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    ASSERT_EQ(property(seed, components::standard_components()), "") << "seed " << seed;
  }
}

/// Expects that the property fails for at least half of the seeds with a faulty component.
inline void expect_noticed(Property property, const components::ComponentRegistry& wrong) {
  constexpr int kTried = 20;
  int noticed = 0;
  for (std::uint64_t seed = 0; seed < kTried; ++seed) {
    if (!property(seed, wrong).empty()) ++noticed;
  }
  EXPECT_GE(noticed, kTried / 2);
}

/// Returns the standard components with `Hbm` as hbm_ctrl, constructed with `arguments`.
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
