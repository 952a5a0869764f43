// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "common/api.hpp"
#include "model/kernel/composite_options.hpp"
#include "model/kernel/executor.hpp"
#include "model/kernel/pending.hpp"
#include "model/kernel/tile.hpp"
#include "model/kernel/tile_pool.hpp"

namespace kernbench::model::kernel {

using data::Axis;
using data::DataType;
using data::SourceLine;

/// The operations of a kernel (Architecture, "Kernel-side tl.* API"). A kernel is a plain function
/// that takes a Tl. Each operation that moves or computes data returns when the PE has completed
/// it.
///
/// Throws KernelError, with the operation and its line, for shapes or types that do not fit,
/// unmapped memory, a full TCM, and a tile of a product that exceeds the accumulators of pe_gemm.
/// Operations on empty matrices take no time. docs/kernels.md gives the latency of each operation.
class KERNBENCH_API Tl {
 public:
  /// The executor must outlive it.
  explicit Tl(Executor& executor)
      : executor_(executor), place_(executor.place()), tiles_(new TilePool(*this, executor)) {}
  Tl(const Tl&) = delete;
  Tl& operator=(const Tl&) = delete;
  /// Frees the TCM of all tiles.
  ~Tl() { tiles_->close(); }

  /// Returns the index of the PE within its cube (axis 0) or of the cube within its SIP (axis 1).
  [[nodiscard]] std::uint64_t program_id(unsigned axis, SourceLine line = SourceLine::here()) const;
  /// Returns the PEs of a cube (axis 0) or the cubes (axis 1) that the launch uses.
  [[nodiscard]] std::uint64_t num_programs(unsigned axis,
                                           SourceLine line = SourceLine::here()) const;

  [[nodiscard]] const ProgramPlace& place() const { return place_; }
  /// Returns the size of the accumulators of the PE's matrix engine.
  [[nodiscard]] std::uint64_t accumulator_bytes() const { return executor_.accumulator_bytes(); }

  /// Names a dense matrix in HBM, without moving it.
  [[nodiscard]] static TensorRef ref(std::uint64_t va, std::uint64_t rows, std::uint64_t columns,
                                     DataType type);

  /// Copies between HBM and TCM by DMA.
  [[nodiscard]] Tile load(const TensorRef& source, SourceLine line = SourceLine::here());
  void store(const TensorRef& target, const Tile& tile, SourceLine line = SourceLine::here());
  /// Start a copy that the kernel waits for later. The memory must not be written (load) or
  /// accessed (store) until then.
  [[nodiscard]] PendingTile iload(const TensorRef& source, SourceLine line = SourceLine::here());
  [[nodiscard]] Pending istore(const TensorRef& target, const Tile& tile,
                               SourceLine line = SourceLine::here());

  /// Returns the numbers of a tile, which the kernel may branch on. Requires `kernbench run --data
  /// live`: throws KernelError otherwise.
  [[nodiscard]] data::Array read(const Tile& tile, SourceLine line = SourceLine::here());

  /// Generates a tile on the math engine: one value everywhere, or one row counting up from
  /// `first`.
  [[nodiscard]] Tile full(std::uint64_t rows, std::uint64_t columns, double value, DataType type,
                          SourceLine line = SourceLine::here());
  [[nodiscard]] Tile arange(std::uint64_t columns, DataType type, double first = 0.0,
                            SourceLine line = SourceLine::here());
  /// Returns the same matrix with rows and columns exchanged. No data moves.
  [[nodiscard]] static Tile trans(const Tile& tile);
  /// Returns a transposed copy, whose rows are contiguous. Made by the math engine.
  [[nodiscard]] Tile transpose(const Tile& x, SourceLine line = SourceLine::here());

