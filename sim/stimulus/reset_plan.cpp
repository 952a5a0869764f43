// SPDX-License-Identifier: Apache-2.0
#include "sim/stimulus/reset_plan.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "common/random.hpp"
#include "sim/stimulus/log_uniform.hpp"

namespace kernbench::sim {

using common::Rng;

namespace {

constexpr std::uint64_t kFractions = std::size(kResetFractions);

ResetEvent fraction(std::uint64_t which) {
  return {0, 0, kResetFractions[which].from, kResetFractions[which].to};
}

/// A reset of whole clocks. Half of them begin and end with a clock cycle.
ResetEvent whole(Rng& rng, std::uint64_t clocks) {
  ResetEvent reset{0, clocks, ClockMoment::Rise, ClockMoment::End};
  if (rng.below(2) == 0) return reset;
  reset.from = static_cast<ClockMoment>(rng.below(3));
  reset.to = static_cast<ClockMoment>(1 + rng.below(3));
  return reset;
}

}  // namespace

std::uint64_t ResetSpec::resets() const {
  return pattern == ResetPattern::Sweep ? kFractions + longest : count;
}

std::optional<std::string> problem(const ResetSpec& spec, std::uint64_t cycles) {
  // Two cycles for each, so that no reset begins in run cycle 0 and no two in the same.
  if (spec.resets() * 2 <= cycles) return std::nullopt;
  return fmt::format("{} resets need {} cycles or more, the suite has {}", spec.resets(),
                     spec.resets() * 2, cycles);
}

std::vector<ResetEvent> draw_resets(const ResetSpec& spec, std::uint64_t cycles,
                                    std::uint64_t seed) {
  Rng rng = Rng::stream(seed, "resets");
  std::vector<ResetEvent> resets;
  if (spec.pattern == ResetPattern::Sweep) {
    for (std::uint64_t i = 0; i < kFractions; ++i) resets.push_back(fraction(i));
    for (std::uint64_t clocks = 1; clocks <= spec.longest; ++clocks) {
      resets.push_back(whole(rng, clocks));
    }
    for (std::size_t i = resets.size(); i > 1; --i) {
      std::swap(resets[i - 1], resets[rng.below(i)]);
    }
  } else {
    for (unsigned i = 0; i < spec.count; ++i) {
      resets.push_back(rng.below(4) == 0 ? fraction(rng.below(kFractions))
                                         : whole(rng, log_uniform(rng, spec.longest)));
    }
  }
  // The run is divided into equal parts, with one reset in each.
  for (std::size_t i = 0; i < resets.size(); ++i) {
    const std::uint64_t part = cycles / resets.size();
    resets[i].at = i * part + 1 + rng.below(part - 1);
  }
  return resets;
}

}  // namespace kernbench::sim
