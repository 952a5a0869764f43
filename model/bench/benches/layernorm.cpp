// SPDX-License-Identifier: Apache-2.0
// y = (x - mean) / sqrt(variance + epsilon) * gamma + beta for each row of x, computed in f32.

#include <cmath>

#include "model/bench/random_data.hpp"
#include "model/bench/reference.hpp"
#include "model/bench/registry.hpp"

namespace kernbench::model::bench::layernorm {
namespace {

using data::Axis;
using data::DataType;
using kernel::TensorRef;
using kernel::Tile;
using kernel::Tl;
using runtime::Placement;

constexpr double kEpsilon = 1e-5;

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
  const runtime::DpPolicy by_rows{Placement::RowWise, Placement::RowWise};
  const runtime::DpPolicy everywhere{Placement::Replicate, Placement::Replicate};
  const auto x_data = uniform(type, rows, columns, 1);
  const auto gamma_data = uniform(DataType::F32, 1, columns, 2);
  const auto beta_data = uniform(DataType::F32, 1, columns, 3);
  const runtime::Tensor x = kb.tensor(rows, columns, type, by_rows, x_data);
  const runtime::Tensor gamma = kb.tensor(1, columns, DataType::F32, everywhere, gamma_data);
  const runtime::Tensor beta = kb.tensor(1, columns, DataType::F32, everywhere, beta_data);
  const runtime::Tensor y = kb.tensor(rows, columns, type, by_rows);

  kb.measure("layernorm", [&] {
    kb.launch("layernorm", [=, x = x->view(), gamma = gamma->view(), beta = beta->view(),
                            y = y->view()](Tl& tl) {
      const TensorRef in = x.local(tl);
      const TensorRef out = y.local(tl);
      if (in.empty()) return;
      const Tile scale = tl.load(gamma.whole());
      const Tile shift = tl.load(beta.whole());
      const auto count = static_cast<double>(columns);
      for (std::uint64_t row = 0; row < in.rows; row += at_once) {
        const Tile values = tl.cast(tl.load(in.block(row, 0, at_once, columns)), DataType::F32);
        const Tile away = values - tl.sum(values, Axis::Columns) / count;
        const Tile variance = tl.sum(away * away, Axis::Columns) / count;
        const Tile normal = away / tl.sqrt(variance + kEpsilon);
        tl.store(out.block(row, 0, at_once, columns), tl.cast(normal * scale + shift, type));
      }
    });
  });

  kb.expect("y", kb.read(y), [=] {
    return from_doubles(
        type, reference(to_doubles(x_data()), to_doubles(gamma_data()), to_doubles(beta_data())));
  });
}

const Registration kBench{{"layernorm",
                           "y = x normalised row by row, scaled and shifted, rows over all PEs",
                           {{"rows", "1024", "rows of x and y"},
                            {"columns", "512", "columns of x and y"},
                            {"type", "f16", "f32, f16 or bf16"},
                            {"rows_at_once", "16", "rows that a PE processes at a time"}},
                           run}};

}  // namespace
}  // namespace kernbench::model::bench::layernorm