  /// Copies the rows of a matrix in memory whose numbers are in `rows`, one row or column of i32.
  /// The replay ends with an error when a number is not a row of the matrix. The simulation does
  /// not know the numbers, and accesses as many rows at equal distances.
  [[nodiscard]] Tile gather(const TensorRef& source, const Tile& rows,
                            SourceLine line = SourceLine::here());
  /// Copies the rows of a tile to the rows of a matrix in memory whose numbers are in `rows`, as in
  /// gather(). Of equal numbers the last one counts.
  void scatter(const TensorRef& target, const Tile& rows, const Tile& tile,
               SourceLine line = SourceLine::here());

  /// Returns `columns` columns of a tile of one row, from column `first` on. No data moves.
  [[nodiscard]] Tile part(const Tile& tile, std::uint64_t first, std::uint64_t columns,
                          SourceLine line = SourceLine::here()) const;
  /// Returns a row without values. recv_into(), irecv_into(), add_into() and copy_into() write
  /// its parts, each element once; an operation that reads elements before they are written throws
  /// KernelError.
  [[nodiscard]] Tile buffer(std::uint64_t columns, DataType type,
                            SourceLine line = SourceLine::here());

  /// Returns a b, accumulated in f32 (i32 for integers) and converted to `type` if given. Both have
  /// one type, or both are f8, or b has weights of i4 beside any type of a.
  [[nodiscard]] Tile dot(const Tile& a, const Tile& b, std::optional<DataType> type = {},
                         SourceLine line = SourceLine::here());
  /// Computes c = epilogue(a b), which the scheduler cuts into tiles: DMA, fetch, GEMM and store of
  /// different tiles overlap. The second form leaves the result in TCM.
  void composite(const GemmOperand& a, const GemmOperand& b, const TensorRef& c,
                 const CompositeOptions& options = {}, SourceLine line = SourceLine::here());
  [[nodiscard]] Tile composite(const GemmOperand& a, const GemmOperand& b, DataType type,
                               const CompositeOptions& options = {},
                               SourceLine line = SourceLine::here());
  /// Start a composite() that the kernel waits for later.
  [[nodiscard]] Pending icomposite(const GemmOperand& a, const GemmOperand& b, const TensorRef& c,
                                   const CompositeOptions& options = {},
                                   SourceLine line = SourceLine::here());
  [[nodiscard]] PendingTile icomposite(const GemmOperand& a, const GemmOperand& b, DataType type,
                                       const CompositeOptions& options = {},
                                       SourceLine line = SourceLine::here());

  // Element-wise operations. All but abs, neg and cast require a floating-point type.
  [[nodiscard]] Tile exp(const Tile& x, SourceLine line = SourceLine::here());
  [[nodiscard]] Tile log(const Tile& x, SourceLine line = SourceLine::here());
  [[nodiscard]] Tile sqrt(const Tile& x, SourceLine line = SourceLine::here());
  [[nodiscard]] Tile rsqrt(const Tile& x, SourceLine line = SourceLine::here());
  [[nodiscard]] Tile abs(const Tile& x, SourceLine line = SourceLine::here());
  [[nodiscard]] Tile sigmoid(const Tile& x, SourceLine line = SourceLine::here());
  [[nodiscard]] Tile tanh(const Tile& x, SourceLine line = SourceLine::here());
  /// Returns x (1 + erf(x / sqrt(2))) / 2.
  [[nodiscard]] Tile gelu(const Tile& x, SourceLine line = SourceLine::here());
  /// Returns x sigmoid(x).
  [[nodiscard]] Tile silu(const Tile& x, SourceLine line = SourceLine::here());
  [[nodiscard]] Tile neg(const Tile& x, SourceLine line = SourceLine::here());
  /// Converts to another type: rounds to nearest even, and to i8 and i32 towards zero. f8, i4 and
  /// rounded integers saturate.
  [[nodiscard]] Tile cast(const Tile& x, DataType type, SourceLine line = SourceLine::here());

