// SPDX-License-Identifier: Apache-2.0
// All-gather, reduce-scatter, broadcast and barrier on a ring of the SIPs' middle cubes. Tensors
// are replicated over cubes: a SIP sends from its middle cube (sums: from all cubes) and receives
// in every cube. Rank r's part of the larger tensor is its r-th part by rows, so PEs must not hold
// different rows: their placement is column_wise or replicate.

#include <algorithm>
#include <optional>
#include <utility>

#include "model/ccl/phases.hpp"

namespace kernbench::model::ccl::ring_collectives {
namespace {

using kernel::TensorRef;
using kernel::Tl;

RingPlace sip_ring(const CollectiveArgs& args) {
  return {args.world_size, args.rank, "global_next", "global_prev"};
}

MeshTree tree_of(const Tl& tl, const CollectiveArgs& args) {
  return MeshTree::of(args.cubes, static_cast<std::uint32_t>(tl.program_id(1)), args.root_cube);
}

std::uint64_t piece_elements(const CollectiveArgs& args, data::DataType type) {
  return args.slot_bytes / bytes_of(type);
}

void all_gather(Tl& tl, const CollectiveArgs& args) {
  const TensorRef in = as_row(args.tensor.local(tl));
  const TensorRef out = as_row(args.output.local(tl));
  const MeshTree tree = tree_of(tl, args);
  const std::uint32_t n = args.world_size;
  const Groups groups(in.columns, 1, piece_elements(args, in.type));
  for (std::uint64_t group = 0; group < groups.count(); ++group) {
    const Piece piece = groups.piece(group, 0);
    Tiles tiles(n);
    if (tree.is_root()) {
      const kernel::Tile mine = tl.load(in.block(0, piece.begin, 1, piece.size));
      // The ring replaces the other tiles, which have the same size. It starts at slice index + 1.
      for (std::uint32_t i = 0; i < n; ++i) tiles[i] = mine;
      RingPlace ring = sip_ring(args);
      ring.index = (args.rank + n - 1) % n;
      ring_all_gather(tl, ring, tiles);
    }
    broadcast_from_root(tl, tree, tiles, std::vector<std::uint64_t>(n, piece.size), in.type);
    for (std::uint32_t i = 0; i < n; ++i) {
      tl.store(out.block(0, i * in.columns + piece.begin, 1, piece.size), *tiles[i]);
    }
  }
}

void reduce_scatter(Tl& tl, const CollectiveArgs& args) {
  const TensorRef in = as_row(args.tensor.local(tl));
  const TensorRef out = as_row(args.output.local(tl));
  const MeshTree tree = tree_of(tl, args);
  const std::uint32_t n = args.world_size;
  const Groups groups(out.columns, 1, piece_elements(args, in.type));
  for (std::uint64_t group = 0; group < groups.count(); ++group) {
    const Piece piece = groups.piece(group, 0);
    Tiles tiles(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      tiles[i] = tl.load(in.block(0, i * out.columns + piece.begin, 1, piece.size));
    }
    reduce_to_root(tl, tree, tiles);
    Tiles mine(1);
    if (tree.is_root()) {
      RingPlace ring = sip_ring(args);
      ring.index = (args.rank + n - 1) % n;
      ring_reduce_scatter(tl, ring, tiles);
      mine[0] = tiles[args.rank];
    }
    broadcast_from_root(tl, tree, mine, {piece.size}, in.type);
    tl.store(out.block(0, piece.begin, 1, piece.size), *mine[0]);
  }
}

/// Returns the elements of a message of a chain of `ranks`. With k messages of c bytes each, the
/// last rank has everything after k + ranks - 2 times c / B, so many messages are best, as long as
/// a message takes longer on the wire than in the queues.
std::uint64_t chain_elements(const CollectiveArgs& args, const TensorRef& row) {
  constexpr std::uint64_t kMessagesPerLink = 8;
  constexpr std::uint64_t kSmallest = 2048;  ///< bytes
  const std::uint64_t bytes = row.bytes() / (kMessagesPerLink * std::max(args.world_size - 1, 1U));
  return std::clamp(bytes, std::min(kSmallest, args.slot_bytes), args.slot_bytes) /
         bytes_of(row.type);
}

/// Sends the tensor down a chain of SIPs, piece by piece. A rank receives the next piece while it
/// forwards one.
void broadcast(Tl& tl, const CollectiveArgs& args) {
  const TensorRef in = as_row(args.tensor.local(tl));
  const MeshTree tree = tree_of(tl, args);
  const RingPlace ring = sip_ring(args);
  const std::uint32_t distance = (args.rank + args.world_size - args.root_rank) % args.world_size;
  const Groups groups(in.columns, 1, chain_elements(args, in));
  std::optional<kernel::PendingRecv> next;
  const auto begin_receive = [&](std::uint64_t group) {
    if (tree.is_root() && distance != 0 && group < groups.count()) {
      next = tl.irecv(ring.prev, 1, groups.piece(group, 0).size, in.type);
    }
  };
  begin_receive(0);
  for (std::uint64_t group = 0; group < groups.count(); ++group) {
    const Piece piece = groups.piece(group, 0);
    const TensorRef part = in.block(0, piece.begin, 1, piece.size);
    Tiles tiles(1);
    if (tree.is_root()) {
      tiles[0] = distance == 0 ? tl.load(part) : tl.wait(*std::exchange(next, std::nullopt));
      begin_receive(group + 1);
      if (distance + 1 < args.world_size) tl.send(ring.next, *tiles[0]);
    }
    broadcast_from_root(tl, tree, tiles, {piece.size}, in.type);
    if (distance != 0 || !tree.is_root()) tl.store(part, *tiles[0]);
  }
}

void barrier(Tl& tl, const CollectiveArgs& args) {
  if (tl.program_id(0) != 0) return;
  const MeshTree tree = tree_of(tl, args);
  Tiles token{tl.full(1, 1, 1.0, data::DataType::I32)};
  reduce_to_root(tl, tree, token);
  if (tree.is_root()) {
    const RingPlace ring = sip_ring(args);
    for (std::uint32_t step = 0; step + 1 < ring.size; ++step) {
      tl.send(ring.next, *token[0]);
      token[0] = tl.recv(ring.prev, 1, 1, data::DataType::I32);
    }
  }
  broadcast_from_root(tl, tree, token, {1}, data::DataType::I32);
}

const AlgorithmRegistration kAllGather{{"ring-all-gather",
                                        "a ring of SIPs",
                                        Collective::AllGather,
                                        {{"ring", SipTopology::Ring}},
                                        nullptr,
                                        nullptr,
                                        all_gather,
                                        Root::Center,
                                        true}};
const AlgorithmRegistration kReduceScatter{{"ring-reduce-scatter",
                                            "a ring of SIPs",
                                            Collective::ReduceScatter,
                                            {{"ring", SipTopology::Ring}},
                                            nullptr,
                                            nullptr,
                                            reduce_scatter,
                                            Root::Center,
                                            true}};
const AlgorithmRegistration kBroadcast{{"ring-broadcast",
                                        "from SIP to SIP around a ring",
                                        Collective::Broadcast,
                                        {{"ring", SipTopology::Ring}},
                                        nullptr,
                                        nullptr,
                                        broadcast,
                                        Root::Center,
                                        true}};
const AlgorithmRegistration kBarrier{{"ring-barrier",
                                      "a token around a ring of SIPs",
                                      Collective::Barrier,
                                      {{"ring", SipTopology::Ring}},
                                      nullptr,
                                      nullptr,
                                      barrier,
                                      Root::Center,
                                      true}};

}  // namespace
}  // namespace kernbench::model::ccl::ring_collectives
