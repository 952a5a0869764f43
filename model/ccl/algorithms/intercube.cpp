// SPDX-License-Identifier: Apache-2.0
// All-reduce over all cubes of all members: each sums towards one cube of its mesh, these cubes
// exchange sums, and each broadcasts them along the same paths. intercube-corner takes cube 0, with
// twice as many hops as the middle one within a SIP.

#include <cmath>

#include "model/ccl/exchanges.hpp"

namespace kernbench::model::ccl::intercube {
namespace {

/// Sums over a ring, the rings of a torus, or a tree in a mesh.
void exchange(kernel::Tl& tl, const Team& team, Tiles& tiles) {
  const std::string& kind = team.neighbors->name;
  if (kind == "ring") {
    ring_all_reduce(tl, {team.size, team.index, team.to("next"), team.to("prev")}, tiles);
    return;
  }
  const Grid& grid = team.shape->grid;
  if (kind == "mesh") {
    sum_on_tree(tl, Tree::in_grid(grid, team.index, center_of(grid), team.prefix), tiles);
    return;
  }
  ring_all_reduce(tl, {grid.nx, team.index % grid.nx, team.to("E"), team.to("W")}, tiles);
  ring_all_reduce(tl, {grid.ny, team.index / grid.nx, team.to("S"), team.to("N")}, tiles);
}

void kernel(kernel::Tl& tl, const CollectiveArgs& args) {
  all_reduce_in_groups(tl, args, exchange, args.call.size);
}

/// A ring: 2 (n - 1) messages. A torus: its rows, then its columns, with all pieces. A mesh: a tree
/// of shortest paths.
Cost exchange_cost(const CostQuery& query, double bytes, double pieces) {
  if (query.kind == "ring") return ring_all_reduce_cost(query, query.members, bytes);
  if (query.kind == "mesh") {
    const TreeShape tree = TreeShape::of_grid(query.grid, center_of(query.grid), false);
    return tree.reduce(query, bytes, pieces) + tree.broadcast(query, bytes, pieces);
  }
  return ring_all_reduce_cost(query, query.grid.nx, bytes, std::ceil(pieces / query.grid.nx)) +
         ring_all_reduce_cost(query, query.grid.ny, bytes, std::ceil(pieces / query.grid.ny));
}

Cost cost(const CostQuery& query) {
  return cost_in_groups(query, exchange_cost, query.members);
}

const AlgorithmRegistration kCenter{{"intercube-center",
                                     "sums in each member's middle cube, then between members",
                                     "all_reduce",
                                     {"ring", "torus", "mesh"},
                                     nullptr,
                                     kernel,
                                     Ends::Center,
                                     true,
                                     cost}};
const AlgorithmRegistration kCorner{{"intercube-corner",
                                     "sums in each member's corner cube, then between members",
                                     "all_reduce",
                                     {"ring", "torus", "mesh"},
                                     nullptr,
                                     kernel,
                                     Ends::Corner,
                                     true,
                                     cost}};

}  // namespace
}  // namespace kernbench::model::ccl::intercube
