// SPDX-License-Identifier: Apache-2.0
// All-reduce over one ring of all cubes of all members, a snake through each mesh that continues in
// the next member (P. Patarasuk, X. Yuan, "Bandwidth Optimal All-reduce Algorithms for Clusters of
// Workstations", 2009).

#include "model/ccl/exchanges.hpp"

namespace kernbench::model::ccl::ring {
namespace {

void exchange(kernel::Tl& tl, const Team& team, Tiles& tiles) {
  ring_all_reduce(tl, {team.size, team.index, team.to("next"), team.to("prev")}, tiles);
}

void kernel(kernel::Tl& tl, const CollectiveArgs& args) {
  all_reduce_in_groups(tl, args, exchange, args.team.size);
}

const AlgorithmRegistration kAlgorithm{{"ring",
                                        "one ring of all cubes of all members",
                                        "all_reduce",
                                        {"ring"},
                                        nullptr,
                                        kernel,
                                        Ends::Cubes}};

}  // namespace
}  // namespace kernbench::model::ccl::ring
