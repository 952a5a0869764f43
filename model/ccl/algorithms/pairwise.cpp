// SPDX-License-Identifier: Apache-2.0
// All-to-all by pairwise exchange, scatter and gather, each with one message for a block, between
// its two members; all are in flight at the same time (R. Thakur, R. Rabenseifner, W. Gropp,
// "Optimization of Collective Communication Operations in MPICH", 2005).

#include <optional>
#include <utility>

#include "model/ccl/exchanges.hpp"

namespace kernbench::model::ccl::pairwise {
namespace {

using kernel::PendingTile;
using kernel::Tl;

std::string to(const Team& team, std::uint32_t member) {
  return team.to(std::to_string(member));
}

/// In step k a member sends to the one k places ahead and receives from the one k places behind.
Tiles to_all(Tl& tl, const Round& round, const Tiles& input) {
  const Team& team = round.team;
  const std::uint32_t n = team.size;
  const auto behind = [&](std::uint32_t step) { return (team.index + n - step) % n; };
  std::vector<std::optional<PendingTile>> pending(n);
  for (std::uint32_t step = 1; step < n; ++step) {
    const std::uint32_t from = behind(step);
    if (round.output[from] == 0) continue;
    pending[from] = tl.irecv(to(team, from), 1, round.output[from], round.type);
  }
  for (std::uint32_t step = 1; step < n; ++step) {
    const std::uint32_t target = (team.index + step) % n;
    if (input[target]) tl.send(to(team, target), *input[target]);
  }
  Tiles results(n);
  results[team.index] = input[team.index];
  for (std::uint32_t step = 1; step < n; ++step) {
    const std::uint32_t from = behind(step);
    if (pending[from]) results[from] = tl.wait(*std::exchange(pending[from], std::nullopt));
  }
  return results;
}

Tiles from_root(Tl& tl, const Round& round, const Tiles& input) {
  const Team& team = round.team;
  if (team.index != round.root) {
    if (round.output[0] == 0) return round.results();
    return {tl.recv(to(team, round.root), 1, round.output[0], round.type)};
  }
  for (std::uint32_t step = 1; step < team.size; ++step) {
    const std::uint32_t target = (team.index + step) % team.size;
    if (input[target]) tl.send(to(team, target), *input[target]);
  }
  return {input[team.index]};
}

Tiles to_root(Tl& tl, const Round& round, const Tiles& input) {
  const Team& team = round.team;
  if (team.index != round.root) {
    if (input[0]) tl.send(to(team, round.root), *input[0]);
    return {};
  }
  std::vector<std::optional<PendingTile>> pending(team.size);
  for (std::uint32_t member = 0; member < team.size; ++member) {
    if (member == team.index || round.output[member] == 0) continue;
    pending[member] = tl.irecv(to(team, member), 1, round.output[member], round.type);
  }
  Tiles results(team.size);
  results[team.index] = input[0];
  for (std::uint32_t member = 0; member < team.size; ++member) {
    if (pending[member]) results[member] = tl.wait(*std::exchange(pending[member], std::nullopt));
  }
  return results;
}

void all_to_all(Tl& tl, const CollectiveArgs& args) {
  exchange_in_rounds(tl, args, to_all);
}

void scatter(Tl& tl, const CollectiveArgs& args) {
  exchange_in_rounds(tl, args, from_root);
}

void gather(Tl& tl, const CollectiveArgs& args) {
  exchange_in_rounds(tl, args, to_root);
}

/// n - 1 messages, each in flight behind another.
Cost messages_cost(const CostQuery& query, double bytes, double /*pieces*/) {
  if (query.members == 1) return {};
  return Cost::of(Step::Message, 1, bytes) + Cost::of(Step::Further, query.members - 2, bytes);
}

Cost further_messages_cost(const CostQuery& query, double bytes, double /*pieces*/) {
  return Cost::of(Step::Further, query.members - 1, bytes);
}

Cost all_to_all_cost(const CostQuery& query) {
  return cost_in_rounds(query, messages_cost);
}

/// The messages arrive at about the same time, and the root takes one after the other.
Cost gather_cost(const CostQuery& query) {
  return cost_in_rounds(
      query,
      [](const CostQuery& q, double bytes, double pieces) {
        return messages_cost(q, bytes, pieces) + Cost::of(Step::Take, q.members - 1, bytes);
      },
      1, further_messages_cost);
}

Cost scatter_cost(const CostQuery& query) {
  return cost_in_rounds(query, messages_cost, 1, further_messages_cost);
}

const AlgorithmRegistration kAllToAll{{"pairwise",
                                       "each pair of members exchanges its blocks",
                                       "all_to_all",
                                       {"pairs"},
                                       nullptr,
                                       all_to_all,
                                       Ends::Roots,
                                       true,
                                       all_to_all_cost}};
const AlgorithmRegistration kScatter{{"direct-scatter",
                                      "a message from the root to each member",
                                      "scatter",
                                      {"pairs"},
                                      nullptr,
                                      scatter,
                                      Ends::Roots,
                                      true,
                                      scatter_cost}};
const AlgorithmRegistration kGather{{"direct-gather",
                                     "a message from each member to the root",
                                     "gather",
                                     {"pairs"},
                                     nullptr,
                                     gather,
                                     Ends::Roots,
                                     true,
                                     gather_cost}};

}  // namespace
}  // namespace kernbench::model::ccl::pairwise
