// SPDX-License-Identifier: Apache-2.0
// A neighbour kind and an algorithm: an all-reduce over two binary trees, each with half of the
// messages, in which a member inside one tree is a leaf of the other (P. Sanders, J. Speck, J. L.
// Traff, "Two-Tree Algorithms for Full Bandwidth Broadcast, Reduction and Scan", 2009).
#include <kernbench/collective.hpp>

#include <bit>
#include <optional>

namespace {

using namespace kernbench::model;
using ccl::GroupShape;
using ccl::Neighbor;
using ccl::Team;
using ccl::Tiles;

/// The neighbours of a place in a tree.
struct Place {
  std::optional<std::uint32_t> parent;
  std::optional<std::uint32_t> left;
  std::optional<std::uint32_t> right;
};

/// Returns the root of the tree over `count` places from `first`: all places in order, with a
/// complete tree to the left of the root.
std::uint32_t root_of(std::uint32_t first, std::uint32_t count) {
  return first + std::bit_floor(count) - 1;
}

Place in_order(std::uint32_t wanted, std::uint32_t size) {
  std::uint32_t first = 0;
  std::uint32_t count = size;
  Place place;
  while (true) {
    const std::uint32_t root = root_of(first, count);
    const std::uint32_t before = root - first;
    const std::uint32_t after = count - before - 1;
    if (wanted == root) {
      if (before > 0) place.left = root_of(first, before);
      if (after > 0) place.right = root_of(root + 1, after);
      return place;
    }
    place.parent = root;
    count = wanted < root ? before : after;
    if (wanted > root) first = root + 1;
  }
}

/// Returns a member's place in the first tree, or in the second: the mirror image for an even size,
/// shifted by one for an odd size.
Place place_in(bool second, std::uint32_t member, std::uint32_t size) {
  const std::uint32_t shift = second && size % 2 != 0 ? 1 : 0;
  const bool mirrored = second && size % 2 == 0;
  const auto turned = [&](std::uint32_t number) { return mirrored ? size - 1 - number : number; };
  Place place = in_order(turned((member + size - shift) % size), size);
  for (auto* const neighbor : {&place.parent, &place.left, &place.right}) {
    if (*neighbor) *neighbor = (turned(**neighbor) + shift) % size;
  }
  return place;
}

const char* prefix_of(bool second) {
  return second ? "b_" : "a_";
}

std::vector<Neighbor> neighbors(std::uint32_t member, const GroupShape& group) {
  std::vector<Neighbor> list;
  for (const bool second : {false, true}) {
    const std::string prefix = prefix_of(second);
    const Place place = place_in(second, member, group.size);
    if (place.parent) {
      const bool is_left = place_in(second, *place.parent, group.size).left == member;
      list.push_back({prefix + "up", *place.parent, prefix + (is_left ? "left" : "right")});
    }
    if (place.left) list.push_back({prefix + "left", *place.left, prefix + "up"});
    if (place.right) list.push_back({prefix + "right", *place.right, prefix + "up"});
  }
  return list;
}

ccl::Tree tree_of(const Team& team, bool second) {
  const std::string prefix = prefix_of(second);
  const Place place = place_in(second, team.index, team.size);
  ccl::Tree tree;
  if (place.parent) tree.parent = team.to(prefix + "up");
  if (place.left) tree.children.push_back(team.to(prefix + "left"));
  if (place.right) tree.children.push_back(team.to(prefix + "right"));
  return tree;
}

/// Sums the tiles of all members of a team, which take turns between the trees. A member is inside
/// one tree. It first sends the tiles of the other, in which it is a leaf, and gets their sums
/// last.
void exchange(kernel::Tl& tl, const Team& team, Tiles& tiles) {
  const ccl::Tree trees[] = {tree_of(team, false), tree_of(team, true)};
  const std::size_t leaf = trees[0].children.empty() ? 0 : 1;
  std::vector<std::uint64_t> sizes;
  for (const auto& tile : tiles) sizes.push_back(tile ? tile->columns() : 0);
  for (const std::size_t tree : {leaf, 1 - leaf}) {
    for (std::size_t i = tree; i < tiles.size(); i += 2) {
      if (sizes[i] == 0) continue;
      Tiles one{tiles[i]};
      ccl::reduce_to_root(tl, trees[tree], one);
      tiles[i] = one[0];
    }
  }
  for (const std::size_t tree : {1 - leaf, leaf}) {
    for (std::size_t i = tree; i < tiles.size(); i += 2) {
      if (sizes[i] == 0) continue;
      Tiles one{tiles[i]};
      ccl::broadcast_from_root(tl, trees[tree], one, {sizes[i]}, tiles[i]->type());
      tiles[i] = one[0];
    }
  }
}

void all_reduce(kernel::Tl& tl, const ccl::CollectiveArgs& args) {
  ccl::all_reduce_in_groups(tl, args, exchange, ccl::pieces_for(tl, args, 2 * args.slots));
}

const ccl::NeighborKindRegistration kTrees{
    {"example-trees", "a_up, a_left, ..., b_right: two binary trees", neighbors}};
const ccl::AlgorithmRegistration kAllReduce{{"example-double-tree",
                                             "two binary trees, each with half of the messages",
                                             "all_reduce",
                                             {"example-trees"},
                                             nullptr,
                                             all_reduce}};

}  // namespace
