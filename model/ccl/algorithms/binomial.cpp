// SPDX-License-Identifier: Apache-2.0
// Broadcast, reduce and barrier in ceil(log2 n) steps: a binomial tree (R. Thakur, R. Rabenseifner,
// W. Gropp, "Optimization of Collective Communication Operations in MPICH", 2005) and
// dissemination (D. Hensgen, R. Finkel, U. Manber, "Two Algorithms for Barrier Synchronization",
// 1988).

#include <bit>

#include "model/ccl/exchanges.hpp"

namespace kernbench::model::ccl::binomial {
namespace {

using kernel::Tl;

std::string ahead(const Team& team, std::uint32_t step) {
  return team.to("ahead_" + std::to_string(step));
}

std::string behind(const Team& team, std::uint32_t step) {
  return team.to("behind_" + std::to_string(step));
}

/// Returns a place's distance from the root around the ring.
std::uint32_t distance(const Round& round) {
  return (round.team.index + round.team.size - round.root) % round.team.size;
}

Tiles spread(Tl& tl, const Round& round, const Tiles& input) {
  const std::uint32_t n = round.team.size;
  const std::uint32_t place = distance(round);
  Tiles tiles(1);
  if (round.output[0] == 0) return tiles;
  if (place == 0) tiles[0] = input[0];
  for (std::uint32_t step = 1; step < n; step *= 2) {
    if (place < step && place + step < n) tl.send(ahead(round.team, step), *tiles[0]);
    if (place >= step && place < 2 * step) {
      tiles[0] = tl.recv(behind(round.team, step), 1, round.output[0], round.type);
    }
  }
  return tiles;
}

Tiles collect(Tl& tl, const Round& round, const Tiles& input) {
  const std::uint32_t n = round.team.size;
  const std::uint32_t place = distance(round);
  Tiles tiles = input;
  if (!tiles[0]) return round.results();
  for (std::uint32_t step = std::bit_ceil(n) / 2; step > 0; step /= 2) {
    if (place < step && place + step < n) {
      tiles[0] = *tiles[0] + tl.recv(ahead(round.team, step), 1, round.input[0], round.type);
    }
    if (place >= step && place < 2 * step) tl.send(behind(round.team, step), *tiles[0]);
  }
  return place == 0 ? tiles : Tiles();
}

void broadcast(Tl& tl, const CollectiveArgs& args) {
  exchange_in_rounds(tl, args, spread);
}

void reduce(Tl& tl, const CollectiveArgs& args) {
  exchange_in_rounds(tl, args, collect);
}

void disseminate(Tl& tl, const Team& team, kernel::Tile& token) {
  for (std::uint32_t step = 1; step < team.size; step *= 2) {
    token = swap_tiles(tl, ahead(team, step), token, behind(team, step), 1);
  }
}

void barrier(Tl& tl, const CollectiveArgs& args) {
  barrier_by_token(tl, args, disseminate);
}

std::uint32_t steps_of(const CostQuery& query) {
  return static_cast<std::uint32_t>(std::bit_width(query.members - 1));
}

/// Returns the cost of the slowest way between the root and a place. It has as many messages as the
/// place's distance has bits; for each bit that is not set, a message to another place goes before.
Cost slowest_way(const CostQuery& query, double bytes, bool adds) {
  Cost slowest;
  for (std::uint32_t place = 1; place < query.members; ++place) {
    const auto messages = static_cast<std::uint32_t>(std::popcount(place));
    const auto steps = static_cast<std::uint32_t>(std::bit_width(place));
    slowest = query.slower(slowest, Cost::of(Step::Message, messages, bytes) +
                                        Cost::of(Step::Further, steps - messages, bytes) +
                                        Cost::of(Step::Add, adds ? steps : 0, bytes));
  }
  return slowest;
}

/// ceil(log2 n) messages, one after the other; the root sends all of its own.
Cost broadcast_cost(const CostQuery& query) {
  return cost_in_rounds(
      query,
      [](const CostQuery& q, double bytes, double /*pieces*/) {
        return slowest_way(q, bytes, false);
      },
      1,
      [](const CostQuery& q, double bytes, double /*pieces*/) {
        return Cost::of(Step::Further, steps_of(q), bytes);
      });
}

Cost reduce_cost(const CostQuery& query) {
  return cost_in_rounds(
      query,
      [](const CostQuery& q, double bytes, double /*pieces*/) {
        return slowest_way(q, bytes, true);
      },
      1,
      [](const CostQuery& q, double bytes, double /*pieces*/) {
        return steps_of(q) *
               q.slower(Cost::of(Step::Further, 1, bytes),
                        Cost::of(Step::Take, 1, bytes) + Cost::of(Step::Add, 1, bytes));
      });
}

Cost barrier_cost(const CostQuery& query) {
  return token_cost(query) + Cost::of(Step::Message, steps_of(query), 4);
}

const AlgorithmRegistration kBroadcast{{"binomial-broadcast",
                                        "a binomial tree",
                                        "broadcast",
                                        {"powers"},
                                        nullptr,
                                        broadcast,
                                        Ends::Roots,
                                        true,
                                        broadcast_cost}};
const AlgorithmRegistration kReduce{{"binomial-reduce",
                                     "a binomial tree",
                                     "reduce",
                                     {"powers"},
                                     nullptr,
                                     reduce,
                                     Ends::Roots,
                                     true,
                                     reduce_cost}};
const AlgorithmRegistration kBarrier{{"dissemination-barrier",
                                      "messages over distances of 1, 2, 4, ...",
                                      "barrier",
                                      {"powers"},
                                      nullptr,
                                      barrier,
                                      Ends::Roots,
                                      true,
                                      barrier_cost}};

}  // namespace
}  // namespace kernbench::model::ccl::binomial
