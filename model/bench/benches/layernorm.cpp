// SPDX-License-Identifier: Apache-2.0
// y = (x - mean) / sqrt(variance + epsilon) * gamma + beta for each row of x, computed in f32.

#include <cmath>

#include "model/bench/random_data.hpp"
#include "model/bench/reference.hpp"
#include "model/bench/registry.hpp"
#include "model/bench/row_split.hpp"

namespace kernbench::model::bench::layernorm {
namespace {

using data::Axis;
using data::DataType;
using kernel::PendingTile;
using kernel::TensorRef;
using kernel::Tile;
using kernel::Tl;
using runtime::Placement;
using runtime::TensorView;

constexpr double kEpsilon = 1e-5;

/// The mean of each row, and the sum of squared deviations from it: two columns.
struct RowMoments {
  Tile mean;
  Tile deviations;
};

/// Returns the moments of some rows, chunk by chunk (Chan, Golub and LeVeque, 1979).
RowMoments moments_of(Tl& tl, const TensorRef& in) {
  std::optional<RowMoments> all;
  for_each_chunk(in.rows, in.columns, [&](std::uint64_t first, std::uint64_t count) {
    const Tile values = tl.cast(tl.load(in.block(0, first, in.rows, count)), DataType::F32);
    const Tile mean = tl.sum(values, Axis::Columns) / static_cast<double>(count);
    const Tile away = values - mean;
    const RowMoments here{mean, tl.sum(away * away, Axis::Columns)};
    if (!all) {
      all = here;
      return;
    }
    const double share = static_cast<double>(count) / static_cast<double>(first + count);
    const Tile step = here.mean - all->mean;
    all = RowMoments{
        all->mean + step * share,
        all->deviations + here.deviations + step * step * (share * static_cast<double>(first))};
  });
  return all.value();
}

/// Tensors and sizes of both kernels.
struct LayerNorm {
  TensorView x;
  TensorView gamma;
  TensorView beta;
  TensorView y;
  std::uint64_t at_once = 0;

  /// Writes the result of some rows, or of a part of their columns.
  void write(Tl& tl, const TensorRef& in, const TensorRef& out, const RowMoments& moments) const {
    const Tile variance = moments.deviations / static_cast<double>(x.columns());
    const Tile deviation = tl.sqrt(variance + kEpsilon);
    for_each_chunk(in.rows, in.columns, [&](std::uint64_t first, std::uint64_t count) {
      const Tile scale = tl.load(gamma.local(tl).block(0, first, 1, count));
      const Tile shift = tl.load(beta.local(tl).block(0, first, 1, count));
      const Tile values = tl.cast(tl.load(in.block(0, first, in.rows, count)), DataType::F32);
      const Tile normal = (values - moments.mean) / deviation;
      tl.store(out.block(0, first, in.rows, count), tl.cast(normal * scale + shift, out.type));
    });
  }
};

/// Each PE computes its own rows.
struct OwnRows {
  LayerNorm norm;

  void operator()(Tl& tl) const {
    const TensorRef all = norm.x.local(tl);
    if (all.empty()) return;
    const TensorRef out = norm.y.local(tl);
    const auto count = static_cast<double>(all.columns);
    const std::uint64_t at_once = norm.at_once;
    if (!is_one_chunk(std::min(at_once, all.rows), all.columns)) {
      for (std::uint64_t row = 0; row < all.rows; row += at_once) {
        const TensorRef in = all.block(row, 0, at_once, all.columns);
        norm.write(tl, in, out.block(row, 0, at_once, all.columns), moments_of(tl, in));
      }
      return;
    }
    const Tile scale = tl.load(norm.gamma.local(tl));
    const Tile shift = tl.load(norm.beta.local(tl));
    for (std::uint64_t row = 0; row < all.rows; row += at_once) {
      const Tile values = tl.cast(tl.load(all.block(row, 0, at_once, all.columns)), DataType::F32);
      const Tile away = values - tl.sum(values, Axis::Columns) / count;
      const Tile variance = tl.sum(away * away, Axis::Columns) / count;
      const Tile normal = away / tl.sqrt(variance + kEpsilon);
      tl.store(out.block(row, 0, at_once, all.columns), tl.cast(normal * scale + shift, out.type));
    }
  }
};

/// Each PE has some columns of all rows. First each PE leaves the moments of its columns in its
/// slice, then each reads those of all PEs. `mean` and `deviations` have a row for each PE and a
/// column for each row of x, `count` has the number of columns of each PE.
struct SharedRows {
  LayerNorm norm;
  TensorView mean;
  TensorView deviations;
  TensorView count;

