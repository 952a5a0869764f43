// SPDX-License-Identifier: Apache-2.0
// y = x / sqrt(mean(x^2) + epsilon) * gain for each row of x, computed in f32 (B. Zhang and R.
// Sennrich, *Root Mean Square Layer Normalization*, 2019).

#include <cmath>
#include <optional>

#include "model/bench/random_data.hpp"
#include "model/bench/reference.hpp"
#include "model/bench/registry.hpp"
#include "model/bench/row_split.hpp"

namespace kernbench::model::bench::rmsnorm {
namespace {

using data::Axis;
using data::DataType;
using kernel::TensorRef;
using kernel::Tile;
using kernel::Tl;
using runtime::Placement;
using runtime::TensorView;

constexpr double kEpsilon = 1e-5;

/// Each PE computes its own rows, `at_once` at a time, and long ones in chunks of columns.
struct RmsNorm {
  TensorView x;
  TensorView gain;
  TensorView y;
  std::uint64_t at_once = 0;

  void operator()(Tl& tl) const {
    const TensorRef all = x.local(tl);
    if (all.empty()) return;
    const bool whole = is_one_chunk(std::min(at_once, all.rows), all.columns);
    std::optional<Tile> factors;
    if (whole) factors = tl.load(gain.local(tl));
    for (std::uint64_t row = 0; row < all.rows; row += at_once) {
      const TensorRef in = all.block(row, 0, at_once, all.columns);
      const TensorRef out = y.local(tl).block(row, 0, at_once, all.columns);
      if (whole) {
        const Tile values = load_as_f32(tl, in);
        write(tl, out, values, inverse_of(tl, squares_of(tl, values)), *factors);
        continue;
      }
      std::optional<Tile> squares;
      for_each_chunk(in.rows, in.columns, [&](std::uint64_t first, std::uint64_t count) {
        const Tile here = squares_of(tl, load_as_f32(tl, in.block(0, first, in.rows, count)));
        squares = squares ? *squares + here : here;
      });
      const Tile inverse = inverse_of(tl, *squares);
      for_each_chunk(in.rows, in.columns, [&](std::uint64_t first, std::uint64_t count) {
        const Tile values = load_as_f32(tl, in.block(0, first, in.rows, count));
        write(tl, out.block(0, first, in.rows, count), values, inverse,
              tl.load(gain.local(tl).block(0, first, 1, count)));
      });
    }
  }

 private:
  static Tile load_as_f32(Tl& tl, const TensorRef& ref) {
    return tl.cast(tl.load(ref), DataType::F32);
  }
  /// Returns the sum of the squares of each row.
  static Tile squares_of(Tl& tl, const Tile& values) {
    return tl.sum(values * values, Axis::Columns);
  }
  [[nodiscard]] Tile inverse_of(Tl& tl, const Tile& squares) const {
    return tl.rsqrt(squares / static_cast<double>(x.columns()) + kEpsilon);
  }
  static void write(Tl& tl, const TensorRef& to, const Tile& values, const Tile& inverse,
                    const Tile& factors) {
    tl.store(to, tl.cast(values * inverse * factors, to.type));
  }
};

MatrixD reference(const MatrixD& x, const MatrixD& gain) {
  MatrixD y(x.rows(), x.cols());
  for (Eigen::Index row = 0; row < x.rows(); ++row) {
    const double mean = x.row(row).squaredNorm() / static_cast<double>(x.cols());
    y.row(row) = x.row(row).array() * gain.row(0).array() / std::sqrt(mean + kEpsilon);
  }
  return y;
}

void run(runtime::Context& kb) {
  const std::uint64_t rows = kb.number("rows");
  const std::uint64_t columns = kb.number("columns", 1);
  const std::uint64_t at_once = kb.number("rows_at_once", 1);
  const DataType type = *data::data_type_of(kb.choice("type", {"f32", "f16", "bf16"}));
  const runtime::DpPolicy by_rows{Placement::RowWise, Placement::RowWise};
  const auto x_data = uniform(type, rows, columns, 1);
  const auto gain_data = uniform(DataType::F32, 1, columns, 2);
  const runtime::Tensor x = kb.tensor(rows, columns, type, by_rows, x_data);
  const runtime::Tensor gain =
      kb.tensor(1, columns, DataType::F32, {Placement::Replicate, Placement::Replicate}, gain_data);
  const runtime::Tensor y = kb.tensor(rows, columns, type, by_rows);
  kb.measure("rmsnorm", [&] {
    kb.launch("rmsnorm", RmsNorm{x->view(), gain->view(), y->view(), at_once});
  });

  kb.expect("y", kb.read(y), [=] {
    return from_doubles(type, reference(to_doubles(x_data()), to_doubles(gain_data())));
  });
}

const Registration kBench{{"rmsnorm",
                           "y = x / its root mean square row by row, scaled, over all PEs",
                           {{"rows", "1024", "rows of x and y"},
                            {"columns", "512", "columns of x and y"},
                            {"type", "f16", "f32, f16 or bf16; the gain is f32"},
                            {"rows_at_once", "16", "rows that a PE processes at a time"}},
                           run,
                           {},
                           true}};

}  // namespace
}  // namespace kernbench::model::bench::rmsnorm
