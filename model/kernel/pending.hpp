// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

#include "common/api.hpp"
#include "model/kernel/tile.hpp"

namespace kernbench::model::kernel {

class Tl;

/// An operation in flight. The kernel must pass it to Tl::wait() exactly once.
class KERNBENCH_API Pending {
 private:
  friend class Tl;
  explicit Pending(std::uint64_t number) : number_(number) {}
  std::uint64_t number_;  ///< number among the kernel's operations of this kind; 0 without work
};

/// An operation in flight whose result is a tile. The kernel must pass it to Tl::wait() exactly
/// once.
class KERNBENCH_API PendingTile {
 private:
  friend class Tl;
  PendingTile(std::uint64_t number, Tile tile) : number_(number), tile_(std::move(tile)) {}
  std::uint64_t number_;  ///< as in Pending
  Tile tile_;
};

}  // namespace kernbench::model::kernel
