// SPDX-License-Identifier: Apache-2.0
// All-reduce over one ring of all cubes of all members, a snake through each mesh that continues in
// the next member (P. Patarasuk, X. Yuan, "Bandwidth Optimal All-reduce Algorithms for Clusters of
// Workstations", 2009).

#include <algorithm>

#include "model/ccl/exchanges.hpp"

namespace kernbench::model::ccl::ring {
namespace {

void exchange(kernel::Tl& tl, const Team& team, Tiles& tiles) {
  ring_all_reduce(tl, {team.size, team.index, team.to("next"), team.to("prev")}, tiles);
}

void kernel(kernel::Tl& tl, const CollectiveArgs& args) {
  all_reduce_in_groups(tl, args, exchange, args.team.size);
}

/// 2 (N - 1) steps of N cubes. A piece passes all links but one, those between members and those
/// between cubes; each link between members carries all pieces, as fast as its bytes and credits
/// allow.
Cost exchange_cost(const CostQuery& query, double bytes, double pieces) {
  const std::uint32_t cubes = query.members;
  const double across = query.rank_links;
  if (query.rank_links == cubes) return ring_all_reduce_cost(query, cubes, bytes);
  const double full = std::min(
      {pieces, static_cast<double>(cubes - 1), static_cast<double>(query.bytes / query.element)});
  const auto phase = [&](bool adds) {
    const Cost add = Cost::of(Step::Add, adds ? 1 : 0, bytes);
    const Cost mean = (across / cubes) * Cost::of(Step::Message, 1, bytes) +
                      (1 - across / cubes) * Cost::of(Step::InnerMessage, 1, bytes) + add;
    const Cost way = (cubes - 1) * mean;
    if (across == 0) return way;
    const Cost link = query.slower(Cost::of(Step::Further, 1, bytes), query.per_credit(bytes));
    return query.slower(way, full * (link + add));
  };
  return phase(true) + phase(false);
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
