// SPDX-License-Identifier: Apache-2.0
// All-reduce between members in log steps, by recursive halving and doubling and by recursive
// doubling (R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of Collective Communication
// Operations in MPICH", 2005). Members beyond 2^k hand their numbers to one of the 2^k before and
// get the sums after.

#include <bit>
#include <utility>

#include "model/ccl/exchanges.hpp"

namespace kernbench::model::ccl::hypercube {
namespace {

using kernel::Tile;
using kernel::Tl;

/// Sums the tile over the 2^k members of the hypercube.
using Inside = Tile (*)(Tl& tl, const Team& team, std::uint32_t bits, const Tile& tile);

/// Some columns of a row.
struct Columns {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  [[nodiscard]] std::uint64_t size() const { return end - begin; }
};

std::string partner_of(const Team& team, std::uint32_t bit) {
  return team.to(std::to_string(bit));
}

/// Halves the columns in each step, then gathers them in reverse: 2 k messages.
Tile halve_and_double(Tl& tl, const Team& team, std::uint32_t bits, const Tile& tile) {
  Tile sums = tile;  // of the columns kept.back()
  const std::uint64_t columns = tile.columns();
  const Tile all = tl.buffer(columns, tile.type());
  // Columns of each step: half of those of the step before, the upper half for a member with the
  // bit.
  std::vector<Columns> kept{{0, columns}};
  std::vector<Columns> given;
  for (std::uint32_t bit = bits; bit-- > 0;) {
    const Columns whole = kept.back();
    const Columns lower{whole.begin, whole.begin + whole.size() / 2};
    const Columns upper{lower.end, whole.end};
    const bool is_upper = ((team.index >> bit) & 1U) != 0;
    const Columns mine = is_upper ? upper : lower;
    const Columns theirs = is_upper ? lower : upper;
    const std::string partner = partner_of(team, bit);
    const Tile other =
        swap_tiles(tl, partner, tl.part(sums, theirs.begin - whole.begin, theirs.size()), partner,
                   mine.size());
    const Tile own = tl.part(sums, mine.begin - whole.begin, mine.size());
    if (bit == 0) {
      tl.add_into(tl.part(all, mine.begin, mine.size()), own, other);
    } else {
      sums = own + other;
    }
    kept.push_back(mine);
    given.push_back(theirs);
  }
  for (std::uint32_t bit = 0; bit < bits; ++bit) {
    const Columns mine = kept[bits - bit];
    const Columns theirs = given[bits - 1 - bit];
    const std::string partner = partner_of(team, bit);
    kernel::PendingTile pending = tl.irecv_into(partner, tl.part(all, theirs.begin, theirs.size()));
    tl.send(partner, tl.part(all, mine.begin, mine.size()));
    tl.wait(std::move(pending));
  }
  return all;
}

/// Exchanges all columns in each step: k messages.
Tile double_only(Tl& tl, const Team& team, std::uint32_t bits, const Tile& tile) {
  Tile mine = tile;
  for (std::uint32_t bit = 0; bit < bits; ++bit) {
    const std::string partner = partner_of(team, bit);
    const Tile other = swap_tiles(tl, partner, mine, partner, mine.columns());
    // Both partners add in the order of indices, so that all members get the same bits.
    mine = ((team.index >> bit) & 1U) == 0 ? mine + other : other + mine;
  }
  return mine;
}

void exchange(Tl& tl, const Team& team, Tiles& tiles, Inside inside) {
  if (!tiles[0] || team.size == 1) return;
  const std::uint32_t bits = log2_of(team.size);
  const std::uint32_t size = std::uint32_t{1} << bits;
  Tile& tile = *tiles[0];
  if (team.index >= size) {
    tl.send(team.to("fold"), tile);
    tile = tl.recv(team.to("fold"), 1, tile.columns(), tile.type());
    return;
  }
  const bool folds = team.index + size < team.size;
  if (folds) tile = tile + tl.recv(team.to("fold"), 1, tile.columns(), tile.type());
  tile = inside(tl, team, bits, tile);
  if (folds) tl.send(team.to("fold"), tile);
}

void halving_doubling(Tl& tl, const CollectiveArgs& args) {
  all_reduce_in_groups(
      tl, args,
      [](Tl& own, const Team& team, Tiles& tiles) { exchange(own, team, tiles, halve_and_double); },
      1);
}

void recursive_doubling(Tl& tl, const CollectiveArgs& args) {
  all_reduce_in_groups(
      tl, args,
      [](Tl& own, const Team& team, Tiles& tiles) { exchange(own, team, tiles, double_only); }, 1);
}

/// Reduces and scatters: member m keeps the blocks that share its upper bits, half as many in each
/// step.
Tiles halve_blocks(Tl& tl, const Round& round, const Tiles& input) {
  Tiles tiles = input;
  const Team& team = round.team;
  std::uint32_t begin = 0;
  std::uint32_t count = team.size;
  for (std::uint32_t bit = log2_of(team.size); bit-- > 0;) {
    count /= 2;
    const bool is_upper = ((team.index >> bit) & 1U) != 0;
    const std::uint32_t mine = begin + (is_upper ? count : 0);
    const std::uint32_t theirs = begin + (is_upper ? 0 : count);
    const std::string partner = partner_of(team, bit);
    std::vector<kernel::PendingTile> pending;
    for (std::uint32_t i = mine; i < mine + count; ++i) {
      if (tiles[i]) pending.push_back(tl.irecv(partner, 1, tiles[i]->columns(), round.type));
    }
    for (std::uint32_t i = theirs; i < theirs + count; ++i) {
      if (tiles[i]) tl.send(partner, *tiles[i]);
    }
    auto next = pending.begin();
    for (std::uint32_t i = mine; i < mine + count; ++i) {
      if (tiles[i]) tiles[i] = *tiles[i] + tl.wait(std::move(*next++));
    }
    begin = mine;
  }
  return {tiles[team.index]};
}

void reduce_scatter(Tl& tl, const CollectiveArgs& args) {
  exchange_in_rounds(tl, args, halve_blocks);
}

std::string needs_power_of_two(const GroupShape& group) {
  return std::has_single_bit(group.size) ? "" : "needs a number of members that is a power of two";
}

/// Returns the cost of members beyond 2^k: they hand over everything and get everything back.
Cost fold_cost(const CostQuery& query, double bytes) {
  if (std::has_single_bit(query.members)) return {};
  return Cost::of(Step::Message, 2, bytes) + Cost::of(Step::Add, 1, bytes);
}

/// 2 log2 n messages of 2 (n - 1) / n of the bytes together, and half as many sums.
Cost halving_doubling_cost(const CostQuery& query) {
  return cost_in_groups(
      query,
      [](const CostQuery& q, double bytes, double /*pieces*/) {
        Cost cost = fold_cost(q, bytes);
        for (std::uint32_t bit = log2_of(q.members); bit-- > 0;) {
          bytes /= 2;
          const bool first = bit + 1 == log2_of(q.members);
          cost += q.sequence(first ? 2 : 0, bytes) + (first ? 0 : 2) * q.following(bytes) +
                  Cost::of(Step::Add, 1, bytes);
        }
        return cost;
      },
      1);
}

/// log2 n messages and sums of all bytes.
Cost recursive_doubling_cost(const CostQuery& query) {
  return cost_in_groups(
      query,
      [](const CostQuery& q, double bytes, double /*pieces*/) {
        const std::uint32_t steps = log2_of(q.members);
        return fold_cost(q, bytes) + q.sequence(steps, bytes) + Cost::of(Step::Add, steps, bytes);
      },
      1);
}

/// log2 n steps with n / 2, n / 4, ... blocks, each a message behind the other.
Cost reduce_scatter_cost(const CostQuery& query) {
  return cost_in_rounds(query, [](const CostQuery& q, double bytes, double /*pieces*/) {
    Cost cost;
    for (std::uint32_t blocks = q.members / 2; blocks > 0; blocks /= 2) {
      cost += Cost::of(Step::Message, 1, bytes) + Cost::of(Step::Further, blocks - 1, bytes) +
              Cost::of(Step::Add, blocks, bytes);
    }
    return cost;
  });
}

const AlgorithmRegistration kHalvingDoubling{{"halving-doubling",
                                              "recursive halving and doubling between members",
                                              "all_reduce",
                                              {"hypercube"},
                                              nullptr,
                                              halving_doubling,
                                              Ends::Roots,
                                              true,
                                              halving_doubling_cost}};
const AlgorithmRegistration kRecursiveDoubling{{"recursive-doubling",
                                                "recursive doubling between members",
                                                "all_reduce",
                                                {"hypercube"},
                                                nullptr,
                                                recursive_doubling,
                                                Ends::Roots,
                                                true,
                                                recursive_doubling_cost}};
const AlgorithmRegistration kReduceScatter{{"recursive-halving",
                                            "recursive halving between 2^k members",
                                            "reduce_scatter",
                                            {"hypercube"},
                                            needs_power_of_two,
                                            reduce_scatter,
                                            Ends::Roots,
                                            true,
                                            reduce_scatter_cost}};

}  // namespace
}  // namespace kernbench::model::ccl::hypercube
