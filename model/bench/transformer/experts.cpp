// SPDX-License-Identifier: Apache-2.0
#include "model/bench/transformer/experts.hpp"

#include <algorithm>
#include <deque>
#include <numeric>

#include "common/random.hpp"

namespace kernbench::model::bench::transformer {

using kernel::PendingTile;
using kernel::TensorRef;
using kernel::Tile;
using kernel::Tl;

namespace {

/// Rows of a sum that are loaded before they are needed.
constexpr std::uint64_t kRowsAhead = 4;

/// Returns the rows at experts that a PE has by itself.
Share share_of_pe(const Tl& tl, const ExpertRows& all) {
  return share_of(all.rows.size(), static_cast<std::uint32_t>(tl.program_id(0)),
                  static_cast<std::uint32_t>(tl.num_programs(0)));
}

/// Calls `compute` with the number of each expert and those of its rows that the PE computes: alone
/// its share of many rows, which it multiplies with all weights of few experts, or with the other
/// PEs all of few rows.
template <typename Compute>
void for_each_expert(Tl& tl, const ExpertRows& all, Compute&& compute) {
  const bool alone = all.rows.size() >= kRowsOfAPe * tl.num_programs(0);
  const Share mine = alone ? share_of_pe(tl, all) : Share{0, all.rows.size()};
  for (std::size_t expert = 0; expert + 1 < all.begin.size(); ++expert) {
    const std::uint64_t first = std::max(all.begin[expert], mine.first);
    const std::uint64_t end = std::min(all.begin[expert + 1], mine.first + mine.count);
    if (first < end) compute(expert, RowSelection{first, 1, end - first}, alone);
  }
}

}  // namespace

ExpertChoice::ExpertChoice(const ModelShape& shape, std::uint64_t sequences, std::uint64_t tokens)
    : experts_(shape.experts),
      used_(shape.experts_used),
      sequences_(sequences),
      tokens_(tokens),
      numbers_(shape.layers * sequences * tokens * used_) {}

std::span<std::uint32_t> ExpertChoice::of(std::uint64_t layer, std::uint64_t sequence,
                                          std::uint64_t position) {
  const std::uint64_t token = (layer * sequences_ + sequence) * tokens_ + position;
  return std::span(numbers_).subspan(token * used_, used_);
}

std::span<const std::uint32_t> ExpertChoice::of(std::uint64_t layer, std::uint64_t sequence,
                                                std::uint64_t position) const {
  const std::uint64_t token = (layer * sequences_ + sequence) * tokens_ + position;
  return std::span(numbers_).subspan(token * used_, used_);
}

void ExpertChoice::draw(std::uint64_t seed) {
  common::Rng random = common::Rng::stream(seed, "experts");
  for (std::size_t token = 0; token < numbers_.size(); token += used_) {
    // Each expert is taken with the probability that leaves all choices equally likely.
    std::uint64_t missing = used_;
    for (std::uint64_t expert = 0; missing != 0; ++expert) {
      if (random.below(experts_ - expert) >= missing) continue;
      numbers_[token + used_ - missing] = static_cast<std::uint32_t>(expert);
      --missing;
    }
  }
}

ExpertRows Routes::rows_of(Tl& tl) const {
  const std::uint64_t used = choice->used();
  std::vector<std::uint32_t> numbers;
  if (chosen) {
    const data::MatrixI read = tl.read(tl.load(chosen->in_cube(tl.program_id(1)))).to_integers();
    numbers.assign(read.data(), read.data() + read.size());
  }
  for (std::uint64_t row = 0; row < tokens.rows(); ++row) {
    const std::span<std::uint32_t> noted = of_row(row);
    if (!chosen) {
      numbers.insert(numbers.end(), noted.begin(), noted.end());
    } else if (tl.program_id(0) == 0 && tl.program_id(1) == 0) {
      std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(row * used), used, noted.begin());
    }
  }
  const auto is_held = [&](std::uint32_t expert) {
    return expert >= held.first && expert < held.first + held.count;
  };
  ExpertRows result{{}, std::vector<std::uint64_t>(held.count + 1)};
  for (const std::uint32_t expert : numbers) {
    if (is_held(expert)) ++result.begin[expert - held.first + 1];
  }
  std::partial_sum(result.begin.begin(), result.begin.end(), result.begin.begin());
  result.rows.resize(result.begin.back());
  std::vector<std::uint64_t> next = result.begin;
  for (std::uint64_t i = 0; i < numbers.size(); ++i) {
    if (is_held(numbers[i])) result.rows[next[numbers[i] - held.first]++] = {i / used, i % used};
  }
  return result;
}

