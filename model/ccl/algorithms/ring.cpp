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

/// 2 (N - 1) steps of N cubes. Pieces pass a link between members once for each member, and links
/// between cubes otherwise; the slowest link bounds all.
Cost exchange_cost(const CostQuery& query, double bytes, double /*pieces*/) {
  const double cubes = query.members;
  const double across = query.rank_links;
  const auto step = [&](bool adds) {
    const Cost add = Cost::of(Step::Add, adds ? 1 : 0, bytes);
    const Cost mean = (across / cubes) * Cost::of(Step::Message, 1, bytes) +
                      (1 - across / cubes) * Cost::of(Step::InnerMessage, 1, bytes) + add;
    if (across == 0) return mean;
    return query.slower(
        mean, query.slower(Cost::of(Step::Further, 1, bytes), query.per_credit(bytes)) + add);
  };
  return (cubes - 1) * (step(true) + step(false));
}

Cost cost(const CostQuery& query) {
  return cost_in_groups(query, exchange_cost, query.members);
}

const AlgorithmRegistration kAlgorithm{{"ring",
                                        "one ring of all cubes of all members",
                                        "all_reduce",
                                        {"ring"},
                                        nullptr,
                                        kernel,
                                        Ends::Cubes,
                                        true,
                                        cost}};

}  // namespace
}  // namespace kernbench::model::ccl::ring
