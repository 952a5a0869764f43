// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "common/api.hpp"
#include "model/ccl/cube_tree.hpp"

namespace kernbench::model::ccl {

// Kernels of collectives take tensors piece by piece: a piece of each block of a tensor, at most a
// message long, is a round. A round gathers the pieces at the root cube of each member, exchanges
// them between members, and distributes the results to the cubes of each member.

/// A range of a shard, in elements.
struct Piece {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
};

/// Returns a PE's shard as one row of elements. Throws std::invalid_argument if its rows have gaps
/// between them.
[[nodiscard]] KERNBENCH_API kernel::TensorRef as_row(const kernel::TensorRef& shard);

/// Splits `size` elements into groups, and each group into `pieces` pieces of equal size and at
/// most `piece_elements` elements. The last pieces may be smaller or empty.
class KERNBENCH_API Groups {
 public:
  Groups(std::uint64_t size, std::uint32_t pieces, std::uint64_t piece_elements);
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] Piece piece(std::uint64_t group, std::uint32_t index) const;

 private:
  std::uint64_t size_;
  std::uint32_t pieces_;
  std::uint64_t group_elements_;
  std::uint64_t count_;
};

/// Returns the elements of a piece: as many as fit into a message of `message_bytes`, and `tiles`
/// times into `tile_bytes` of the TCM; at least 1. `element` is the bytes of an element.
[[nodiscard]] KERNBENCH_API std::uint64_t piece_elements(std::uint64_t message_bytes,
                                                         std::uint64_t tile_bytes,
                                                         std::uint64_t tiles,
                                                         std::uint64_t element);

/// Returns into how many messages of a group a tree or a chain cuts a shard: at most `most`, and as
/// long as a message takes longer on the wire than in the queues, 2 KiB.
[[nodiscard]] KERNBENCH_API std::uint32_t pieces_for(const kernel::Tl& tl,
                                                     const CollectiveArgs& args,
                                                     std::uint32_t most);

/// Returns the same for a shard of `bytes`.
[[nodiscard]] std::uint32_t pieces_for(std::uint64_t bytes, std::uint32_t most);

/// Sums the tiles of all places of a team, in place.
using SumExchange = void (*)(kernel::Tl& tl, const Team& team, Tiles& tiles);

/// Runs an all-reduce: sums the cubes of each member into its root cube, sums over the team, and
/// distributes the sums within each member (Architecture, "Intercube All-Reduce"). Groups have
/// `pieces` messages. The cubes sum the next group while the roots exchange one, as far as slots
/// allow.
KERNBENCH_API void all_reduce_in_groups(kernel::Tl& tl, const CollectiveArgs& args,
                                        SumExchange exchange, std::uint32_t pieces);

/// The work of the places of a team in a round.
struct Round {
  Team team;
  std::uint32_t root = 0;  ///< place of the root
  data::DataType type = data::DataType::F32;
  std::vector<std::uint64_t> input;   ///< elements of each block's piece; 0 where it has ended
  std::vector<std::uint64_t> output;  ///< the same of the output

  /// Returns a vector of tiles for the output.
  [[nodiscard]] Tiles results() const { return Tiles(output.size()); }
};

/// Returns the tiles of the output blocks, from those of the input blocks.
using BlockExchange = Tiles (*)(kernel::Tl& tl, const Round& round, const Tiles& input);

/// Runs any collective in rounds. If it sums, the input of the exchange is that of all cubes of the
/// member. `packed` is the number of pieces in the longest message.
KERNBENCH_API void exchange_in_rounds(kernel::Tl& tl, const CollectiveArgs& args,
                                      BlockExchange exchange, std::uint32_t packed = 1);

}  // namespace kernbench::model::ccl
