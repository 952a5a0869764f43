#pragma once

#include <cstdint>
#include <optional>

#include "model/ccl/process_group.hpp"
#include "model/components/tiling/math_op.hpp"

namespace kernbench::model::ccl {

// Layers whose weights are spread over ranks, as in Megatron-LM (M. Shoeybi et al., 2019), and
// within a rank over the cubes of its SIP. The rows of a batch are spread over the PEs of a cube.

/// y = activation(x W): a rank has some of W's columns, and so of y's. Nothing is exchanged.
class ColumnParallelLinear {
 public:
  /// `weight` makes all of W, `inputs` x `outputs`. Throws std::invalid_argument unless the world
  /// size divides `outputs`.
  ColumnParallelLinear(Worker& worker, std::uint64_t inputs, std::uint64_t outputs,
                       data::DataType type, const runtime::HostData& weight);

  /// x: copies in all cubes, rows over PEs. The result has its columns over cubes. `activation` is
  /// one of the PE's operations with a number: {Maximum, 0.0} is ReLU.
  [[nodiscard]] runtime::Tensor forward(const runtime::Tensor& x,
                                        std::optional<kernel::Epilogue> activation = {});

 private:
  Worker& worker_;
  runtime::Tensor weight_;
};

/// y = x W: a rank has some of W's rows, and the same columns of x; the products are summed up over
/// cubes and ranks by an all-reduce.
class RowParallelLinear {
 public:
  /// As above; the world size has to divide `inputs`.
  RowParallelLinear(Worker& worker, std::uint64_t inputs, std::uint64_t outputs,
                    data::DataType type, const runtime::HostData& weight);

  /// x: columns over cubes, rows over PEs, as ColumnParallelLinear makes it. Every cube gets y.
  [[nodiscard]] runtime::Tensor forward(const runtime::Tensor& x);

 private:
  Worker& worker_;
  runtime::Tensor weight_;
};

}  // namespace kernbench::model::ccl
