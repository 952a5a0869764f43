// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>

#include "common/random.hpp"
#include "common/units.hpp"

namespace kernbench::model::runtime {

/// A launch by its rank's first SIP and cube, and its place among the launches of this rank. Runs
/// of the same bench with other times have the same keys.
struct LaunchKey {
  std::uint32_t sip = 0;
  std::uint32_t cube = 0;
  std::uint32_t number = 0;
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 of a <=> b < 0 for a pointer
  friend constexpr auto operator<=>(const LaunchKey&, const LaunchKey&) = default;
};

/// When the programs of a launch started.
struct StartRange {
  common::SimTime first = common::SimTime::max();
  common::SimTime last;

  void add(common::SimTime start) {
    first = std::min(first, start);
    last = std::max(last, start);
  }
  [[nodiscard]] common::SimTime width() const { return last - first; }
};
using StartRanges = std::map<LaunchKey, StartRange>;

/// Delays of the starts of programs, which show how much a time depends on the order in which PEs
/// start.
struct StartDelays {
  /// The least range of the delays of a launch. Delays of less can change no order of flits.
  static constexpr common::SimTime kLeast = common::SimTime::from_ps(20'000);

  std::uint64_t seed = 1;
  StartRanges undisturbed;  ///< starts in a run without delays

  /// Returns the largest delay of a launch: the width of its starts, and kLeast at least.
  [[nodiscard]] common::SimTime most(const LaunchKey& launch) const {
    const auto found = undisturbed.find(launch);
    return found == undisturbed.end() ? kLeast : std::max(kLeast, found->second.width());
  }
  /// Returns the delay of a program, uniform in 0..most().
  [[nodiscard]] common::SimTime of(const LaunchKey& launch, std::uint64_t program) const {
    common::Rng random = common::Rng::stream(seed, "start of a program", launch.sip, launch.cube,
                                             launch.number, program);
    return common::SimTime::from_ps(
        static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(most(launch).ps()) + 1)));
  }
};

}  // namespace kernbench::model::runtime
