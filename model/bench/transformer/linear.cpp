// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <deque>

#include "model/bench/gemm_mapping.hpp"
#include "model/bench/transformer/experts.hpp"
#include "model/bench/transformer/kernels.hpp"

namespace kernbench::model::bench::transformer {

using data::Axis;
using data::DataType;
using kernel::CompositeOptions;
using kernel::Epilogue;
using kernel::MathOp;
using kernel::Pending;
using kernel::PendingTile;
using kernel::TensorRef;
using kernel::Tile;
using kernel::Tl;
using runtime::TensorView;

namespace {

TensorRef selected(const TensorView& x, std::uint64_t cube, const RowSelection& rows) {
  TensorRef ref = x.in_cube(cube);
  ref.va += rows.first * ref.row_stride * bytes_of(ref.type);
  ref.row_stride *= rows.stride;
  ref.rows = rows.count;
  return ref;
}

/// Calls `use` with some rows of x at a time, in f32, and the number of the first; the next ones
/// are loaded meanwhile.
template <typename Use>
void for_each_rows(Tl& tl, const TensorRef& x, const TileBudget& budget, Use&& use) {
  const std::uint64_t at_once = std::max<std::uint64_t>(budget.elements / x.columns, 1);
  std::uint64_t loaded = 0;
  const auto load = [&] {
    const std::uint64_t first = loaded;
    loaded += at_once;
    return tl.iload(x.block(std::min(first, x.rows), 0, at_once, x.columns));
  };
  PendingTile next = load();
  for (std::uint64_t row = 0; row < x.rows; row += at_once) {
    Tile some = tl.wait(next);
    next = load();
    if (some.type() != DataType::F32) some = tl.cast(some, DataType::F32);
    use(row, some);
  }
  (void)tl.wait(next);
}

/// Returns 1 / sqrt(mean(x^2) + epsilon) of each row of f32, as a column.
Tile inverse_norm(Tl& tl, const Tile& x, double epsilon) {
  const Tile mean =
      tl.sum(x * x, Axis::Columns) * (1.0 / static_cast<double>(x.columns())) + epsilon;
  return 1.0 / tl.sqrt(mean);
}

/// Returns inverse_norm() of all rows.
Tile inverse_norms(Tl& tl, const TensorRef& x, double epsilon, const TileBudget& budget) {
  const Tile all = tl.buffer(x.rows, DataType::F32);
  for_each_rows(tl, x, budget, [&](std::uint64_t row, const Tile& some) {
    tl.copy_into(tl.part(all, row, some.rows()), Tl::trans(inverse_norm(tl, some, epsilon)));
  });
  return Tl::trans(all);
}

/// Returns the number of rows of x that a PE multiplies at a time with a weight of `columns`.
std::uint64_t rows_at_once(const TensorRef& x, std::uint64_t columns, const TileBudget& budget) {
  return std::max<std::uint64_t>(std::min(budget.elements * 2 / std::max<std::uint64_t>(columns, 1),
                                          budget.resident_bytes / (x.columns * bytes_of(x.type))),
                                 1);
}

/// The part of a product that a PE computes at a time.
struct ProductPart {
  Tile x;
  std::uint64_t row = 0;       ///< first row among all
  std::uint64_t pe = 0;        ///< the PE that holds these columns of the weights
  std::vector<Epilogue> norm;  ///< the scaling of the rows of the product
};

/// Calls `compute` for the parts of a product that the PE computes, all of it if it is `alone`.
/// `widest` is the number of columns of the largest weight of a PE.
template <typename Compute>
void for_each_part(Tl& tl, const TensorRef& x, std::optional<double> norm_epsilon,
                   std::uint64_t widest, bool alone, const TileBudget& budget, Compute&& compute) {
  const std::uint64_t pes = tl.num_programs(0);
  const std::uint64_t me = tl.program_id(0);
  const bool by_rows = alone || x.rows >= kRowsOfAPe * pes;
  const std::uint64_t share = by_rows && !alone ? (x.rows - 1) / pes + 1 : x.rows;
  const std::uint64_t begin = by_rows && !alone ? std::min(x.rows, me * share) : 0;
  const std::uint64_t end = std::min(x.rows, begin + share);
  const std::uint64_t at_once = rows_at_once(x, widest, budget);
  for (std::uint64_t row = begin; row < end; row += at_once) {
    const TensorRef rows = x.block(row, 0, std::min(at_once, end - row), x.columns);
    const PendingTile loading = tl.iload(rows);
    std::vector<Epilogue> norm;
    if (norm_epsilon) norm = {{MathOp::Mul, inverse_norms(tl, rows, *norm_epsilon, budget)}};
    ProductPart part{tl.wait(loading), row, me, std::move(norm)};
    for (std::uint64_t i = 0; i < (by_rows ? pes : 1); ++i) {
      part.pe = (me + i) % pes;
      compute(part);
    }
  }
}

/// Returns tiles for a product of x with a weight.
CompositeOptions tiles_of(const Tl& tl, const Tile& x, const TensorRef& weight,
                          std::vector<Epilogue> epilogue) {
  CompositeOptions options =
      fit_tiles({x.rows(), x.columns(), weight.columns}, x.type(), tl.accumulator_bytes());
  options.tiles_in_flight = 3;
  options.epilogue = std::move(epilogue);
  return options;
}

/// Returns the rows of `y` from `row` on for a part, and its columns for the weight of the part.
TensorRef target_of(const TensorView& y, const TensorView& weight, std::uint64_t cube,
                    std::uint64_t row, const ProductPart& part) {
  const auto c = static_cast<std::uint32_t>(cube);
  const runtime::Rectangle all = weight.layout().cube_part(c).part;
  const runtime::Rectangle mine =
      weight.layout().shard(c, static_cast<std::uint32_t>(part.pe)).part;
  return y.in_cube(cube).block(row, mine.column - all.column, part.x.rows(), mine.columns);
}

std::uint64_t widest_of(const TensorView& weight, std::uint64_t cube) {
  return weight.shard(cube, 0).columns;
}

}  // namespace

void copy_all(Tl& tl, const std::vector<MemoryCopy>& copies) {
  constexpr std::size_t kAhead = 8;
  std::deque<PendingTile> loading;
  std::deque<Pending> storing;
  for (std::size_t i = 0; i < copies.size() + kAhead; ++i) {
    if (i >= kAhead && !loading.empty()) {
      storing.push_back(tl.istore(copies[i - kAhead].to, tl.wait(loading.front())));
      loading.pop_front();
      if (storing.size() > kAhead) {
        tl.wait(storing.front());
        storing.pop_front();
      }
    }
    if (i < copies.size()) loading.push_back(tl.iload(copies[i].from));
  }
  for (const Pending& pending : storing) tl.wait(pending);
}

void Embedding::operator()(Tl& tl) const {
  const runtime::Rectangle mine = y.local_part(tl);
  const TensorRef to = y.local(tl);
  std::vector<MemoryCopy> copies;
  for (std::uint64_t row = 0; row < to.rows; ++row) {
    const std::uint64_t token = (*tokens)[mine.row + row];
    copies.push_back(
        {table.whole().block(token, 0, 1, to.columns), to.block(row, 0, 1, to.columns)});
  }
  copy_all(tl, copies);
}

void Linear::operator()(Tl& tl) const {
  const std::uint64_t cube = tl.program_id(1);
  const TensorRef input = selected(x, cube, rows);
  std::uint64_t widest = 0;
  for (const Product& product : products) {
    widest = std::max(widest, widest_of(product.weight, cube));
  }
  const bool adds = residual && cube == 0;
  if (input.columns == 0) {  // a cube without a part of x: its sum is 0
    for (const Product& product : products) {
      const TensorRef to = product.y.local(tl);
      const std::uint64_t at_once = std::max<std::uint64_t>(budget.elements / to.columns, 1);
      for (std::uint64_t row = 0; row < to.rows; row += at_once) {
        const TensorRef some = to.block(row, 0, at_once, to.columns);
        tl.store(some, tl.full(some.rows, some.columns, 0.0, to.type));
      }
    }
    return;
  }
  for_each_part(tl, input, norm_epsilon, widest, alone, budget, [&](const ProductPart& part) {
    for (const Product& product : products) {
      const TensorRef weight = product.weight.shard(cube, part.pe);
      if (weight.empty()) continue;
      const std::uint64_t row = first_row + part.row;
      const TensorRef to = target_of(product.y, product.weight, cube, row, part);
      std::vector<Epilogue> epilogue = part.norm;
      if (adds) {
        const TensorRef before = target_of(*residual, product.weight, cube, row, part);
        epilogue.push_back({MathOp::Add, tl.load(before)});
      }
      tl.composite(part.x, weight, to, tiles_of(tl, part.x, weight, std::move(epilogue)));
    }
  });
}

void Norm::operator()(Tl& tl) const {
  const TensorRef to = y.local(tl);
  for_each_rows(tl, x.local(tl), {}, [&](std::uint64_t row, const Tile& some) {
    const Tile normed = some * inverse_norm(tl, some, epsilon);
    tl.store(to.block(row, 0, some.rows(), to.columns), tl.cast(normed, to.type));
  });
}

void Residual::operator()(Tl& tl) const {
  const TensorRef to = y.local(tl);
  const std::uint64_t at_once = std::max<std::uint64_t>(TileBudget().elements / y.columns(), 1);
  for (std::uint64_t row = 0; row < to.rows; row += at_once) {
    const TensorRef rows = to.block(row, 0, at_once, to.columns);
    const PendingTile before = tl.iload(x.local(tl).block(row, 0, at_once, to.columns));
    const Tile added = tl.load(rows);
    tl.store(rows, tl.wait(before) + added);
  }
}

void Router::operator()(Tl& tl) const {
  const std::uint64_t cube = tl.program_id(1);
  const runtime::Rectangle mine = factors.local_part(tl);
  const TensorRef input = x.in_cube(cube);
  const TensorRef all_experts = weight.in_cube(cube);
  const BatchTokens& tokens = routes.tokens;
  const std::uint64_t used = factors.columns();
  std::uint64_t count = 0;
  for (std::uint64_t row = mine.row; row < mine.row + mine.rows; row += count) {
    count = std::min(rows_at_once(input, weight.columns(), {}), mine.row + mine.rows - row);
    const std::uint64_t token = row % tokens.count;
    if (drawn) count = std::min(count, tokens.count - token);
    const TensorRef rows = input.block(row, 0, count, input.columns);
    const PendingTile loading = tl.iload(rows);
    std::vector<Epilogue> norm;
    if (norm_epsilon) norm = {{MathOp::Mul, inverse_norms(tl, rows, *norm_epsilon, {})}};
    const Tile loaded = tl.wait(loading);
    const Tile logits = tl.composite(loaded, all_experts, DataType::F32,
                                     tiles_of(tl, loaded, all_experts, std::move(norm)));
    std::optional<Tile> columns;
    if (drawn) {
      const std::uint64_t sequence = row / tokens.count;
      const std::uint64_t first = (tokens.first_sequence + sequence) * routes.choice->tokens() +
                                  tokens.first(sequence) + token;
      columns = tl.load(drawn->in_cube(cube).block(first, 0, count, used));
    } else {
      columns = tl.top_k(logits, used);
      tl.store(routes.chosen->in_cube(cube).block(row, 0, count, used), *columns);
    }
    const Tile best = tl.take(logits, *columns);
    const Tile highest = tl.max(best, Axis::Columns);
    const Tile powers = tl.exp(best - highest);
    const Tile sums = tl.sum(powers, Axis::Columns);
    tl.store(factors.in_cube(cube).block(row, 0, count, used),
             tl.cast(powers / sums, factors.type()));
  }
}

void GatedLinear::operator()(Tl& tl) const {
  const std::uint64_t cube = tl.program_id(1);
  const TensorRef input = selected(x, cube, rows);
  for_each_part(
      tl, input, norm_epsilon, widest_of(gate, cube), alone, budget, [&](const ProductPart& part) {
        const TensorRef weight = gate.shard(cube, part.pe);
        if (weight.empty()) return;
        std::vector<Epilogue> activation = part.norm;
        activation.push_back({MathOp::Silu});
        const Tile gated = tl.composite(part.x, weight, x.type(),
                                        tiles_of(tl, part.x, weight, std::move(activation)));
        std::vector<Epilogue> epilogue = part.norm;
        epilogue.push_back({MathOp::Mul, gated});
        tl.composite(part.x, up.shard(cube, part.pe),
                     target_of(y, gate, cube, first_row + part.row, part),
                     tiles_of(tl, part.x, weight, std::move(epilogue)));
      });
}

}  // namespace kernbench::model::bench::transformer
