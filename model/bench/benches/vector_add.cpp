// SPDX-License-Identifier: Apache-2.0
// z = x + y, element by element, rows spread over all PEs.

#include "model/bench/random_data.hpp"
#include "model/bench/registry.hpp"
#include "model/runtime/kernel_registry.hpp"

namespace kernbench::model::bench::vector_add {
namespace {

using data::DataType;
using kernel::TensorRef;
using kernel::Tl;
using runtime::Placement;
using runtime::TensorView;

void add(Tl& tl, const TensorView& x, const TensorView& y, const TensorView& z) {
  const TensorRef mine = z.local(tl);
  constexpr std::uint64_t kRows = 64;
  for (std::uint64_t row = 0; row < mine.rows; row += kRows) {
    const auto part = [&](const TensorRef& all) { return all.block(row, 0, kRows, all.columns); };
    tl.store(part(mine), tl.load(part(x.local(tl))) + tl.load(part(y.local(tl))));
  }
}

void run(runtime::Context& kb) {
  const std::uint64_t rows = kb.number("rows");
  const std::uint64_t columns = kb.number("columns");
  const runtime::DpPolicy policy{Placement::RowWise, Placement::RowWise};
  const auto x_data = uniform(DataType::F32, rows, columns, 1);
  const auto y_data = uniform(DataType::F32, rows, columns, 2);
  const runtime::Tensor x = kb.tensor(rows, columns, DataType::F32, policy, x_data);
  const runtime::Tensor y = kb.tensor(rows, columns, DataType::F32, policy, y_data);
  const runtime::Tensor z = kb.tensor(rows, columns, DataType::F32, policy);

  kb.measure("vector-add", [&] {
    kb.launch("vector-add",
              [x = x->view(), y = y->view(), z = z->view()](Tl& tl) { add(tl, x, y, z); });
  });

  kb.expect("z", kb.read(z), [x_data, y_data] {
    const data::MatrixF sum = x_data().to_floats() + y_data().to_floats();
    return data::Array::from(DataType::F32, sum);
  });
}

const runtime::KernelRegistration kKernel{"vector-add", "z = x + y", {"x", "y", "z"}, add};
const Registration kBench{
    {"vector-add",
     "z = x + y, rows over all PEs",
     {{"rows", "1024", "rows of each tensor"}, {"columns", "256", "columns of each tensor"}},
     run,
     {},
     true}};

}  // namespace
}  // namespace kernbench::model::bench::vector_add
