#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "model/kernel/executor.hpp"
#include "model/kernel/tile.hpp"

namespace kernbench::model::kernel {

using components::MathOp;
using data::Axis;
using data::DataType;
using data::SourceLine;

/// A matrix that a composite operation reads: streamed from HBM tile by tile, or all in TCM.
using GemmOperand = std::variant<TensorRef, Tile>;

/// An operation on each finished tile of a composite GEMM, before it is rounded; `operand` is the
/// second one of binary operations: a number, or a tile that is repeated to fit, of the type in
/// which products are summed up or of the result's.
struct Epilogue {
  MathOp op = MathOp::Add;
  std::optional<std::variant<double, Tile>> operand{};
};

struct CompositeOptions {
  std::uint64_t tile_m = 128;
  std::uint64_t tile_k = 64;
  std::uint64_t tile_n = 128;
  std::uint32_t tiles_in_flight = 2;  ///< 2 is double buffering
  std::vector<Epilogue> epilogue{};
};

/// A receive that goes on while the kernel does other things. Each has to be waited for, once.
class PendingRecv {
 private:
  friend class Tl;
  PendingRecv(std::uint64_t number, Tile tile) : number_(number), tile_(std::move(tile)) {}
  std::uint64_t number_;  ///< among its kernel's
  Tile tile_;
};

/// What a kernel can do (Architecture, "Kernel-side tl.* API"). A kernel is a plain function that
/// gets one; each operation that moves or computes something returns when the PE has done it.
///
/// Whatever is wrong is a KernelError that names the operation and the line: shapes or types that
/// do not fit, memory that is not mapped, a TCM that is full. An empty matrix takes no time.
/// docs/kernels.md says how long each operation takes.
class Tl {
 public:
  /// The executor must outlive it.
  explicit Tl(Executor& executor) : executor_(executor), place_(executor.place()) {}
  Tl(const Tl&) = delete;
  Tl& operator=(const Tl&) = delete;
  /// Frees what tiles still have: they are of no use any more.
  ~Tl();

  /// Axis 0: the PE within its cube; axis 1: the cube within its SIP.
  [[nodiscard]] std::uint64_t program_id(unsigned axis, SourceLine line = SourceLine::here()) const;
  [[nodiscard]] std::uint64_t num_programs(unsigned axis,
                                           SourceLine line = SourceLine::here()) const;

  /// Names a matrix in HBM, without moving it.
  [[nodiscard]] static TensorRef ref(std::uint64_t va, std::uint64_t rows, std::uint64_t columns,
                                     DataType type);

  /// HBM to TCM and back, by the DMA.
  [[nodiscard]] Tile load(const TensorRef& source, SourceLine line = SourceLine::here());
  void store(const TensorRef& target, const Tile& tile, SourceLine line = SourceLine::here());

  /// Numbers made by the math engine: all the same, or one row that counts up from `first`.
  [[nodiscard]] Tile full(std::uint64_t rows, std::uint64_t columns, double value, DataType type,
                          SourceLine line = SourceLine::here());
  [[nodiscard]] Tile arange(std::uint64_t columns, DataType type, double first = 0.0,
                            SourceLine line = SourceLine::here());
  /// The same matrix with rows and columns exchanged; nothing moves.
  [[nodiscard]] static Tile trans(const Tile& tile);

  /// a b, summed up in f32 (i32 for integers), as `type`; without one, as summed up.
  [[nodiscard]] Tile dot(const Tile& a, const Tile& b, std::optional<DataType> type = {},
                         SourceLine line = SourceLine::here());
  /// c = epilogue(a b), cut into tiles by the scheduler; DMA, fetch, GEMM and store of different
  /// tiles overlap. The second form leaves the result in TCM.
  void composite(const GemmOperand& a, const GemmOperand& b, const TensorRef& c,
                 const CompositeOptions& options = {}, SourceLine line = SourceLine::here());
  [[nodiscard]] Tile composite(const GemmOperand& a, const GemmOperand& b, DataType type,
                               const CompositeOptions& options = {},
                               SourceLine line = SourceLine::here());

