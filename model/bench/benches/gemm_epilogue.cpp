// SPDX-License-Identifier: Apache-2.0
// y = activation(x W + bias), rows spread over all PEs. Bias and activation are fused into the GEMM
// tile by tile, or applied after it.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

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

/// An activation as a step of an epilogue, as an operation of a kernel, and in double.
struct Activation {
  const char* name;
  kernel::Epilogue step;
  Tile (*apply)(Tl&, const Tile&);
  double (*exact)(double);
};

const std::array<Activation, 5> kActivations = {{
    {"relu",
     {MathOp::Maximum, 0.0},
     [](Tl& tl, const Tile& x) { return tl.maximum(x, 0.0); },
     [](double x) { return std::max(x, 0.0); }},
    {"sigmoid",
     {MathOp::Sigmoid},
     [](Tl& tl, const Tile& x) { return tl.sigmoid(x); },
     [](double x) { return 1.0 / (1.0 + std::exp(-x)); }},
    {"tanh",
     {MathOp::Tanh},
     [](Tl& tl, const Tile& x) { return tl.tanh(x); },
     [](double x) { return std::tanh(x); }},
    {"gelu",
     {MathOp::Gelu},
     [](Tl& tl, const Tile& x) { return tl.gelu(x); },
     [](double x) { return 0.5 * x * std::erfc(-x * std::sqrt(0.5)); }},
    {"silu",
     {MathOp::Silu},
     [](Tl& tl, const Tile& x) { return tl.silu(x); },
     [](double x) { return x / (1.0 + std::exp(-x)); }},
}};

const Activation& activation_of(const runtime::Context& kb) {
  std::vector<std::string_view> names;
  for (const Activation& activation : kActivations) names.emplace_back(activation.name);
  const std::string name = kb.choice("activation", names);
  return *std::find_if(kActivations.begin(), kActivations.end(),
                       [&](const Activation& one) { return one.name == name; });
}

MatrixD reference(const MatrixD& x, const MatrixD& weights, const MatrixD& bias,
                  const Activation& activation) {
  MatrixD y = x * weights;
  y.rowwise() += bias.row(0);
  return y.unaryExpr(activation.exact);
}

void run(runtime::Context& kb) {
  const std::uint64_t m = kb.number("m");
  const std::uint64_t k = kb.number("k", 1);
  const std::uint64_t n = kb.number("n");
  const DataType type = kb.type("type");
  const Activation& activation = activation_of(kb);
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
    kb.launch("gemm-epilogue", [=, &activation, x = x->view(), w = w->view(), bias = bias->view(),
                                y = y->view()](Tl& tl) {
      const TensorRef out = y.local(tl);
      if (out.empty()) return;
      const Tile row = tl.load(bias.whole());
      if (fused) {
        kernel::CompositeOptions options;
        options.epilogue = {{MathOp::Add, row}, activation.step};
        tl.composite(x.local(tl), w.whole(), out, options);
      } else {
        const Tile sum = tl.composite(x.local(tl), w.whole(), DataType::F32) + row;
        tl.store(out, tl.cast(activation.apply(tl, sum), type));
      }
    });
  });

  kb.expect("y", kb.read(y), [=, &activation] {
    return from_doubles(type, reference(to_doubles(x_data()), to_doubles(w_data()),
                                        to_doubles(bias_data()), activation));
  });
}

const Registration kBench{
    {"gemm-epilogue",
     "y = activation(x W + bias), rows over all PEs",
     {{"m", "512", "rows of x and y"},
      {"k", "512", "columns of x, rows of W"},
      {"n", "512", "columns of W and y"},
      {"type", "f16", "f32, f16 or bf16; the bias is f32"},
      {"activation", "relu", "relu, sigmoid, tanh, gelu (by erf) or silu"},
      {"fused", "yes", "yes, or no: bias and activation after the whole GEMM"}},
     run,
     {},
     true}};

}  // namespace
}  // namespace kernbench::model::bench::gemm_epilogue
