// SPDX-License-Identifier: Apache-2.0
// All-to-all and all-gather in ceil(log2 n) messages (J. Bruck et al., "Efficient Algorithms for
// All-to-All Communications in Multiport Message-Passing Systems", 1997). A message carries up to
// half of all blocks, so it pays for small ones.

#include <algorithm>
#include <utility>

#include "model/ccl/exchanges.hpp"

namespace kernbench::model::ccl::bruck {
namespace {

using kernel::Tile;
using kernel::Tl;

std::string ahead(const Team& team, std::uint32_t step) {
  return team.to("ahead_" + std::to_string(step));
}

std::string behind(const Team& team, std::uint32_t step) {
  return team.to("behind_" + std::to_string(step));
}

/// A block at distance d travels the steps whose bits are set in d.
Tiles to_all(Tl& tl, const Round& round, const Tiles& input) {
  const Team& team = round.team;
  const std::uint32_t n = team.size;
  const std::uint64_t columns = round.input[0];
  Tiles blocks(n);  // by the distance that they have to travel
  for (std::uint32_t d = 0; d < n; ++d) blocks[d] = input[(team.index + d) % n];
  for (std::uint32_t step = 1; step < n; step *= 2) {
    std::vector<std::uint32_t> moving;
    for (std::uint32_t d = 0; d < n; ++d) {
      if ((d & step) != 0) moving.push_back(d);
    }
    const Tile packed = tl.buffer(moving.size() * columns, round.type);
    for (std::size_t i = 0; i < moving.size(); ++i) {
      tl.copy_into(tl.part(packed, i * columns, columns), *blocks[moving[i]]);
    }
    const Tile arrived =
        swap_tiles(tl, ahead(team, step), packed, behind(team, step), moving.size() * columns);
    for (std::size_t i = 0; i < moving.size(); ++i) {
      blocks[moving[i]] = tl.part(arrived, i * columns, columns);
    }
  }
  // A block that has travelled d places comes from d places behind.
  Tiles results(n);
  for (std::uint32_t d = 0; d < n; ++d) results[(team.index + n - d) % n] = blocks[d];
  return results;
}

/// Doubles the number of consecutive blocks that a place has in each step.
Tiles gather(Tl& tl, const Round& round, const Tiles& input) {
  const Team& team = round.team;
  const std::uint32_t n = team.size;
  const std::uint64_t columns = round.input[0];
  const Tile all = tl.buffer(n * columns, round.type);
  tl.copy_into(tl.part(all, 0, columns), *input[0]);
  for (std::uint32_t step = 1; step < n; step *= 2) {
    const std::uint64_t count = std::min(step, n - step) * columns;
    kernel::PendingTile pending =
        tl.irecv_into(ahead(team, step), tl.part(all, step * columns, count));
    tl.send(behind(team, step), tl.part(all, 0, count));
    tl.wait(std::move(pending));
  }
  Tiles results(n);
  for (std::uint32_t d = 0; d < n; ++d) {
    results[(team.index + d) % n] = tl.part(all, d * columns, columns);
  }
  return results;
}

void all_to_all(Tl& tl, const CollectiveArgs& args) {
  exchange_in_rounds(tl, args, to_all, args.call.size);
}

void all_gather(Tl& tl, const CollectiveArgs& args) {
  exchange_in_rounds(tl, args, gather, args.call.size);
}

/// ceil(log2 n) messages of all blocks with the bit in their distance, packed before.
Cost all_to_all_cost(const CostQuery& query) {
  return cost_in_rounds(
      query,
      [](const CostQuery& q, double bytes, double /*pieces*/) {
        Cost cost;
        for (std::uint32_t step = 1; step < q.members; step *= 2) {
          double moving = 0;
          for (std::uint32_t d = 0; d < q.members; ++d) moving += (d & step) != 0 ? 1 : 0;
          cost += Cost::of(Step::Copy, moving, bytes) +
                  (step == 1 ? q.sequence(1, moving * bytes) : q.following(moving * bytes));
        }
        return cost;
      },
      query.members);
}

/// ceil(log2 n) messages of n - 1 blocks together.
Cost all_gather_cost(const CostQuery& query) {
  return cost_in_rounds(
      query,
      [](const CostQuery& q, double bytes, double /*pieces*/) {
        Cost cost = Cost::of(Step::Copy, 1, bytes);
        for (std::uint32_t step = 1; step < q.members; step *= 2) {
          const double sent = std::min(step, q.members - step) * bytes;
          cost += step == 1 ? q.sequence(1, sent) : q.following(sent, step / 2 * bytes);
        }
        return cost;
      },
      query.members,
      [](const CostQuery& q, double bytes, double /*pieces*/) {
        // The first message of a round waits for the copy; the others keep the links busy.
        Cost cost = Cost::of(Step::Copy, 1, bytes) + q.sequence(1, bytes);
        for (std::uint32_t step = 2; step < q.members; step *= 2) {
          cost += Cost::of(Step::Further, 1, std::min(step, q.members - step) * bytes);
        }
        return cost;
      });
}

const AlgorithmRegistration kAllToAll{{"bruck-all-to-all",
                                       "log2(n) messages of half of all blocks",
                                       "all_to_all",
                                       {"powers"},
                                       nullptr,
                                       all_to_all,
                                       Ends::Roots,
                                       false,
                                       all_to_all_cost}};
const AlgorithmRegistration kAllGather{{"bruck-all-gather",
                                        "log2(n) messages, each twice as long as the one before",
                                        "all_gather",
                                        {"powers"},
                                        nullptr,
                                        all_gather,
                                        Ends::Roots,
                                        true,
                                        all_gather_cost}};

}  // namespace
}  // namespace kernbench::model::ccl::bruck