  void leave_moments(Tl& tl) const {
    const TensorRef all = norm.x.local(tl);
    tl.store(count.local(tl), tl.full(1, 1, static_cast<double>(all.columns), DataType::F32));
    for (std::uint64_t row = 0; row < norm.x.rows(); row += norm.at_once) {
      const std::uint64_t rows = std::min(norm.at_once, norm.x.rows() - row);
      const RowMoments moments = all.empty() ? RowMoments{tl.full(rows, 1, 0.0, DataType::F32),
                                                          tl.full(rows, 1, 0.0, DataType::F32)}
                                             : moments_of(tl, all.block(row, 0, rows, all.columns));
      tl.store(mean.local(tl).block(0, row, 1, rows), Tl::trans(moments.mean));
      tl.store(deviations.local(tl).block(0, row, 1, rows), Tl::trans(moments.deviations));
    }
  }

  void finish(Tl& tl) const {
    const TensorRef all = norm.x.local(tl);
    if (all.empty()) return;
    const Tile counts = tl.load(count.whole());
    for (std::uint64_t row = 0; row < all.rows; row += norm.at_once) {
      const TensorRef in = all.block(row, 0, norm.at_once, all.columns);
      const auto of_all_pes = [&](const TensorView& moments) {
        return tl.iload(moments.whole().block(0, row, moments.rows(), in.rows));
      };
      const PendingTile loading = of_all_pes(deviations);
      const Tile means = tl.wait(of_all_pes(mean));
      const Tile middle =
          tl.sum(means * counts, Axis::Rows) / static_cast<double>(norm.x.columns());
      const Tile away = means - middle;
      const Tile total = tl.sum(tl.wait(loading) + away * away * counts, Axis::Rows);
      norm.write(tl, in, norm.y.local(tl).block(row, 0, norm.at_once, all.columns),
                 {Tl::trans(middle), Tl::trans(total)});
    }
  }
};

MatrixD reference(const MatrixD& x, const MatrixD& gamma, const MatrixD& beta) {
  MatrixD y(x.rows(), x.cols());
  for (Eigen::Index row = 0; row < x.rows(); ++row) {
    const Eigen::RowVectorXd away = x.row(row).array() - x.row(row).mean();
    const double deviation =
        std::sqrt(away.squaredNorm() / static_cast<double>(x.cols()) + kEpsilon);
    y.row(row) = (away.array() / deviation) * gamma.row(0).array() + beta.row(0).array();
  }
  return y;
}

void run(runtime::Context& kb) {
  const std::uint64_t rows = kb.number("rows");
  const std::uint64_t columns = kb.number("columns", 1);
  const std::uint64_t at_once = kb.number("rows_at_once", 1);
  const DataType type = kb.type("type");
  const bool shared = shares_rows(kb, rows, columns);
  const runtime::DpPolicy by_rows{Placement::RowWise, Placement::RowWise};
  const runtime::DpPolicy by_columns{Placement::ColumnWise, Placement::ColumnWise};
  const runtime::DpPolicy everywhere{Placement::Replicate, Placement::Replicate};
  const auto x_data = uniform(type, rows, columns, 1);
  const auto gamma_data = uniform(DataType::F32, 1, columns, 2);
  const auto beta_data = uniform(DataType::F32, 1, columns, 3);
  const runtime::DpPolicy of_rows = shared ? by_columns : by_rows;
  const runtime::DpPolicy of_factors = shared ? by_columns : everywhere;
  const runtime::Tensor x = kb.tensor(rows, columns, type, of_rows, x_data);
  const runtime::Tensor gamma = kb.tensor(1, columns, DataType::F32, of_factors, gamma_data);
  const runtime::Tensor beta = kb.tensor(1, columns, DataType::F32, of_factors, beta_data);
  const runtime::Tensor y = kb.tensor(rows, columns, type, of_rows);
  const LayerNorm norm{x->view(), gamma->view(), beta->view(), y->view(), at_once};
  if (shared) {
    const std::uint64_t pes = std::uint64_t{kb.cubes()} * kb.pes();
    const auto of_each_pe = [&](std::uint64_t numbers) {
      return kb.tensor(pes, numbers, DataType::F32, by_rows)->view();
    };
    const SharedRows kernel{norm, of_each_pe(rows), of_each_pe(rows), of_each_pe(1)};
    kb.measure("layernorm", [&] {
      kb.launch("moments", [kernel](Tl& tl) { kernel.leave_moments(tl); });
      kb.launch("layernorm", [kernel](Tl& tl) { kernel.finish(tl); });
    });
  } else {
    kb.measure("layernorm", [&] { kb.launch("layernorm", OwnRows{norm}); });
  }

  kb.expect("y", kb.read(y), [=] {
    return from_doubles(
        type, reference(to_doubles(x_data()), to_doubles(gamma_data()), to_doubles(beta_data())));
  });
}

const Registration kBench{{"layernorm",
                           "y = x normalised row by row, scaled and shifted, over all PEs",
                           row_parameters(), run, row_mappings, true}};

}  // namespace
}  // namespace kernbench::model::bench::layernorm