  // Two tiles of one type, or a tile and a number. A side of 1 is repeated to fit the other
  // operand. Comparisons return 0 and 1 of type i8.
  [[nodiscard]] Tile add(const Located& a, const Located& b, SourceLine line = SourceLine::here());
  [[nodiscard]] Tile sub(const Located& a, const Located& b, SourceLine line = SourceLine::here());
  [[nodiscard]] Tile mul(const Located& a, const Located& b, SourceLine line = SourceLine::here());
  [[nodiscard]] Tile div(const Located& a, const Located& b, SourceLine line = SourceLine::here());
  [[nodiscard]] Tile maximum(const Located& a, const Located& b,
                             SourceLine line = SourceLine::here());
  [[nodiscard]] Tile minimum(const Located& a, const Located& b,
                             SourceLine line = SourceLine::here());
  [[nodiscard]] Tile compare(MathOp op, const Located& a, const Located& b,
                             SourceLine line = SourceLine::here());
  /// Writes a + b, which must have its shape and type, to a part of a buffer.
  void add_into(const Tile& target, const Located& a, const Located& b,
                SourceLine line = SourceLine::here());
  /// Writes a copy of a tile to a part of a buffer of its shape and type.
  void copy_into(const Tile& target, const Tile& x, SourceLine line = SourceLine::here());
  /// Returns a where the condition (i8) is not 0, and b elsewhere.
  [[nodiscard]] Tile where(const Tile& condition, const Located& a, const Located& b,
                           SourceLine line = SourceLine::here());

  // Reductions: along Axis::Rows to one row, along Axis::Columns to one column.
  [[nodiscard]] Tile sum(const Tile& x, Axis axis, SourceLine line = SourceLine::here());
  [[nodiscard]] Tile max(const Tile& x, Axis axis, SourceLine line = SourceLine::here());
  [[nodiscard]] Tile min(const Tile& x, Axis axis, SourceLine line = SourceLine::here());

  // Operations on whole rows. NaN is larger than all numbers, and of equal elements the first one
  // counts.

  /// Returns the column of the largest element of each row: one column of i32.
  [[nodiscard]] Tile argmax(const Tile& x, SourceLine line = SourceLine::here());
  /// Returns the columns of the `k` largest elements of each row, the largest first: k columns of
  /// i32. take() returns the elements.
  [[nodiscard]] Tile top_k(const Tile& x, std::uint64_t k, SourceLine line = SourceLine::here());
  /// Returns the elements of each row of x whose columns are in the same row of `columns` (i32). If
  /// x has one row, it serves all. The replay ends with an error when an index is not a column.
  [[nodiscard]] Tile take(const Tile& x, const Tile& columns, SourceLine line = SourceLine::here());
  /// Rotary embedding: rotates the pairs of elements (j, j + d / 2) of each row of d elements. The
  /// cosines and sines have d / 2 columns, and the rows of x or one row. They have the type of x,
  /// or f32.
  [[nodiscard]] Tile rope(const Tile& x, const Tile& cosines, const Tile& sines,
                          SourceLine line = SourceLine::here());

  // Messages to and from the neighbour in a direction ("N", "global_E", ...). A send returns when
  // its data have left, a receive when they have arrived. Both ends must have the same shape and
  // type. Empty tiles are not sent.
  void send(std::string_view direction, const Tile& tile, SourceLine line = SourceLine::here());
  [[nodiscard]] Tile recv(std::string_view direction, std::uint64_t rows, std::uint64_t columns,
                          DataType type, SourceLine line = SourceLine::here());
  [[nodiscard]] PendingTile irecv(std::string_view direction, std::uint64_t rows,
                                  std::uint64_t columns, DataType type,
                                  SourceLine line = SourceLine::here());
  /// Receive a message of the shape and type of `target` into it, a part of a buffer.
  void recv_into(std::string_view direction, const Tile& target,
                 SourceLine line = SourceLine::here());
  [[nodiscard]] PendingTile irecv_into(std::string_view direction, const Tile& target,
                                       SourceLine line = SourceLine::here());

