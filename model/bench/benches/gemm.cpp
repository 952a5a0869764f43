// SPDX-License-Identifier: Apache-2.0
// C = A B. Each PE computes its part of C under any placement of A and B.

#include "model/bench/random_data.hpp"
#include "model/bench/reference.hpp"
#include "model/bench/registry.hpp"

namespace kernbench::model::bench::gemm {
namespace {

using data::DataType;
using kernel::GemmOperand;
using kernel::TensorRef;
using kernel::Tile;
using kernel::Tl;
using runtime::Rectangle;
using runtime::TensorPiece;
using runtime::TensorView;

struct Gemm {
  TensorView a;
  TensorView b;
  TensorView c;
  bool resident_a = false;  ///< A is loaded into TCM as a whole, else streamed tile by tile
  bool resident_b = false;  ///< B is loaded in panels of tile_n columns
  kernel::CompositeOptions tiles{};

  void operator()(Tl& tl) const {
    const Rectangle mine = c.local_part(tl);
    const std::vector<TensorPiece> rows = a.pieces({mine.row, 0, mine.rows, a.columns()});
    std::vector<GemmOperand> left;
    for (const TensorPiece& piece : rows) left.push_back(staged(tl, piece.ref, resident_a));
    for (const TensorPiece& columns : b.pieces({0, mine.column, b.rows(), mine.columns})) {
      const std::uint64_t width = resident_b ? tiles.tile_n : columns.part.columns;
      for (std::uint64_t n = 0; n < columns.part.columns; n += width) {
        const TensorRef panel = columns.ref.block(0, n, b.rows(), width);
        const std::uint64_t column = columns.part.column - mine.column + n;
        multiply(tl, rows, left, panel, c.local(tl).block(0, column, mine.rows, panel.columns));
      }
    }
  }

  /// Computes some columns of the PE's part of C, as a sum of products if the columns of A are
  /// spread.
  void multiply(Tl& tl, const std::vector<TensorPiece>& rows, const std::vector<GemmOperand>& left,
                const TensorRef& panel, const TensorRef& out) const {
    if (rows.size() == 1) {
      tl.composite(left[0], staged(tl, panel, resident_b), out, tiles);
      return;
    }
    Tile sum = tl.full(out.rows, out.columns, 0.0, accumulator_of(a.type()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const TensorRef right =
          panel.block(rows[i].part.column, 0, rows[i].part.columns, out.columns);
      sum = sum + tl.composite(left[i], staged(tl, right, resident_b), sum.type(), tiles);
    }
    tl.store(out, tl.cast(sum, out.type));
  }

  static GemmOperand staged(Tl& tl, const TensorRef& ref, bool resident) {
    if (resident) return tl.load(ref);
    return ref;
  }
};

void run(runtime::Context& kb) {
  const std::uint64_t m = kb.number("m");
  const std::uint64_t k = kb.number("k", 1);
  const std::uint64_t n = kb.number("n");
  const DataType type = kb.type("type");
  const DataType result = is_floating(type) ? type : DataType::I32;
  const auto a_data = uniform(type, m, k, 1);
  const auto b_data = uniform(type, k, n, 2);
  const runtime::Tensor a = kb.tensor(m, k, type, kb.policy("a"), a_data);
  const runtime::Tensor b = kb.tensor(k, n, type, kb.policy("b"), b_data);
  const runtime::Tensor c = kb.tensor(m, n, result, kb.policy("c"));

  Gemm gemm{a->view(), b->view(), c->view()};
  gemm.resident_a = kb.choice("stage_a", {"streamed", "resident"}) == "resident";
  gemm.resident_b = kb.choice("stage_b", {"streamed", "resident"}) == "resident";
  gemm.tiles.tile_m = kb.number("tile_m", 1);
  gemm.tiles.tile_k = kb.number("tile_k", 1);
  gemm.tiles.tile_n = kb.number("tile_n", 1);
  kb.measure("gemm", [&] { kb.launch("gemm", gemm); });

  kb.expect("c", kb.read(c),
            [=] { return from_doubles(result, to_doubles(a_data()) * to_doubles(b_data())); });
}

const Registration kBench{
    {"gemm",
     "C = A B, each PE its part of C",
     {{"m", "512", "rows of A and C"},
      {"k", "512", "columns of A, rows of B"},
      {"n", "512", "columns of B and C"},
      {"type", "f16", "type of A, B and C; C is i32 for integers"},
      {"a", "row", "placement of A: row, column, replicated (in each cube) or everywhere"},
      {"b", "replicated", "placement of B"},
      {"c", "row", "placement of C"},
      {"stage_a", "streamed", "streamed, or resident: A is loaded into TCM first"},
      {"stage_b", "streamed", "streamed, or resident: B is loaded tile_n columns at a time"},
      {"tile_m", "128", "rows of a tile of A"},
      {"tile_k", "64", "columns of a tile of A"},
      {"tile_n", "128", "columns of a tile of B"}},
     run}};

}  // namespace
}  // namespace kernbench::model::bench::gemm
