// SPDX-License-Identifier: Apache-2.0
// Neighbour kinds that are trees: one binary tree, two of them (P. Sanders, J. Speck, J. L. Traff,
// "Two-Tree Algorithms for Full Bandwidth Broadcast, Reduction and Scan", 2009), and a tree of two
// levels, within a SIP and across SIPs.

#include <string>

#include "model/ccl/trees.hpp"

namespace kernbench::model::ccl::trees {
namespace {

/// Adds the neighbours of a member in a tree, with `prefix` before "parent", "left" and "right".
void add_tree(std::vector<Neighbor>& list, const TreePlace& place, const TreePlace* parent,
              std::uint32_t member, const std::string& prefix) {
  if (parent != nullptr) {
    list.push_back(
        {prefix + "parent", *place.parent, prefix + (parent->left == member ? "left" : "right")});
  }
  if (place.left) list.push_back({prefix + "left", *place.left, prefix + "parent"});
  if (place.right) list.push_back({prefix + "right", *place.right, prefix + "parent"});
}

std::vector<Neighbor> tree(std::uint32_t member, const GroupShape& group) {
  std::vector<Neighbor> list;
  const TreePlace place = binary_tree(member, group.size);
  const TreePlace parent = binary_tree(place.parent.value_or(0), group.size);
  add_tree(list, place, place.parent ? &parent : nullptr, member, "");
  return list;
}

std::vector<Neighbor> two_trees(std::uint32_t member, const GroupShape& group) {
  std::vector<Neighbor> list;
  for (const bool second : {false, true}) {
    const TreePlace place = two_tree(member, group.size, second);
    const TreePlace parent = two_tree(place.parent.value_or(0), group.size, second);
    add_tree(list, place, place.parent ? &parent : nullptr, member, second ? "second_" : "first_");
  }
  return list;
}

/// The members of each SIP form a binary tree, whose root is the first of them, the leader; the
/// leaders form a ring.
std::vector<Neighbor> leaders(std::uint32_t member, const GroupShape& group) {
  const LeaderPlace place = leader_place(member, group);
  std::vector<Neighbor> list;
  const auto size = static_cast<std::uint32_t>(place.members.size());
  const TreePlace inside = binary_tree(place.index, size);
  if (inside.parent) {
    const bool left = binary_tree(*inside.parent, size).left == place.index;
    list.push_back({"parent", place.members[*inside.parent], left ? "left" : "right"});
  }
  if (inside.left) list.push_back({"left", place.members[*inside.left], "parent"});
  if (inside.right) list.push_back({"right", place.members[*inside.right], "parent"});
  const auto n = static_cast<std::uint32_t>(place.leaders.size());
  if (!inside.parent && n > 1) {
    list.push_back({"next", place.leaders[(place.leader_index + 1) % n], "prev"});
    list.push_back({"prev", place.leaders[(place.leader_index + n - 1) % n], "next"});
  }
  return list;
}

const NeighborKindRegistration kTree{{"tree", "parent, left, right: a binary tree", tree}};
const NeighborKindRegistration kTwoTrees{
    {"two-trees",
     "first_parent, ..., second_right: two binary trees; a leaf of one is inside the other",
     two_trees}};
const NeighborKindRegistration kLeaders{
    {"leaders", "parent, left, right: a tree in each SIP; next, prev: a ring of their roots",
     leaders}};

}  // namespace
}  // namespace kernbench::model::ccl::trees