void Dispatch::operator()(Tl& tl) const {
  const TensorRef from = x.in_cube(tl.program_id(1));
  const TensorRef to = y.in_cube(tl.program_id(1));
  const ExpertRows all = routes.rows_of(tl);
  const Share mine = share_of_pe(tl, all);
  std::vector<MemoryCopy> copies;
  for (std::uint64_t i = 0; i < mine.count; ++i) {
    // PEs begin at different places of their shares, to read from different slices.
    const std::uint64_t turned =
        (i + mine.count * tl.program_id(0) / tl.num_programs(0)) % mine.count;
    const std::uint64_t row = mine.first + turned;
    copies.push_back(
        {from.block(all.rows[row].row, 0, 1, from.columns), to.block(row, 0, 1, to.columns)});
  }
  copy_all(tl, copies);
}

void GatedExperts::operator()(Tl& tl) const {
  for_each_expert(tl, routes.rows_of(tl), [&](std::size_t i, const RowSelection& rows, bool alone) {
    GatedLinear{x, rows,       norm_epsilon, weights[i].gate, weights[i].up,
                y, rows.first, alone,        budget}(tl);
  });
}

void LinearExperts::operator()(Tl& tl) const {
  if (x.in_cube(tl.program_id(1)).columns == 0) return;
  for_each_expert(tl, routes.rows_of(tl), [&](std::size_t i, const RowSelection& rows, bool alone) {
    Linear{x, rows, {}, {{weights[i], y}}, {}, rows.first, alone, budget}(tl);
  });
}

void Combine::operator()(Tl& tl) const {
  struct Summand {
    TensorRef row;
    std::optional<std::uint64_t> factor;  ///< place in the factors of this PE
  };
  const std::uint64_t cube = tl.program_id(1);
  const runtime::Rectangle mine = y.local_part(tl);
  if (mine.empty()) return;
  const ExpertRows all = routes.rows_of(tl);
  const TensorRef to = y.local(tl);
  std::vector<std::vector<Summand>> summands(mine.rows);  // of each row of this PE
  if (residual && cube == 0) {
    for (std::uint64_t row = 0; row < mine.rows; ++row) {
      summands[row].push_back({residual->local(tl).block(row, 0, 1, mine.columns), {}});
    }
  }
  if (x.in_cube(cube).columns != 0) {
    for (std::uint64_t i = 0; i < all.rows.size(); ++i) {
      if (all.rows[i].row < mine.row || all.rows[i].row >= mine.row + mine.rows) continue;
      const std::uint64_t row = all.rows[i].row - mine.row;
      summands[row].push_back({at_experts.in_cube(cube).block(i, 0, 1, mine.columns),
                               row * factors.columns() + all.rows[i].place});
    }
  }
  TensorRef of_rows = factors.local(tl);
  of_rows.columns = of_rows.row_stride = of_rows.rows * of_rows.columns;
  of_rows.rows = 1;
  const Tile all_factors = tl.load(of_rows);
  std::deque<std::vector<PendingTile>> loading;
  for (std::uint64_t next = 0; next < mine.rows + kRowsAhead; ++next) {
    if (next < mine.rows) {
      loading.emplace_back();
      for (const Summand& one : summands[next]) loading.back().push_back(tl.iload(one.row));
    }
    if (next < kRowsAhead) continue;
    const std::uint64_t row = next - kRowsAhead;
    std::optional<Tile> sum;
    for (std::size_t i = 0; i < summands[row].size(); ++i) {
      Tile summand = tl.wait(loading.front()[i]);
      if (const auto& factor = summands[row][i].factor) {
        summand = summand * tl.part(all_factors, *factor, 1);
      }
      sum = sum ? *sum + summand : summand;
    }
    loading.pop_front();
    tl.store(to.block(row, 0, 1, mine.columns),
             sum ? *sum : tl.full(1, mine.columns, 0.0, to.type));
  }
}

}  // namespace kernbench::model::bench::transformer
