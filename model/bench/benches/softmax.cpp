// SPDX-License-Identifier: Apache-2.0
// y = softmax of each row of x, rows spread over all PEs; computed in f32.

#include "model/bench/random_data.hpp"
#include "model/bench/reference.hpp"
#include "model/bench/registry.hpp"

namespace kernbench::model::bench::softmax {
namespace {

using data::Axis;
using data::DataType;
using kernel::TensorRef;
using kernel::Tile;
using kernel::Tl;
using runtime::Placement;

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
  const runtime::DpPolicy policy{Placement::RowWise, Placement::RowWise};
  const auto x_data = uniform(type, rows, columns, 1);
  const runtime::Tensor x = kb.tensor(rows, columns, type, policy, x_data);
  const runtime::Tensor y = kb.tensor(rows, columns, type, policy);

  kb.measure("softmax", [&] {
    kb.launch("softmax", [=, x = x->view(), y = y->view()](Tl& tl) {
      const TensorRef in = x.local(tl);
      const TensorRef out = y.local(tl);
      for (std::uint64_t row = 0; row < in.rows; row += at_once) {
        const Tile values = tl.cast(tl.load(in.block(row, 0, at_once, columns)), DataType::F32);
        const Tile powers = tl.exp(values - tl.max(values, Axis::Columns));
        const Tile shares = powers / tl.sum(powers, Axis::Columns);
        tl.store(out.block(row, 0, at_once, columns), tl.cast(shares, type));
      }
    });
  });

  kb.expect("y", kb.read(y), [=] { return from_doubles(type, reference(to_doubles(x_data()))); });
}

const Registration kBench{{"softmax",
                           "y = softmax of each row of x, rows over all PEs",
                           {{"rows", "1024", "rows of x and y"},
                            {"columns", "512", "columns of x and y"},
                            {"type", "f16", "f32, f16 or bf16"},
                            {"rows_at_once", "16", "rows that a PE processes at a time"}},
                           run}};

}  // namespace
}  // namespace kernbench::model::bench::softmax
