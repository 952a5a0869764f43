#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/components/tiling/math_op.hpp"
#include "model/components/tiling/tiling.hpp"
#include "model/data/array.hpp"
#include "model/data/data_type.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::data {

// What an operation does to data: enough to do it again without the simulation.

/// The memories that data are in.
enum class Space : std::uint8_t { Hbm, Tcm, Sram };
[[nodiscard]] std::string_view name_of(Space space);

/// Bytes that follow each other in memory.
struct Stretch {
  std::uint64_t pa = 0;
  std::uint64_t bytes = 0;

  friend constexpr bool operator==(const Stretch&, const Stretch&) = default;
};

/// From the first element of a matrix to the last, gaps between rows included.
[[nodiscard]] constexpr std::uint64_t span_bytes(std::uint64_t rows, std::uint64_t columns,
                                                 std::uint64_t row_stride, DataType type) {
  return rows == 0 || columns == 0 ? 0 : ((rows - 1) * row_stride + columns) * bytes_of(type);
}

/// A matrix in memory: rows of `columns` elements, `row_stride` elements from one to the next.
struct Block {
  Space space = Space::Tcm;
  DataType type = DataType::F32;
  std::uint64_t rows = 0;  ///< as stored
  std::uint64_t columns = 0;
  std::uint64_t row_stride = 0;    ///< at least `columns`
  bool transposed = false;         ///< rows and columns change places when it is read
  std::vector<Stretch> stretches;  ///< from the first element to the last, gaps of rows included

  [[nodiscard]] std::uint64_t bytes() const { return rows * columns * bytes_of(type); }
  [[nodiscard]] std::uint64_t span_bytes() const {
    return data::span_bytes(rows, columns, row_stride, type);
  }

  friend bool operator==(const Block&, const Block&) = default;
};

/// An operand of a math operation: a block or a number.
using Operand = std::variant<Block, double>;

/// An operation of which nobody says what it does to data. It cannot be replayed.
struct UnknownParams {};

/// Copies a block: dma_read and dma_write.
struct CopyParams {
  Block source;
  Block target;  ///< of the same shape and type
};

/// c = a b, summed up in the accumulator type of `a`, then rounded to the type of `c`.
struct GemmParams {
  Block a;
  Block b;
  Block c;
};

/// An element-wise operation on each tile of a composite GEMM's result.
struct EpilogueOp {
  components::MathOp op = components::MathOp::Add;
  std::optional<Operand> operand;  ///< the second one of binary operations; may be one row
};

/// c = epilogue(a b) by tiles.
struct CompositeGemmParams {
  Block a;
  Block b;
  Block c;
  components::GemmShape shape;
  std::vector<EpilogueOp> epilogue;
};

/// Which elements a reduction puts together.
enum class Axis : std::uint8_t { Rows = 0, Columns = 1 };

/// output = op(inputs...), element by element; an input of one row, one column or one number is
/// repeated. A reduction has one input and an axis: along Rows the output is one row, along Columns
/// one column.
struct MathParams {
  components::MathOp op = components::MathOp::Add;
  std::vector<Operand> inputs;
  std::optional<Axis> axis;
  Block output;
};

/// One end of a copy from PE to PE. The k-th receive of a channel gets the data of its k-th send.
struct IpcqCopyParams {
  bool send = true;
  Block local;
  topology::NodeId receiver;    ///< its pe_ipcq
  std::uint32_t direction = 0;  ///< as the receiver counts
};

/// A part of a tensor and where it is.
struct Placed {
  std::uint64_t row = 0;  ///< of the tensor
  std::uint64_t column = 0;
  Block block;
};

/// Copies between the host and parts of a tensor.
struct HostCopyParams {
  bool to_device = true;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  DataType type = DataType::F32;
  std::vector<Placed> parts;
  std::function<Array()> data;  ///< of a copy to the device; made when it is needed
  std::uint32_t result = 0;     ///< number of a copy from the device
};

using Params = std::variant<UnknownParams, CopyParams, GemmParams, CompositeGemmParams, MathParams,
                            IpcqCopyParams, HostCopyParams>;

enum class OpKind : std::uint8_t { Memory, Gemm, Math };
[[nodiscard]] std::string_view name_of(OpKind kind);

[[nodiscard]] OpKind kind_of(const Params& params);

/// "dma_read", "gemm_f16", "exp", "composite_gemm", "ipcq_copy", "host_write", "unknown", ...
[[nodiscard]] std::string op_name(const Params& params);

}  // namespace kernbench::model::data
