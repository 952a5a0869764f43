// SPDX-License-Identifier: Apache-2.0
// All-reduce over trees of members. One tree has few steps, but the links of inner members carry
// all data several times. In two trees, each with half of the data, a member inside one is a leaf
// of the other (P. Sanders, J. Speck, J. L. Traff, "Two-Tree Algorithms for Full Bandwidth
// Broadcast, Reduction and Scan", 2009). The tree of leaders sums within each SIP first, then over
// a ring of SIPs.

#include <algorithm>

#include "model/ccl/exchanges.hpp"
#include "model/ccl/trees.hpp"

namespace kernbench::model::ccl::tree {
namespace {

using kernel::Tl;

Tree tree_of(const Team& team, const TreePlace& place, const std::string& prefix) {
  Tree tree;
  if (place.parent) tree.parent = team.to(prefix + "parent");
  if (place.left) tree.children.push_back(team.to(prefix + "left"));
  if (place.right) tree.children.push_back(team.to(prefix + "right"));
  return tree;
}

void on_one_tree(Tl& tl, const Team& team, Tiles& tiles) {
  sum_on_tree(tl, tree_of(team, binary_tree(team.index, team.size), ""), tiles);
}

void on_two_trees(Tl& tl, const Team& team, Tiles& tiles) {
  const Tree first = tree_of(team, two_tree(team.index, team.size, false), "first_");
  const Tree second = tree_of(team, two_tree(team.index, team.size, true), "second_");
  std::vector<std::uint64_t> sizes;
  for (const auto& tile : tiles) sizes.push_back(tile ? tile->columns() : 0);
  // A member is inside one tree. It first sends the tiles of the other, without waiting for other
  // members, and at the end receives their sums.
  const bool first_is_leaf = first.children.empty();
  const auto each = [&](bool leaf, auto&& work) {
    for (std::size_t i = leaf == first_is_leaf ? 0 : 1; i < tiles.size(); i += 2) {
      if (!tiles[i]) continue;
      Tiles one{tiles[i]};
      work(i % 2 == 0 ? first : second, one, sizes[i]);
      tiles[i] = one[0];
    }
  };
  const auto up = [&](const Tree& tree, Tiles& one, std::uint64_t /*size*/) {
    reduce_to_root(tl, tree, one);
  };
  const auto down = [&](const Tree& tree, Tiles& one, std::uint64_t size) {
    const data::DataType type = one[0]->type();
    broadcast_from_root(tl, tree, one, {size}, type);
  };
  each(true, up);
  each(false, up);
  each(false, down);
  each(true, down);
}

void by_leaders(Tl& tl, const Team& team, Tiles& tiles) {
  const LeaderPlace place = leader_place(team.index, *team.shape);
  const auto members = static_cast<std::uint32_t>(place.members.size());
  const RingPlace ring{static_cast<std::uint32_t>(place.leaders.size()), place.leader_index,
                       team.to("next"), team.to("prev")};
  sum_on_tree(tl, tree_of(team, binary_tree(place.index, members), ""), tiles,
              [&](Tiles& sums) { ring_all_reduce(tl, ring, sums); });
}

void one_tree(Tl& tl, const CollectiveArgs& args) {
  all_reduce_in_groups(tl, args, on_one_tree, pieces_for(tl, args, args.slots));
}

void two_trees(Tl& tl, const CollectiveArgs& args) {
  all_reduce_in_groups(tl, args, on_two_trees, pieces_for(tl, args, 2 * args.slots));
}

void hierarchical(Tl& tl, const CollectiveArgs& args) {
  const LeaderPlace place = leader_place(args.rank, *args.team.shape);
  all_reduce_in_groups(tl, args, by_leaders, static_cast<std::uint32_t>(place.leaders.size()));
}

TreePlace first_tree(std::uint32_t member, std::uint32_t size) {
  return two_tree(member, size, false);
}

/// Up and down a tree of depth log2 n; all but the first piece add what they cost an inner member.
Cost one_tree_cost(const CostQuery& query) {
  return cost_in_groups(
      query,
      [](const CostQuery& q, double bytes, double pieces) {
        const TreeShape tree = TreeShape::of_places(q.members, binary_tree);
        return tree.reduce(q, bytes, pieces) + tree.broadcast(q, bytes, pieces);
      },
      pieces_for(query.bytes, query.slots));
}

/// The same with half of the pieces in each tree. As a leaf of the other tree a member sends while
/// it receives, and takes sums at the end.
Cost two_trees_cost(const CostQuery& query) {
  return cost_in_groups(
      query,
      [](const CostQuery& q, double bytes, double pieces) {
        const TreeShape tree = TreeShape::of_places(q.members, first_tree);
        const double each = std::max(1.0, pieces / 2);
        const Cost other = Cost::of(Step::Take, pieces - each, bytes);
        return tree.reduce(q, bytes, each) + tree.broadcast(q, bytes, each) + other;
      },
      pieces_for(query.bytes, 2 * query.slots));
}

/// A tree within a SIP and a ring of SIPs.
Cost hierarchical_cost(const CostQuery& query) {
  return cost_in_groups(
      query,
      [](const CostQuery& q, double bytes, double pieces) {
        const TreeShape tree = TreeShape::of_places(q.sip_members, binary_tree);
        return tree.reduce(q, bytes, pieces) + tree.broadcast(q, bytes, pieces) +
               ring_all_reduce_cost(q, q.sips, bytes);
      },
      query.sips);
}

const AlgorithmRegistration kTree{{"tree",
                                   "a binary tree of members",
                                   "all_reduce",
                                   {"tree"},
                                   nullptr,
                                   one_tree,
                                   Ends::Roots,
                                   true,
                                   one_tree_cost}};
const AlgorithmRegistration kTwoTrees{{"double-tree",
                                       "two binary trees of members, each with half of the data",
                                       "all_reduce",
                                       {"two-trees"},
                                       nullptr,
                                       two_trees,
                                       Ends::Roots,
                                       true,
                                       two_trees_cost}};
const AlgorithmRegistration kHierarchical{{"hierarchical",
                                           "a tree within each SIP, then a ring of SIPs",
                                           "all_reduce",
                                           {"leaders"},
                                           nullptr,
                                           hierarchical,
                                           Ends::Roots,
                                           true,
                                           hierarchical_cost}};

}  // namespace
}  // namespace kernbench::model::ccl::tree