  /// Waits until an operation in flight is complete. The second form returns its result.
  void wait(Pending pending, SourceLine line = SourceLine::here());
  Tile wait(PendingTile pending, SourceLine line = SourceLine::here());

  /// Checks that the kernel, which has returned, has waited for all its operations. Throws
  /// KernelError.
  void end() const;

  /// Returns the Tl of the first operand that is a tile. Throws KernelError when its kernel has
  /// ended, std::invalid_argument when both are numbers.
  [[nodiscard]] static Tl& of(const Located& a, const Located& b);

 private:
  /// An operation that the kernel waits for later.
  struct InFlight {
    std::uint64_t number = 0;
    std::unique_ptr<Operation> operation;
    std::vector<Tile> tiles;  ///< its inputs and buffers, whose TCM it uses
  };
  /// The common shape of the inputs of a math operation.
  struct MathInputs {
    std::uint64_t rows = 1;
    std::uint64_t columns = 1;
    std::uint64_t bytes = 0;        ///< total of all tiles
    DataType type = DataType::F32;  ///< type of the computation
  };

  // begin_*() check and start an operation, and return its result or whether it was started.
  // finish() waits for it, inlined into the kernel: see Executor::wait().
  [[nodiscard]] Tile begin_load(Operation& operation, const char* op, const TensorRef& source,
                                const SourceLine& line);
  [[nodiscard]] bool begin_store(Operation& operation, const char* op, const TensorRef& target,
                                 const Tile& tile, const SourceLine& line);
  /// Starts full() or arange().
  [[nodiscard]] Tile begin_make(const char* op, MathOp math_op, std::uint64_t rows,
                                std::uint64_t columns, double number, DataType type,
                                const SourceLine& line);
  [[nodiscard]] Tile begin_dot(const Tile& a, const Tile& b, std::optional<DataType> type,
                               const SourceLine& line);
  /// Starts an element-wise operation or a reduction.
  [[nodiscard]] Tile begin_math(MathOp op, std::span<const Located* const> inputs,
                                std::optional<DataType> type, std::optional<Axis> axis,
                                const SourceLine& line, const Tile* target = nullptr);
  /// Does an operation on whole rows, whose inputs fit. `elements` is its work.
  [[nodiscard]] Tile of_rows(MathOp op, std::span<const Tile* const> inputs, std::uint64_t rows,
                             std::uint64_t columns, DataType type, std::uint64_t elements,
                             const SourceLine& line);
  /// Does a gather or a scatter, whose shapes fit.
  void copy_rows(const char* op, const TensorRef& matrix, const Tile& rows, const Tile& tile,
                 bool write, const SourceLine& line);
  [[nodiscard]] bool begin_send(std::string_view direction, const Tile& tile,
                                const SourceLine& line);
  [[nodiscard]] Tile begin_recv(std::string_view direction, std::uint64_t rows,
                                std::uint64_t columns, DataType type, const SourceLine& line);
  [[nodiscard]] bool begin_recv_into(std::string_view direction, const Tile& target,
                                     const SourceLine& line);
  /// Starts a composite, whose `c` is not empty, and returns the buffers of its streamed tiles.
  [[nodiscard]] Tile begin_composite(Operation& operation, const char* op, const GemmOperand& a,
                                     const GemmOperand& b, const TensorRef& c,
                                     const CompositeOptions& options, const SourceLine& line);
  [[nodiscard]] Tile begin_composite(Operation& operation, const char* op, const GemmOperand& a,
                                     const GemmOperand& b, const Tile& c,
                                     const CompositeOptions& options, const SourceLine& line);
  /// Returns an operation that is to be kept.
  [[nodiscard]] static std::unique_ptr<Operation> awaited_later();
  /// Keeps an operation that has begun until the kernel waits for it. Returns its number.
  std::uint64_t keep(std::unique_ptr<Operation> operation, std::vector<Tile> tiles = {});
  /// Waits for an operation in flight.
  void finish(std::uint64_t number, const Tile* result, const SourceLine& line);
  /// Starts a receive into `tile` that the kernel waits for later.
  [[nodiscard]] PendingTile begin_irecv(std::string_view direction, Tile tile,
                                        const SourceLine& line);
  [[gnu::always_inline]] void begin(Operation& operation) {
    try {
      executor_.begin(operation);
    } catch (const std::invalid_argument& error) {
      refuse(operation.name, operation.line, error);
    }
  }
  [[gnu::always_inline]] void finish(const Tile* result) {
    executor_.wait(operation_);
    if (operation_.record) end(operation_, result);
  }
  /// Waits unless the result is empty, for which nothing was started.
  [[gnu::always_inline]] void finish(const Tile& result) {
    if (result.bytes() != 0) finish(&result);
  }
  void end(const Operation& operation, const Tile* result);