  /// Element by element. exp, log, sqrt and sigmoid are for floating-point types.
  [[nodiscard]] Tile exp(const Tile& x, SourceLine line = SourceLine::here());
  [[nodiscard]] Tile log(const Tile& x, SourceLine line = SourceLine::here());
  [[nodiscard]] Tile sqrt(const Tile& x, SourceLine line = SourceLine::here());
  [[nodiscard]] Tile abs(const Tile& x, SourceLine line = SourceLine::here());
  [[nodiscard]] Tile sigmoid(const Tile& x, SourceLine line = SourceLine::here());
  [[nodiscard]] Tile neg(const Tile& x, SourceLine line = SourceLine::here());
  /// To another type: rounded to nearest even, to integers towards zero.
  [[nodiscard]] Tile cast(const Tile& x, DataType type, SourceLine line = SourceLine::here());

  /// Two tiles of one type, or a tile and a number; a side of 1 is repeated to fit. Comparisons
  /// give 0 and 1 of type i8.
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
  /// a where the condition (i8) is not 0, else b.
  [[nodiscard]] Tile where(const Tile& condition, const Located& a, const Located& b,
                           SourceLine line = SourceLine::here());

  /// Along Axis::Rows to one row, along Axis::Columns to one column.
  [[nodiscard]] Tile sum(const Tile& x, Axis axis, SourceLine line = SourceLine::here());
  [[nodiscard]] Tile max(const Tile& x, Axis axis, SourceLine line = SourceLine::here());
  [[nodiscard]] Tile min(const Tile& x, Axis axis, SourceLine line = SourceLine::here());

  /// To the neighbour in a direction, and from it ("N", "global_E", ...). A send returns when the
  /// data have left; a receive of the same shape and type as the send when they are there. Of empty
  /// tiles both do nothing.
  void send(std::string_view direction, const Tile& tile, SourceLine line = SourceLine::here());
  [[nodiscard]] Tile recv(std::string_view direction, std::uint64_t rows, std::uint64_t columns,
                          DataType type, SourceLine line = SourceLine::here());
  [[nodiscard]] PendingRecv irecv(std::string_view direction, std::uint64_t rows,
                                  std::uint64_t columns, DataType type,
                                  SourceLine line = SourceLine::here());
  [[nodiscard]] Tile wait(PendingRecv pending, SourceLine line = SourceLine::here());

  /// To be called when the kernel has returned. A receive that it has not waited for is an error.
  void end() const;

  /// The one that `a` or `b` was made by. Throws std::invalid_argument when both are numbers.
  [[nodiscard]] static Tl& of(const Located& a, const Located& b);

 private:
  friend struct Tile::Memory;

  /// A receive under way.
  struct Receive {
    std::uint64_t number = 0;
    std::unique_ptr<Operation> operation;
  };

