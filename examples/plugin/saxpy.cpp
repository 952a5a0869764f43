// SPDX-License-Identifier: Apache-2.0
// A bench: y = a x + y, rows over all PEs. Its kernel can be launched from Python by its name.
#include <kernbench/bench.hpp>

namespace {

using namespace kernbench::model;
using data::DataType;
using runtime::Placement;

void saxpy(kernel::Tl& tl, const runtime::TensorView& x, const runtime::TensorView& y, double a) {
  const kernel::TensorRef mine = y.local(tl);
  if (mine.empty()) return;  // more PEs than rows
  const kernel::Tile scaled = tl.load(x.local(tl)) * a;
  tl.store(mine, scaled + tl.load(mine));
}

void run(runtime::Context& kb) {
  const std::uint64_t rows = kb.number("rows", 1);
  const std::uint64_t columns = kb.number("columns", 1);
  const auto factor = static_cast<float>(kb.number("a"));
  const runtime::DpPolicy by_rows{Placement::RowWise, Placement::RowWise};
  const auto x_data = bench::uniform(DataType::F32, rows, columns, 1);
  const auto y_data = bench::uniform(DataType::F32, rows, columns, 2);
  const runtime::Tensor x = kb.tensor(rows, columns, DataType::F32, by_rows, x_data);
  const runtime::Tensor y = kb.tensor(rows, columns, DataType::F32, by_rows, y_data);

  kb.measure("saxpy", [&] {
    kb.launch("saxpy",
              [factor, x = x->view(), y = y->view()](kernel::Tl& tl) { saxpy(tl, x, y, factor); });
  });

  kb.expect("y", kb.read(y), [factor, x_data, y_data] {
    const data::MatrixF sum = factor * x_data().to_floats() + y_data().to_floats();
    return data::Array::from(DataType::F32, sum);
  });
}

const runtime::KernelRegistration kKernel{"saxpy", "y = a x + y", {"x", "y", "a"}, saxpy};
const bench::Registration kBench{{"saxpy",
                                  "y = a x + y, rows over all PEs",
                                  {{"rows", "256", "rows of x and y"},
                                   {"columns", "64", "columns of x and y"},
                                   {"a", "2", "factor"}},
                                  run}};

}  // namespace
