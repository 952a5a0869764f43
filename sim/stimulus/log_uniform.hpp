// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "common/random.hpp"

namespace kernbench::sim {

/// Returns a number from 1 to `longest` (>= 1) with a heavy tail: every octave 1, 2..3, 4..7, ...
/// is equally likely, and so is every number of an octave. Uses integers only, so that compilers
/// agree.
inline std::uint32_t log_uniform(common::Rng& rng, std::uint32_t longest) {
  const auto octave = rng.below(static_cast<unsigned>(std::bit_width(longest)));
  const std::uint64_t first = std::uint64_t{1} << octave;
  const std::uint64_t last = std::min<std::uint64_t>(2 * first - 1, longest);
  return static_cast<std::uint32_t>(first + rng.below(last - first + 1));
}

}  // namespace kernbench::sim
