// SPDX-License-Identifier: Apache-2.0
#include "model/ccl/tensor_parallel.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace kernbench::model::ccl {

using kernel::TensorRef;
using kernel::Tl;
using runtime::HostData;
using runtime::Placement;
using runtime::Tensor;

namespace {

std::uint64_t share_of(const Worker& worker, std::string_view what, std::uint64_t size) {
  if (size % worker.world_size() != 0) {
    throw std::invalid_argument(fmt::format("{} {} cannot be spread over {} ranks evenly", size,
                                            what, worker.world_size()));
  }
  return size / worker.world_size();
}

/// Computes c = epilogue(a b) on the program's parts of the tensors; c is 0 without products.
void multiply(Tl& tl, const TensorRef& a, const TensorRef& b, const TensorRef& c,
              const kernel::CompositeOptions& options) {
  if (c.empty()) return;
  if (a.columns != 0) {
    tl.composite(a, b, c, options);
    return;
  }
  constexpr std::uint64_t kRows = 64;
  for (std::uint64_t row = 0; row < c.rows; row += kRows) {
    const TensorRef part = c.block(row, 0, kRows, c.columns);
    tl.store(part, tl.full(part.rows, part.columns, 0.0, c.type));
  }
}

}  // namespace

ColumnParallelLinear::ColumnParallelLinear(Worker& worker, std::uint64_t inputs,
                                           std::uint64_t outputs, data::DataType type,
                                           const HostData& weight)
    : worker_(worker) {
  const std::uint64_t share = share_of(worker, "outputs", outputs);
  const std::uint64_t first = worker.rank() * share;
  weight_ = worker.kb().tensor(inputs, share, type, {Placement::ColumnWise, Placement::Replicate},
                               [=] { return weight().block(0, first, inputs, share); });
}

Tensor ColumnParallelLinear::output(std::uint64_t rows) const {
  return worker_.kb().tensor(rows, weight_->layout.columns(), weight_->type,
                             {Placement::ColumnWise, Placement::RowWise});
}

void ColumnParallelLinear::forward(const Tensor& x, const Tensor& y,
                                   std::optional<kernel::Epilogue> activation) {
  kernel::CompositeOptions options;
  if (activation) options.epilogue.push_back(*activation);
  worker_.kb().launch("column-parallel-linear",
                      [x = x->view(), w = weight_->view(), y = y->view(), options](Tl& tl) {
                        multiply(tl, x.local(tl), w.local(tl), y.local(tl), options);
                      });
}

RowParallelLinear::RowParallelLinear(Worker& worker, std::uint64_t inputs, std::uint64_t outputs,
                                     data::DataType type, const HostData& weight)
    : worker_(worker) {
  const std::uint64_t share = share_of(worker, "inputs", inputs);
  const std::uint64_t first = worker.rank() * share;
  weight_ = worker.kb().tensor(share, outputs, type, {Placement::RowWise, Placement::Replicate},
                               [=] { return weight().block(first, 0, share, outputs); });
}

Tensor RowParallelLinear::output(std::uint64_t rows) const {
  return worker_.kb().tensor(rows, weight_->layout.columns(), weight_->type,
                             {Placement::Replicate, Placement::RowWise});
}

void RowParallelLinear::forward(const Tensor& x, const Tensor& y) {
  worker_.kb().launch("row-parallel-linear",
                      [x = x->view(), w = weight_->view(), y = y->view()](Tl& tl) {
                        multiply(tl, x.local(tl), w.local(tl), y.local(tl), {});
                      });
  worker_.all_reduce(y);
}

}  // namespace kernbench::model::ccl
