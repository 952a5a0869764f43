// SPDX-License-Identifier: Apache-2.0
// y = relu(x W1) W2 over all SIPs: W1 column-parallel, W2 row-parallel, one all-reduce at the end.

#include <fmt/format.h>

#include "model/bench/random_data.hpp"
#include "model/bench/registry.hpp"
#include "model/ccl/tensor_parallel.hpp"

namespace kernbench::model::bench::mlp {
namespace {

using data::Array;
using runtime::Placement;

/// Returns the tolerance of a sum of `hidden` terms: half a unit in the last place of each term for
/// its rounded factor and the rounding between cubes and ranks; in f32 the effect of another order.
runtime::Tolerance tolerance(data::DataType type, std::uint64_t hidden) {
  if (!is_floating(type)) return {};
  const double term = type == data::DataType::F16    ? 0x1p-11
                      : type == data::DataType::BF16 ? 0x1p-8
                                                     : 1e-5;
  return {term, term * static_cast<double>(hidden)};
}

void run(runtime::Context& kb) {
  const std::uint64_t batch = kb.number("batch", 1);
  const std::uint64_t inputs = kb.number("inputs", 1);
  const std::uint64_t hidden = kb.number("hidden", 1);
  const std::uint64_t outputs = kb.number("outputs", 1);
  const data::DataType type =
      *data::data_type_of(kb.choice("type", {"f32", "f16", "bf16", "i32", "i8"}));
  const runtime::HostData x_data = uniform(type, batch, inputs, 1);
  const runtime::HostData w1_data = uniform(type, inputs, hidden, 2);
  const runtime::HostData w2_data = uniform(type, hidden, outputs, 3);
  ccl::ProcessGroup group(kb.session(), "ahbm");

  ccl::spawn(kb, group, [&](ccl::Worker& worker) {
    ccl::ColumnParallelLinear up(worker, inputs, hidden, type, w1_data);
    ccl::RowParallelLinear down(worker, hidden, outputs, type, w2_data);
    const runtime::Tensor x =
        worker.kb().tensor(batch, inputs, type, {Placement::Replicate, Placement::RowWise}, x_data);
    const runtime::Tensor between = up.output(batch);
    const runtime::Tensor y = down.output(batch);
    worker.kb().measure("forward", [&] {
      up.forward(x, between, kernel::Epilogue{kernel::MathOp::Maximum, 0.0});
      down.forward(between, y);
    });

    worker.kb().expect(
        fmt::format("y at rank {}", worker.rank()), worker.kb().read(y),
        [=] {
          if (!is_floating(type)) {
            const data::MatrixI h = (x_data().to_integers() * w1_data().to_integers()).cwiseMax(0);
            return Array::from(type, data::MatrixI(h * w2_data().to_integers()));
          }
          const data::MatrixF h = (x_data().to_floats() * w1_data().to_floats()).cwiseMax(0.0F);
          return Array::from(type, data::MatrixF(h * w2_data().to_floats()));
        },
        tolerance(type, hidden));
  });
}

const Registration kBench{{"mlp",
                           "two linear layers, tensor-parallel over all SIPs",
                           {{"batch", "64", "rows of x"},
                            {"inputs", "256", "columns of x"},
                            {"hidden", "512", "columns of W1; a multiple of the number of ranks"},
                            {"outputs", "256", "columns of y"},
                            {"type", "f32", "type of all tensors"}},
                           run,
                           {},
                           true}};

}  // namespace
}  // namespace kernbench::model::bench::mlp
