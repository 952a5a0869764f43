// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/enum_names.hpp"
#include "model/components/tiling/math_op.hpp"
#include "model/components/tiling/tiling.hpp"
#include "model/data/array.hpp"
#include "model/data/data_type.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::data {

// The effect of operations on data, sufficient to replay them without the simulation.

/// The kinds of memory that hold data.
enum class Space : std::uint8_t { Hbm, Tcm, Sram };
inline constexpr std::array<common::EnumName<Space>, 3> kSpaceNames = {
    {{"hbm", Space::Hbm}, {"tcm", Space::Tcm}, {"sram", Space::Sram}}};
constexpr const auto& name_table(Space /*any*/) {
  return kSpaceNames;
}
[[nodiscard]] constexpr std::string_view name_of(Space space) {
  return common::name_of(kSpaceNames, space);
}

/// A contiguous range of bytes in memory.
struct Stretch {
  std::uint64_t pa = 0;
  std::uint64_t bytes = 0;

  friend constexpr bool operator==(const Stretch&, const Stretch&) = default;
};

/// Returns the bytes from the first element of a matrix to the last, with gaps between rows.
[[nodiscard]] constexpr std::uint64_t span_bytes(std::uint64_t rows, std::uint64_t columns,
                                                 std::uint64_t row_stride, DataType type) {
  return rows == 0 || columns == 0 ? 0 : ((rows - 1) * row_stride + columns) * bytes_of(type);
}

/// A matrix in memory.
struct Block {
  Space space = Space::Tcm;
  DataType type = DataType::F32;
  std::uint64_t rows = 0;          ///< rows as stored
  std::uint64_t columns = 0;       ///< columns as stored
  std::uint64_t row_stride = 0;    ///< elements from one row to the next, at least `columns`
  bool transposed = false;         ///< rows and columns are exchanged on reads
  std::vector<Stretch> stretches;  ///< first element to last, with gaps between rows

  [[nodiscard]] std::uint64_t bytes() const { return rows * columns * bytes_of(type); }
  [[nodiscard]] std::uint64_t span_bytes() const {
    return data::span_bytes(rows, columns, row_stride, type);
  }

  friend bool operator==(const Block&, const Block&) = default;
};

/// An operand of a math operation: a block or a number.
using Operand = std::variant<Block, double>;

/// An operation without data semantics. It cannot be replayed.
struct UnknownParams {};

/// A copy of a block: dma_read or dma_write. With `rows`, only some rows of the block in memory, in
/// the order of these numbers: gather or scatter.
struct CopyParams {
  Block source;
  Block target;  ///< same shape and type as `source`, but for the number of rows with `rows`
  std::optional<Block> rows{};  ///< one row or column of i32
};

/// c = a b of types that can_multiply(), accumulated in accumulator_of(a.type) and then converted
/// to the type of `c`.
struct GemmParams {
  Block a;
  Block b;
  Block c;
};

/// The accumulator of a GEMM after the first `steps` steps of its epilogue: 0 means the sum itself.
struct Accumulated {
  std::uint32_t steps = 0;
};

/// An element-wise operation on each tile of a composite GEMM's result. `operand` is the second
/// operand of a binary operation; it may be one row.
struct EpilogueOp {
  components::MathOp op = components::MathOp::Add;
  std::optional<std::variant<Block, double, Accumulated>> operand;
};

/// c = epilogue(a b), computed tile by tile.
struct CompositeGemmParams {
  Block a;
  Block b;
  Block c;
  components::GemmShape shape;
  std::vector<EpilogueOp> epilogue;
};

/// The axis along which a reduction combines elements.
enum class Axis : std::uint8_t { Rows = 0, Columns = 1 };

/// output = op(inputs...), element by element. An input of one row, one column or one number is
/// repeated. A reduction has one input and an axis: its output is one row along Rows, one column
/// along Columns.
struct MathParams {
  components::MathOp op = components::MathOp::Add;
  std::vector<Operand> inputs;
  std::optional<Axis> axis;
  Block output;
};

/// A read of a tile by the kernel itself. It changes no data.
struct ReadParams {
  Block source;
};

/// One end of a copy between PEs. The k-th receive of a channel gets the data of its k-th send.
struct IpcqCopyParams {
  bool send = true;
  Block local;
  topology::NodeId receiver;    ///< pe_ipcq of the receiving PE
  std::uint32_t direction = 0;  ///< direction number at the receiver
};

/// A part of a tensor and its memory.
struct Placed {
  std::uint64_t row = 0;     ///< first row in the tensor
  std::uint64_t column = 0;  ///< first column in the tensor
  Block block;
};

/// A copy between the host and the parts of a tensor.
struct HostCopyParams {
  bool to_device = true;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  DataType type = DataType::F32;
  std::vector<Placed> parts;
  std::function<Array()> data;  ///< values of a copy to the device, computed on demand
  std::uint32_t result = 0;     ///< number of the result of a copy to the host
};

using Params = std::variant<UnknownParams, CopyParams, GemmParams, CompositeGemmParams, MathParams,
                            ReadParams, IpcqCopyParams, HostCopyParams>;

enum class OpKind : std::uint8_t { Memory, Gemm, Math };
inline constexpr std::array<common::EnumName<OpKind>, 3> kOpKindNames = {
    {{"memory", OpKind::Memory}, {"gemm", OpKind::Gemm}, {"math", OpKind::Math}}};
constexpr const auto& name_table(OpKind /*any*/) {
  return kOpKindNames;
}
[[nodiscard]] constexpr std::string_view name_of(OpKind kind) {
  return common::name_of(kOpKindNames, kind);
}

[[nodiscard]] OpKind kind_of(const Params& params);

/// Returns "dma_read", "gemm_f16", "exp", "composite_gemm", "kernel_read", "ipcq_copy",
/// "host_write", "unknown", ...
[[nodiscard]] std::string op_name(const Params& params);

}  // namespace kernbench::model::data
