// SPDX-License-Identifier: Apache-2.0
// y = softmax of each row of x, computed in f32. Rows are spread over all PEs, or the columns of
// few long rows. A PE processes a long row in chunks.

#include <algorithm>
#include <optional>

#include "model/bench/random_data.hpp"
#include "model/bench/reference.hpp"
#include "model/bench/registry.hpp"
#include "model/bench/row_split.hpp"
#include "model/runtime/kernel_registry.hpp"

namespace kernbench::model::bench::softmax {
namespace {

using data::Axis;
using data::DataType;
using kernel::PendingTile;
using kernel::TensorRef;
using kernel::Tile;
using kernel::Tl;
using runtime::Placement;
using runtime::TensorView;

constexpr double kLowest = -1e30;  ///< below all elements, but finite

/// The largest element of each row, and the sum of exp(x - highest): two columns.
struct RowSums {
  Tile highest;
  Tile sum;
};

/// Returns the sums of some rows, chunk by chunk.
RowSums sums_of(Tl& tl, const TensorRef& in) {
  std::optional<RowSums> sums;
  for_each_chunk(in.rows, in.columns, [&](std::uint64_t first, std::uint64_t count) {
    const Tile values = tl.cast(tl.load(in.block(0, first, in.rows, count)), DataType::F32);
    const Tile here = tl.max(values, Axis::Columns);
    const Tile highest = sums ? tl.maximum(sums->highest, here) : here;
    Tile sum = tl.sum(tl.exp(values - highest), Axis::Columns);
    if (sums) sum = sum + sums->sum * tl.exp(sums->highest - highest);
    sums = RowSums{highest, sum};
  });
  return sums.value();
}

/// Writes the softmax of some rows, or of a part of their columns.
void write(Tl& tl, const TensorRef& in, const TensorRef& out, const RowSums& sums) {
  for_each_chunk(in.rows, in.columns, [&](std::uint64_t first, std::uint64_t count) {
    const Tile values = tl.cast(tl.load(in.block(0, first, in.rows, count)), DataType::F32);
    const Tile shares = tl.exp(values - sums.highest) / sums.sum;
    tl.store(out.block(0, first, in.rows, count), tl.cast(shares, out.type));
  });
}

/// Each PE computes its own rows.
struct OwnRows {
  TensorView x;
  TensorView y;
  std::uint64_t at_once = 0;

  void operator()(Tl& tl) const {
    const TensorRef all = x.local(tl);
    for (std::uint64_t row = 0; row < all.rows; row += at_once) {
      const TensorRef in = all.block(row, 0, at_once, all.columns);
      const TensorRef out = y.local(tl).block(row, 0, at_once, all.columns);
      if (!is_one_chunk(in.rows, in.columns)) {
        write(tl, in, out, sums_of(tl, in));
        continue;
      }
      const Tile values = tl.cast(tl.load(in), DataType::F32);
      const Tile powers = tl.exp(values - tl.max(values, Axis::Columns));
      tl.store(out, tl.cast(powers / tl.sum(powers, Axis::Columns), out.type));
    }
  }
};

/// Each PE has some columns of all rows. First each PE leaves the sums of its columns in its slice,
/// then each reads those of all PEs. `highest` and `sum` have a row for each PE and a column for
/// each row of x.
struct SharedRows {
  TensorView x;
  TensorView y;
  TensorView highest;
  TensorView sum;
  std::uint64_t at_once = 0;

  void leave_sums(Tl& tl) const {
    const TensorRef all = x.local(tl);
    for (std::uint64_t row = 0; row < x.rows(); row += at_once) {
      const std::uint64_t rows = std::min(at_once, x.rows() - row);
      const RowSums sums = all.empty() ? RowSums{tl.full(rows, 1, kLowest, DataType::F32),
                                                 tl.full(rows, 1, 0.0, DataType::F32)}
                                       : sums_of(tl, all.block(row, 0, rows, all.columns));
      tl.store(highest.local(tl).block(0, row, 1, rows), Tl::trans(sums.highest));
      tl.store(sum.local(tl).block(0, row, 1, rows), Tl::trans(sums.sum));
    }
  }

  void finish(Tl& tl) const {
    const TensorRef all = x.local(tl);
    for (std::uint64_t row = 0; row < all.rows; row += at_once) {
      const TensorRef in = all.block(row, 0, at_once, all.columns);
      if (in.empty()) continue;
      const auto of_all_pes = [&](const TensorView& sums) {
        return tl.iload(sums.whole().block(0, row, sums.rows(), in.rows));
      };
      const PendingTile loading = of_all_pes(sum);
      const Tile tops = tl.wait(of_all_pes(highest));
      const Tile top = tl.max(tops, Axis::Rows);
      const Tile total = tl.sum(tl.wait(loading) * tl.exp(tops - top), Axis::Rows);
      write(tl, in, y.local(tl).block(row, 0, at_once, all.columns),
            {Tl::trans(top), Tl::trans(total)});
    }
  }
};

MatrixD reference(const MatrixD& x) {
  MatrixD y(x.rows(), x.cols());
  for (Eigen::Index row = 0; row < x.rows(); ++row) {
    y.row(row) = (x.row(row).array() - x.row(row).maxCoeff()).exp();
    y.row(row) /= y.row(row).sum();
  }
  return y;
}

void run(runtime::Context& kb) {
  const std::uint64_t rows = kb.number("rows");
  const std::uint64_t columns = kb.number("columns", 1);
  const std::uint64_t at_once = kb.number("rows_at_once", 1);
  const DataType type = kb.type("type");
  const bool shared = shares_rows(kb, rows, columns);
  const Placement rows_or_columns = shared ? Placement::ColumnWise : Placement::RowWise;
  const runtime::DpPolicy policy{rows_or_columns, rows_or_columns};
  const auto x_data = uniform(type, rows, columns, 1);
  const runtime::Tensor x = kb.tensor(rows, columns, type, policy, x_data);
  const runtime::Tensor y = kb.tensor(rows, columns, type, policy);
  if (shared) {
    const runtime::DpPolicy of_each_pe{Placement::RowWise, Placement::RowWise};
    const std::uint64_t pes = std::uint64_t{kb.cubes()} * kb.pes();
    const SharedRows kernel{x->view(), y->view(),
                            kb.tensor(pes, rows, DataType::F32, of_each_pe)->view(),
                            kb.tensor(pes, rows, DataType::F32, of_each_pe)->view(), at_once};
    kb.measure("softmax", [&] {
      kb.launch("sums", [kernel](Tl& tl) { kernel.leave_sums(tl); });
      kb.launch("softmax", [kernel](Tl& tl) { kernel.finish(tl); });
    });
  } else {
    kb.measure("softmax", [&] { kb.launch("softmax", OwnRows{x->view(), y->view(), at_once}); });
  }

  kb.expect("y", kb.read(y), [=] { return from_doubles(type, reference(to_doubles(x_data()))); });
}

void softmax_rows(Tl& tl, const TensorView& x, const TensorView& y, std::uint64_t rows_at_once) {
  OwnRows{x, y, rows_at_once}(tl);
}

const runtime::KernelRegistration kKernel{
    "softmax", "y = softmax of each row of x", {"x", "y", "rows_at_once"}, softmax_rows};
const Registration kBench{{"softmax", "y = softmax of each row of x, over all PEs",
                           row_parameters(), run, row_mappings, true}};

}  // namespace
}  // namespace kernbench::model::bench::softmax
