// SPDX-License-Identifier: Apache-2.0
// All-reduce over the PEs of a cube, as ranks: along a tree of shortest paths in the grid of the
// PEs, whose root is in the middle, over N, E, S and W.

#include "model/ccl/exchanges.hpp"

namespace kernbench::model::ccl::in_cube {
namespace {

std::string refuse(const GroupShape& group) {
  return group.places.empty() ? "needs the PEs of one cube, in a grid without gaps" : "";
}

void exchange(kernel::Tl& tl, const Team& team, Tiles& tiles) {
  const GroupShape& shape = *team.shape;
  sum_on_tree(
      tl, Tree::in_grid(shape.grid, shape.places[team.index], center_of(shape.grid), team.prefix),
      tiles);
}

void kernel(kernel::Tl& tl, const CollectiveArgs& args) {
  all_reduce_in_groups(tl, args, exchange, pieces_for(tl, args, args.slots));
}

Cost exchange_cost(const CostQuery& query, double bytes, double pieces) {
  const TreeShape tree = TreeShape::of_grid(query.grid, center_of(query.grid), false);
  return tree.reduce(query, bytes, pieces) + tree.broadcast(query, bytes, pieces);
}

Cost cost(const CostQuery& query) {
  return cost_in_groups(query, exchange_cost, pieces_for(query.bytes, query.slots));
}

const AlgorithmRegistration kInCube{{"in-cube",
                                     "a tree over the PEs of a cube, as they lie in it",
                                     "all_reduce",
                                     {"pes"},
                                     refuse,
                                     kernel,
                                     Ends::Roots,
                                     true,
                                     cost}};

}  // namespace
}  // namespace kernbench::model::ccl::in_cube
