// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "common/api.hpp"
#include "model/ccl/process_group.hpp"
#include "model/components/tiling/math_op.hpp"

namespace kernbench::model::ccl {

// Layers with weights spread over ranks, as in Megatron-LM (M. Shoeybi et al., 2019), and within a
// rank over the cubes of its SIP. The rows of a batch are spread over the PEs of a cube.

/// Computes y = activation(x W). Each rank has some columns of W and computes the same columns of
/// y. Ranks exchange no data.
class KERNBENCH_API ColumnParallelLinear {
 public:
  /// `weight` returns the whole W, `inputs` x `outputs`. Throws std::invalid_argument unless the
  /// world size divides `outputs`.
  ColumnParallelLinear(Worker& worker, std::uint64_t inputs, std::uint64_t outputs,
                       data::DataType type, const runtime::HostData& weight);

  /// Returns a new tensor for y, with its columns spread over cubes and its rows over PEs.
  [[nodiscard]] runtime::Tensor output(std::uint64_t rows) const;
  /// Computes y, a tensor like output(). x has copies in all cubes and rows spread over PEs.
  /// `activation` is an operation of the PE with a number; {Maximum, 0.0} is ReLU.
  void forward(const runtime::Tensor& x, const runtime::Tensor& y,
               std::optional<kernel::Epilogue> activation = {});

 private:
  Worker& worker_;
  runtime::Tensor weight_;
};

/// Computes y = x W. Each rank has some rows of W and the same columns of x. An all-reduce sums the
/// products over cubes and ranks.
class KERNBENCH_API RowParallelLinear {
 public:
  /// `weight` returns the whole W, `inputs` x `outputs`. Throws std::invalid_argument unless the
  /// world size divides `inputs`.
  RowParallelLinear(Worker& worker, std::uint64_t inputs, std::uint64_t outputs,
                    data::DataType type, const runtime::HostData& weight);

  /// Returns a new tensor for y, with a copy in every cube and its rows spread over PEs.
  [[nodiscard]] runtime::Tensor output(std::uint64_t rows) const;
  /// Computes y, a tensor like output(). x has its columns spread over cubes and its rows over PEs,
  /// like the result of ColumnParallelLinear.
  void forward(const runtime::Tensor& x, const runtime::Tensor& y);

 private:
  Worker& worker_;
  runtime::Tensor weight_;
};

}  // namespace kernbench::model::ccl