  // Each operation begins in a function of its own, which says whether there is anything to wait
  // for: a result that is not empty. The wait is inline: see Executor::wait().
  [[nodiscard]] Tile begin_load(const TensorRef& source, const SourceLine& line);
  [[nodiscard]] bool begin_store(const TensorRef& target, const Tile& tile, const SourceLine& line);
  /// full() and arange().
  [[nodiscard]] Tile begin_make(const char* op, MathOp math_op, std::uint64_t rows,
                                std::uint64_t columns, double number, DataType type,
                                const SourceLine& line);
  [[nodiscard]] Tile begin_dot(const Tile& a, const Tile& b, std::optional<DataType> type,
                               const SourceLine& line);
  /// What the inputs of an element-wise operation or a reduction have in common.
  struct MathInputs {
    std::uint64_t rows = 1;
    std::uint64_t columns = 1;
    std::uint64_t bytes = 0;        ///< together
    DataType type = DataType::F32;  ///< that is computed with
  };
  [[nodiscard]] MathInputs match(MathOp op, std::initializer_list<const Located*> inputs,
                                 std::optional<DataType> type, const SourceLine& line) const;
  /// What the element-wise operations and the reductions are.
  [[nodiscard]] Tile begin_math(MathOp op, std::initializer_list<const Located*> inputs,
                                std::optional<DataType> type, std::optional<Axis> axis,
                                const SourceLine& line);
  [[nodiscard]] inline Tile unary(MathOp op, const Tile& x, std::optional<DataType> type,
                                  std::optional<Axis> axis, const SourceLine& line);
  [[nodiscard]] inline Tile binary(MathOp op, const Located& a, const Located& b,
                                   const SourceLine& line);
  [[noreturn]] static void refuse_comparison(MathOp op, const SourceLine& line);
  /// The operation that the kernel does next. It has a record when operations are kept.
  [[nodiscard]] Operation& next(const char* op, topology::NodeKind engine, const SourceLine& line) {
    operation_.renew(op, engine, line);
    if (executor_.keeps_operations()) operation_.record.emplace();
    return operation_;
  }
  [[nodiscard]] inline Tile allocate(const char* op, std::uint64_t rows, std::uint64_t columns,
                                     DataType type, const SourceLine& line);
  void add_memory();
  void free(Tile::Memory& memory);
  /// Throws KernelError for a tile of another kernel.
  void check_owner(const char* op, const Tile& tile, const SourceLine& line) const {
    if (tile.memory_->owner != this) refuse_owner(op, line);
  }
  [[noreturn]] static void refuse_owner(const char* op, const SourceLine& line);
  /// A tile as an operand in the log; its producer is added to the operation's.
  [[nodiscard]] static data::Block operand(const Tile& tile, std::vector<std::uint32_t>& producers);
  [[nodiscard]] data::Block block_of(const char* op, const TensorRef& ref, const SourceLine& line);
  /// Throws KernelError where block_of() does.
  void check_mapped(const char* op, const TensorRef& ref, const SourceLine& line) {
    if (!executor_.known_mapped(ref.va, ref.span_bytes())) (void)block_of(op, ref, line);
  }
  [[gnu::always_inline]] void begin(Operation& operation) {
    try {
      executor_.begin(operation);
    } catch (const std::invalid_argument& error) {
      refuse(operation, error);
    }
  }
  [[gnu::always_inline]] void finish(const Tile* result) {
    executor_.wait(operation_);
    if (operation_.record) end(operation_, result);
  }
  [[gnu::always_inline]] void finish(const Tile& result) {
    if (result.memory_->bytes != 0) finish(&result);
  }
  void end(const Operation& operation, const Tile* result);
  [[nodiscard]] bool begin_send(std::string_view direction, const Tile& tile,
                                const SourceLine& line);
  [[nodiscard]] Tile begin_recv(std::string_view direction, std::uint64_t rows,
                                std::uint64_t columns, DataType type, const SourceLine& line);
  /// Throws KernelError.
  [[noreturn]] static void refuse(const Operation& operation, const std::invalid_argument& error);
  /// Fills in both ends of a copy between PEs.
  void find_channel(Operation& operation, std::string_view direction, bool send, const Tile& tile);
  void note(const char* op, const SourceLine& line) { executor_.activity().call(op, line); }
  void composite(const GemmOperand& a, const GemmOperand& b, const data::Block& c,
                 components::Staging staging, std::uint64_t c_address, const Tile* result,
                 const CompositeOptions& options, const SourceLine& line);

  Executor& executor_;
  ProgramPlace place_;
  Operation operation_;  ///< all but receives under way: a kernel does one at a time
  std::vector<Tile::Memory*> memories_;   ///< that tiles have or had
  Tile::Memory* spare_memory_ = nullptr;  ///< the first of those that none has
  std::vector<Receive> receives_;
  std::uint64_t receives_begun_ = 0;
};

[[nodiscard]] Tile operator+(const Located& a, const Located& b);
[[nodiscard]] Tile operator-(const Located& a, const Located& b);
[[nodiscard]] Tile operator*(const Located& a, const Located& b);
[[nodiscard]] Tile operator/(const Located& a, const Located& b);
[[nodiscard]] Tile operator<(const Located& a, const Located& b);
[[nodiscard]] Tile operator<=(const Located& a, const Located& b);
[[nodiscard]] Tile operator>(const Located& a, const Located& b);
[[nodiscard]] Tile operator>=(const Located& a, const Located& b);
[[nodiscard]] Tile operator-(const Located& x);

}  // namespace kernbench::model::kernel

#include "model/kernel/tl_math.hpp"
