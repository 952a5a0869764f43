// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "common/random.hpp"
#include "maze/link_frame.hpp"

namespace kernbench::sim {

/// Draws which receivers are ready while a design is reset: all, none or random ones.
class ReadyInReset {
 public:
  explicit ReadyInReset(std::uint64_t seed) : rng_(common::Rng::stream(seed, "ready_in_reset")) {}

  /// Must be called in every cycle. Sets `ready`, of `every` receiver, in reset only.
  void drive(bool in_reset, const maze::BitPlane& every, maze::BitPlane& ready) {
    if (in_reset && !in_reset_) mode_ = rng_.below(3);
    in_reset_ = in_reset;
    if (!in_reset) return;
    ready = every;
    if (mode_ == 0) return;
    for (std::uint64_t& word : ready) word &= mode_ == 1 ? 0 : rng_.bits64();
  }

 private:
  common::Rng rng_;
  std::uint64_t mode_ = 0;  ///< receivers ready in this reset: 0 all, 1 none, 2 random ones
  bool in_reset_ = false;
};

}  // namespace kernbench::sim