  Tile unary(MathOp op, const Tile& x, const SourceLine& line, std::optional<DataType> type = {},
             std::optional<Axis> axis = {}) {
    const Located input(x, line);
    Tile result = begin_math(op, std::array{&input}, type, axis, line);
    finish(result);
    return result;
  }
  Tile binary(MathOp op, const Located& a, const Located& b, const SourceLine& line) {
    Tile result = begin_math(op, std::array{&a, &b}, {}, {}, line);
    finish(result);
    return result;
  }
  /// Returns the common shape and type of the inputs. Throws KernelError when they do not fit.
  [[nodiscard]] inline MathInputs match(MathOp op, std::span<const Located* const> inputs,
                                        std::optional<DataType> type, const SourceLine& line) const;
  /// Returns true for one tile of this kernel, or two of one shape and type: the inputs of most
  /// operations, which always fit.
  [[nodiscard]] inline bool are_alike(std::span<const Located* const> inputs) const;
  /// Does the work of match() for inputs of any shapes and types.
  [[nodiscard]] MathInputs broadcast(MathOp op, std::span<const Located* const> inputs,
                                     std::optional<DataType> type, const SourceLine& line) const;
  [[nodiscard]] Tile begin_composite(Operation& operation, const char* op, const GemmOperand& a,
                                     const GemmOperand& b, const data::Block& c,
                                     components::Staging staging, std::uint64_t c_address,
                                     const CompositeOptions& options, const SourceLine& line);

