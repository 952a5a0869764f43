// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "common/api.hpp"
#include "model/ccl/rounds.hpp"

namespace kernbench::model::ccl {

/// A place in a ring, and the directions to its neighbours.
struct RingPlace {
  std::uint32_t size = 1;
  std::uint32_t index = 0;
  std::string next;
  std::string prev;
};

/// Reduces and scatters over a ring. Tile i belongs to slice i mod ring.size. Afterwards the place
/// m has the sums of slice (m + 1) mod ring.size.
KERNBENCH_API void ring_reduce_scatter(kernel::Tl& tl, const RingPlace& ring, Tiles& tiles);
/// Gathers over a ring: at the start the place m has slice (m + 1) mod ring.size.
KERNBENCH_API void ring_all_gather(kernel::Tl& tl, const RingPlace& ring, Tiles& tiles);
/// Does both, one after the other.
KERNBENCH_API void ring_all_reduce(kernel::Tl& tl, const RingPlace& ring, Tiles& tiles);

/// Exchanges tiles with a neighbour: sends one while the other arrives.
[[nodiscard]] KERNBENCH_API kernel::Tile swap_tiles(kernel::Tl& tl, const std::string& to,
                                                    const kernel::Tile& mine,
                                                    const std::string& from, std::uint64_t columns);

/// Passes a tile between the places of a team.
using PassToken = void (*)(kernel::Tl& tl, const Team& team, kernel::Tile& token);

/// Runs a barrier: a token is collected from the cubes of each member, passed between members, and
/// given back to the cubes.
KERNBENCH_API void barrier_by_token(kernel::Tl& tl, const CollectiveArgs& args, PassToken pass);

/// Returns k with 2^k <= n < 2^(k+1).
[[nodiscard]] KERNBENCH_API std::uint32_t log2_of(std::uint32_t n);

}  // namespace kernbench::model::ccl
