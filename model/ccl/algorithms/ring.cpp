// SPDX-License-Identifier: Apache-2.0
// All-reduce over one ring of all cubes of all SIPs, a snake through each mesh that continues in
// the next SIP (P. Patarasuk, X. Yuan, "Bandwidth Optimal All-reduce Algorithms for Clusters of
// Workstations", 2009).

#include <algorithm>

#include "model/ccl/neighbors.hpp"
#include "model/ccl/phases.hpp"

namespace kernbench::model::ccl::ring {
namespace {

/// Returns the program's place in the ring of cubes.
RingPlace place_of(const kernel::Tl& tl, const CollectiveArgs& args) {
  const auto cube = static_cast<std::uint32_t>(tl.program_id(1));
  const std::uint32_t cubes = args.cubes.size();
  const std::uint32_t position = snake_position(args.cubes, cube);
  RingPlace place{args.world_size * cubes, args.rank * cubes + position, "", ""};
  const auto beside = [&](std::uint32_t other) {
    return std::string(direction_to(args.cubes, cube, snake_cube(args.cubes, other)));
  };
  place.next = position + 1 < cubes ? beside(position + 1) : "global_snake_next";
  place.prev = position > 0 ? beside(position - 1) : "global_snake_prev";
  return place;
}

/// Rejects a single SIP: its snake has no link from the last cube back to the first.
std::string refuse(std::uint32_t world_size, const Grid& /*sips*/) {
  return world_size > 1 ? "" : "needs at least 2 SIPs to close its ring";
}

void kernel(kernel::Tl& tl, const CollectiveArgs& args) {
  const kernel::TensorRef in = as_row(args.tensor.local(tl));
  const kernel::TensorRef out = as_row(args.output.local(tl));
  const RingPlace ring = place_of(tl, args);
  // All pieces of a group are in the TCM at the same time.
  const std::uint64_t piece_bytes =
      std::min<std::uint64_t>(args.slot_bytes, args.tile_bytes / ring.size);
  const Groups groups(in.columns, ring.size,
                      std::max<std::uint64_t>(1, piece_bytes / bytes_of(in.type)));
  for (std::uint64_t group = 0; group < groups.count(); ++group) {
    Tiles tiles(ring.size);
    for (std::uint32_t i = 0; i < ring.size; ++i) {
      const Piece piece = groups.piece(group, i);
      if (piece.size != 0) tiles[i] = tl.load(in.block(0, piece.begin, 1, piece.size));
    }
    ring_reduce_scatter(tl, ring, tiles);
    ring_all_gather(tl, ring, tiles);
    for (std::uint32_t i = 0; i < ring.size; ++i) {
      const Piece piece = groups.piece(group, i);
      if (piece.size != 0) tl.store(out.block(0, piece.begin, 1, piece.size), *tiles[i]);
    }
  }
}

const AlgorithmRegistration kAlgorithm{{"ring",
                                        "one ring of all cubes of all SIPs",
                                        Collective::AllReduce,
                                        {{"snake", SipTopology::Snake}},
                                        refuse,
                                        nullptr,
                                        kernel}};

}  // namespace
}  // namespace kernbench::model::ccl::ring
