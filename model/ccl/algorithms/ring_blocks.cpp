// SPDX-License-Identifier: Apache-2.0
// All-gather and reduce-scatter around a ring of members: n - 1 messages, one after the other
// (P. Patarasuk, X. Yuan, "Bandwidth Optimal All-reduce Algorithms for Clusters of Workstations",
// 2009); and a barrier, a token that goes around the ring.

#include "model/ccl/exchanges.hpp"

namespace kernbench::model::ccl::ring_blocks {
namespace {

using kernel::Tl;

/// Returns the ring of a team, with the indices of places moved by one: a reduce-scatter then ends,
/// and an all-gather begins, with the place's own slice.
RingPlace ring_of(const Team& team) {
  return {team.size, (team.index + team.size - 1) % team.size, team.to("next"), team.to("prev")};
}

Tiles gather(Tl& tl, const Round& round, const Tiles& input) {
  // The ring replaces the other tiles, which have the same size.
  Tiles tiles(round.output.size(), input[0]);
  ring_all_gather(tl, ring_of(round.team), tiles);
  return tiles;
}

Tiles scatter(Tl& tl, const Round& round, const Tiles& input) {
  Tiles tiles = input;
  ring_reduce_scatter(tl, ring_of(round.team), tiles);
  return {tiles[round.team.index]};
}

void all_gather(Tl& tl, const CollectiveArgs& args) {
  exchange_in_rounds(tl, args, gather);
}

void reduce_scatter(Tl& tl, const CollectiveArgs& args) {
  exchange_in_rounds(tl, args, scatter);
}

void go_around_once(Tl& tl, const Team& team, kernel::Tile& token) {
  for (std::uint32_t step = 0; step + 1 < team.size; ++step) {
    tl.send(team.to("next"), token);
    token = tl.recv(team.to("prev"), 1, 1, data::DataType::I32);
  }
}

void barrier(Tl& tl, const CollectiveArgs& args) {
  barrier_by_token(tl, args, go_around_once);
}

/// n - 1 messages of a block, one after the other.
Cost all_gather_cost(const CostQuery& query) {
  return cost_in_rounds(
      query,
      [](const CostQuery& q, double bytes, double /*pieces*/) {
        return ring_cost(q, q.members, bytes, false);
      },
      1,
      [](const CostQuery& q, double bytes, double /*pieces*/) {
        return (q.members - 1) * q.following(bytes);
      });
}

Cost reduce_scatter_cost(const CostQuery& query) {
  return cost_in_rounds(query, [](const CostQuery& q, double bytes, double /*pieces*/) {
    return ring_cost(q, q.members, bytes, true);
  });
}

Cost barrier_cost(const CostQuery& query) {
  return token_cost(query) + Cost::of(Step::Message, query.members - 1, 4);
}

const AlgorithmRegistration kAllGather{{"ring-all-gather",
                                        "a ring of members",
                                        "all_gather",
                                        {"ring"},
                                        nullptr,
                                        all_gather,
                                        Ends::Roots,
                                        true,
                                        all_gather_cost}};
const AlgorithmRegistration kReduceScatter{{"ring-reduce-scatter",
                                            "a ring of members",
                                            "reduce_scatter",
                                            {"ring"},
                                            nullptr,
                                            reduce_scatter,
                                            Ends::Roots,
                                            true,
                                            reduce_scatter_cost}};
const AlgorithmRegistration kBarrier{{"ring-barrier",
                                      "a token around a ring of members",
                                      "barrier",
                                      {"ring"},
                                      nullptr,
                                      barrier,
                                      Ends::Roots,
                                      true,
                                      barrier_cost}};

}  // namespace
}  // namespace kernbench::model::ccl::ring_blocks
