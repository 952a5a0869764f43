// SPDX-License-Identifier: Apache-2.0
// All-reduce over all cubes of all members: each sums towards one cube of its mesh, these cubes
// exchange sums, and each broadcasts them along the same paths. intercube-corner takes cube 0, with
// twice as many hops as the middle one within a SIP.

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
  ring_all_reduce(tl, {grid.w, team.index % grid.w, team.to("E"), team.to("W")}, tiles);
  ring_all_reduce(tl, {grid.h, team.index / grid.w, team.to("S"), team.to("N")}, tiles);
}

void kernel(kernel::Tl& tl, const CollectiveArgs& args) {
  all_reduce_in_groups(tl, args, exchange, args.call.size);
}

const AlgorithmRegistration kCenter{{"intercube-center",
                                     "sums in each member's middle cube, then between members",
                                     "all_reduce",
                                     {"ring", "torus", "mesh"},
                                     nullptr,
                                     kernel,
                                     Ends::Center}};
const AlgorithmRegistration kCorner{{"intercube-corner",
                                     "sums in each member's corner cube, then between members",
                                     "all_reduce",
                                     {"ring", "torus", "mesh"},
                                     nullptr,
                                     kernel,
                                     Ends::Corner}};

}  // namespace
}  // namespace kernbench::model::ccl::intercube