  void note(const char* op, const SourceLine& line) { executor_.activity().call(op, line); }
  /// Renews an operation. It has a record if operations are kept.
  void renew(Operation& operation, const char* op, topology::NodeKind engine,
             const SourceLine& line) {
    operation.renew(op, engine, line);
    if (executor_.keeps_operations()) operation.record.emplace();
  }
  /// Renews the operation that the kernel starts next, and waits for.
  [[nodiscard]] Operation& next(const char* op, topology::NodeKind engine, const SourceLine& line) {
    renew(operation_, op, engine, line);
    return operation_;
  }
  /// Starts one end of a copy between PEs. It always has a record: the receiver's is matched with
  /// the sender's.
  void begin_copy(Operation& operation, const char* op, std::string_view direction, bool send,
                  const Tile& tile, const SourceLine& line);
  [[nodiscard, gnu::always_inline]] Tile allocate(const char* op, std::uint64_t rows,
                                                  std::uint64_t columns, DataType type,
                                                  const SourceLine& line) {
    try {
      return {tiles_->allocate(rows, columns, bytes_of(type)), type, rows, columns};
    } catch (const std::runtime_error& error) {
      refuse(op, line, error);
    }
  }
  /// Returns a tile as an operand of a record, and adds its producer to `producers`.
  [[nodiscard]] static data::Block operand(const Tile& tile, std::vector<std::uint32_t>& producers);
  /// Returns where a matrix is in memory. Throws KernelError when it is not mapped.
  [[nodiscard]] data::Block block_of(const char* op, const TensorRef& ref, const SourceLine& line);
  /// Throws KernelError when a matrix is not mapped.
  void check_mapped(const char* op, const TensorRef& ref, const SourceLine& line) {
    if (!executor_.known_mapped(ref.va, ref.span_bytes())) (void)block_of(op, ref, line);
  }
  /// Throws KernelError when the matrix engine cannot hold the sums of a tile of the result, and
  /// `kept` further values of each element.
  void check_accumulators(const char* op, std::uint64_t rows, std::uint64_t columns, DataType type,
                          const SourceLine& line, std::uint64_t kept = 0) const;
  /// Throws KernelError for a tile of another kernel, and for elements of a buffer that have no
  /// values.
  void check_owner(const char* op, const Tile& tile, const SourceLine& line) const {
    if (tile.tl() != this) refuse_owner(op, line);
    if (tile.memory_->is_buffer) check_written(op, tile, line);
  }
  static void check_written(const char* op, const Tile& tile, const SourceLine& line);
  /// Notes that an operation writes a part of a buffer. Throws KernelError when it is none, or has
  /// been written.
  void claim(const char* op, const Tile& target, const SourceLine& line) const;
  /// Returns the entry that claim() made for a part of a buffer.
  [[nodiscard]] static TilePool::Written& written(const Tile& target);
  /// Throws KernelError for i4, with which no math operation but cast computes.
  static void check_not_packed(const char* op, DataType type, const SourceLine& line);
  /// Throws KernelError unless each of these numbers of elements fills its bytes, as each row and
  /// each part of one must.
  static void check_whole_rows(const char* op, DataType type,
                               std::initializer_list<std::uint64_t> columns,
                               const SourceLine& line);
  /// Throws the error of a lower layer as KernelError.
  [[noreturn]] static void refuse(const char* op, const SourceLine& line,
                                  const std::exception& error);
  [[noreturn]] static void refuse_comparison(MathOp op, const SourceLine& line);
  [[noreturn]] static void refuse_owner(const char* op, const SourceLine& line);

  Executor& executor_;
  ProgramPlace place_;
  Operation operation_;  ///< the operation that the kernel waits for at once
  boost::intrusive_ptr<TilePool> tiles_;
  std::vector<InFlight> in_flight_;
  std::uint64_t put_off_ = 0;  ///< number of operations to be waited for later, so far
};

inline Tile Tl::load(const TensorRef& source, SourceLine line) {
  Tile result = begin_load(operation_, "load", source, line);
  finish(result);
  return result;
}
inline void Tl::store(const TensorRef& target, const Tile& tile, SourceLine line) {
  if (begin_store(operation_, "store", target, tile, line)) finish(nullptr);
}
inline Tile Tl::full(std::uint64_t rows, std::uint64_t columns, double value, DataType type,
                     SourceLine line) {
  Tile result = begin_make("full", MathOp::Fill, rows, columns, value, type, line);
  finish(result);
  return result;
}
inline Tile Tl::arange(std::uint64_t columns, DataType type, double first, SourceLine line) {
  Tile result = begin_make("arange", MathOp::Arange, 1, columns, first, type, line);
  finish(result);
  return result;
}
inline Tile Tl::dot(const Tile& a, const Tile& b, std::optional<DataType> type, SourceLine line) {
  Tile result = begin_dot(a, b, type, line);
  finish(result);
  return result;
}
inline void Tl::send(std::string_view direction, const Tile& tile, SourceLine line) {
  if (begin_send(direction, tile, line)) finish(nullptr);
}
inline Tile Tl::recv(std::string_view direction, std::uint64_t rows, std::uint64_t columns,
                     DataType type, SourceLine line) {
  Tile result = begin_recv(direction, rows, columns, type, line);
  finish(result);
  return result;
}

inline void Tl::recv_into(std::string_view direction, const Tile& target, SourceLine line) {
  if (begin_recv_into(direction, target, line)) finish(&target);
}

}  // namespace kernbench::model::kernel

#include "model/kernel/tl_math.hpp"
