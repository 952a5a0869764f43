// SPDX-License-Identifier: Apache-2.0
// Broadcast and reduce along a chain of members, in many messages: a member receives the next one
// while it forwards one (J. Pjesivac-Grbovic et al., "Performance Analysis of MPI Collective
// Operations", 2007, "pipeline").

#include <algorithm>
#include <optional>
#include <utility>

#include "model/ccl/exchanges.hpp"

namespace kernbench::model::ccl::chain {
namespace {

using kernel::TensorRef;
using kernel::Tl;

/// Returns the elements of a message of a chain of `members`. With k messages of c bytes each, the
/// last member has everything after k + members - 2 times c / B, so many messages are best, as long
/// as a message takes longer on the wire than in the queues.
std::uint64_t message_elements(std::uint32_t members, std::uint64_t slot_bytes,
                               std::uint64_t row_bytes, std::uint64_t element) {
  constexpr std::uint64_t kMessagesPerLink = 8;
  constexpr std::uint64_t kSmallest = 2048;  ///< bytes
  const std::uint64_t bytes = row_bytes / (kMessagesPerLink * std::max(members - 1, 1U));
  return std::clamp(bytes, std::min(kSmallest, slot_bytes), slot_bytes) / element;
}
std::uint64_t message_elements(const CollectiveArgs& args, const TensorRef& row) {
  return message_elements(args.call.size, args.slot_bytes, row.bytes(), whole_bytes_of(row.type));
}

/// A member's place in the chain, the ring cut open before the root.
struct Place {
  std::uint32_t distance = 0;  ///< from the root
  bool last = false;
  std::string next;
  std::string prev;
};

Place place_in(const Team& team, std::uint32_t root) {
  const std::uint32_t distance = (team.index + team.size - root) % team.size;
  return {distance, distance + 1 == team.size, team.to("next"), team.to("prev")};
}

void broadcast(Tl& tl, const CollectiveArgs& args) {
  const TensorRef out = as_row(args.output.local(tl));
  const TensorRef in = as_row(args.input.local(tl));
  const Tree tree = Tree::of_cubes(tl, args);
  const Place place = place_in(args.team_of(tl), args.call.root);
  const bool is_source = place.distance == 0;
  const Groups groups(out.columns, 1, message_elements(args, out));
  std::optional<kernel::PendingTile> next;
  const auto begin_receive = [&](std::uint64_t group) {
    if (tree.is_root() && !is_source && group < groups.count()) {
      next = tl.irecv(place.prev, 1, groups.piece(group, 0).size, out.type);
    }
  };
  begin_receive(0);
  for (std::uint64_t group = 0; group < groups.count(); ++group) {
    const Piece piece = groups.piece(group, 0);
    Tiles tiles(1);
    if (tree.is_root()) {
      tiles[0] = is_source ? tl.load(in.block(0, piece.begin, 1, piece.size))
                           : tl.wait(*std::exchange(next, std::nullopt));
      begin_receive(group + 1);
      if (!place.last) tl.send(place.next, *tiles[0]);
    }
    broadcast_from_root(tl, tree, tiles, {piece.size}, out.type);
    const bool in_place = is_source && tree.is_root() && in.va == out.va;
    if (!in_place) tl.store(out.block(0, piece.begin, 1, piece.size), *tiles[0]);
  }
}

/// Sums from the end of the chain to the root.
void reduce(Tl& tl, const CollectiveArgs& args) {
  const TensorRef in = as_row(args.input.local(tl));
  const TensorRef out = as_row(args.output.local(tl));
  const Tree tree = Tree::of_cubes(tl, args);
  const Place place = place_in(args.team_of(tl), args.call.root);
  const Groups groups(in.columns, 1, message_elements(args, in));
  // The other cubes of the root send as many messages in advance as slots hold, before they wait
  // for a result.
  const bool ahead = place.distance == 0 && !tree.is_root();
  const std::uint64_t lead = args.slots - 1;
  const auto sum = [&](std::uint64_t group) {
    const Piece piece = groups.piece(group, 0);
    Tiles tiles{tl.load(in.block(0, piece.begin, 1, piece.size))};
    reduce_to_root(tl, tree, tiles);
    return tiles;
  };
  for (std::uint64_t group = 0; ahead && group < std::min(lead, groups.count()); ++group) {
    (void)sum(group);
  }
  for (std::uint64_t group = 0; group < groups.count(); ++group) {
    const Piece piece = groups.piece(group, 0);
    if (ahead) {
      if (group + lead < groups.count()) (void)sum(group + lead);
      Tiles tiles;
      broadcast_from_root(tl, tree, tiles, {piece.size}, in.type);
      tl.store(out.block(0, piece.begin, 1, piece.size), *tiles[0]);
      continue;
    }
    std::optional<kernel::PendingTile> others;
    if (tree.is_root() && !place.last) others = tl.irecv(place.next, 1, piece.size, in.type);
    Tiles tiles = sum(group);
    if (others) tiles[0] = *tiles[0] + tl.wait(*std::exchange(others, std::nullopt));
    if (place.distance != 0) {
      if (tree.is_root()) tl.send(place.prev, *tiles[0]);
      continue;
    }
    broadcast_from_root(tl, tree, tiles, {piece.size}, in.type);
    tl.store(out.block(0, piece.begin, 1, piece.size), *tiles[0]);
  }
}

/// Returns the cost of k messages over n - 1 links, k + n - 2 steps.
Cost cost_of(const CostQuery& query, bool adds) {
  const std::uint64_t elements = query.bytes / query.element;
  const Groups groups(
      elements, 1, message_elements(query.members, query.slot_bytes, query.bytes, query.element));
  if (groups.count() == 0) return {};
  const auto bytes = static_cast<double>(groups.piece(0, 0).size * query.element);
  const auto further = static_cast<double>(groups.count() - 1);
  const TreeShape tree = TreeShape::of_grid(query.cubes, query.root_cube, true);
  const std::uint32_t links = query.members - 1;
  Cost cost = Cost::of(Step::Load, 1, bytes) + query.sequence(links, bytes) +
              Cost::of(Step::Store, 1, bytes) + Cost::of(Step::Add, adds ? links : 0, bytes);
  // The work of a member for each message.
  Cost work;
  if (adds) {
    cost += tree.reduce(query, bytes, 1);
    work = Cost::of(Step::Load, 1, bytes) + Cost::of(Step::Add, 1, bytes) +
           tree.take_children(query, bytes) + tree.give_children(query, bytes) +
           Cost::of(Step::Store, 1, bytes);
    // Cubes that are not next to the root send a summand after a result, which the cube before them
    // forwards after a summand of theirs: a hop there and one back.
    if (tree.depth() > 2 && groups.count() > query.slots) {
      work += Cost::of(Step::InnerMessage, 2, bytes);
    }
  } else {
    work = Cost::of(Step::Store, 1, bytes) + tree.give_children(query, bytes);
  }
  cost += tree.broadcast(query, bytes, 1);
  return cost + further * query.slower(Cost::of(Step::Further, 1, bytes),
                                       Cost::of(Step::Take, 1, bytes) + work);
}

Cost broadcast_cost(const CostQuery& query) {
  return cost_of(query, false);
}

Cost reduce_cost(const CostQuery& query) {
  return cost_of(query, true);
}

const AlgorithmRegistration kBroadcast{{"chain-broadcast",
                                        "from member to member, in many messages",
                                        "broadcast",
                                        {"ring"},
                                        nullptr,
                                        broadcast,
                                        Ends::Roots,
                                        true,
                                        broadcast_cost}};
const AlgorithmRegistration kReduce{{"chain-reduce",
                                     "from member to member, in many messages",
                                     "reduce",
                                     {"ring"},
                                     nullptr,
                                     reduce,
                                     Ends::Roots,
                                     true,
                                     reduce_cost}};

}  // namespace
}  // namespace kernbench::model::ccl::chain
