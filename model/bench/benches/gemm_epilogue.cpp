// SPDX-License-Identifier: Apache-2.0
// y = activation(x W + bias), rows spread over all PEs. Bias and activation are fused into the GEMM
// tile by tile, or applied after it.

#include "model/bench/random_data.hpp"
#include "model/bench/reference.hpp"
#include "model/bench/registry.hpp"

namespace kernbench::model::bench::gemm_epilogue {
namespace {

using components::MathOp;
using data::DataType;
using kernel::TensorRef;
using kernel::Tile;
using kernel::Tl;
using runtime::Placement;

MatrixD reference(const MatrixD& x, const MatrixD& weights, const MatrixD& bias, bool relu) {
  MatrixD y = x * weights;
  y.rowwise() += bias.row(0);
  if (relu) return y.array().max(0.0);
  return 1.0 / (1.0 + (-y.array()).exp());
}

void run(runtime::Context& kb) {
  const std::uint64_t m = kb.number("m");
  const std::uint64_t k = kb.number("k", 1);
  const std::uint64_t n = kb.number("n");
  const DataType type = kb.type("type");
  const bool relu = kb.choice("activation", {"relu", "sigmoid"}) == "relu";
  const bool fused = kb.choice("fused", {"yes", "no"}) == "yes";
  const runtime::DpPolicy by_rows{Placement::RowWise, Placement::RowWise};
  const runtime::DpPolicy in_each_cube{Placement::Replicate, Placement::RowWise};
  const auto x_data = uniform(type, m, k, 1);
  const auto w_data = uniform(type, k, n, 2);
  const auto bias_data = uniform(DataType::F32, 1, n, 3);
  const runtime::Tensor x = kb.tensor(m, k, type, by_rows, x_data);
  const runtime::Tensor w = kb.tensor(k, n, type, in_each_cube, w_data);
  const runtime::Tensor bias = kb.tensor(1, n, DataType::F32, in_each_cube, bias_data);
  const runtime::Tensor y = kb.tensor(m, n, type, by_rows);

  kb.measure("gemm-epilogue", [&] {
    kb.launch("gemm-epilogue",
              [=, x = x->view(), w = w->view(), bias = bias->view(), y = y->view()](Tl& tl) {
                const TensorRef out = y.local(tl);
                if (out.empty()) return;
                const Tile row = tl.load(bias.whole());
                if (fused) {
                  kernel::CompositeOptions options;
                  options.epilogue = {{MathOp::Add, row}};
                  if (relu) {
                    options.epilogue.push_back({MathOp::Maximum, 0.0});
                  } else {
                    options.epilogue.push_back({MathOp::Sigmoid});
                  }
                  tl.composite(x.local(tl), w.whole(), out, options);
                } else {
                  const Tile sum = tl.composite(x.local(tl), w.whole(), DataType::F32) + row;
                  const Tile active = relu ? tl.maximum(sum, 0.0) : tl.sigmoid(sum);
                  tl.store(out, tl.cast(active, type));
                }
              });
  });

  kb.expect("y", kb.read(y), [=] {
    return from_doubles(
        type, reference(to_doubles(x_data()), to_doubles(w_data()), to_doubles(bias_data()), relu));
  });
}

const Registration kBench{
    {"gemm-epilogue",
     "y = activation(x W + bias), rows over all PEs",
     {{"m", "512", "rows of x and y"},
      {"k", "512", "columns of x, rows of W"},
      {"n", "512", "columns of W and y"},
      {"type", "f16", "f32, f16 or bf16; the bias is f32"},
      {"activation", "relu", "relu or sigmoid"},
      {"fused", "yes", "yes, or no: bias and activation after the whole GEMM"}},
     run}};

}  // namespace
}  // namespace kernbench::model::bench::gemm_epilogue
