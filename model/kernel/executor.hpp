// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/components/machine/pe_command.hpp"
#include "model/data/op_log.hpp"
#include "model/engine/fiber.hpp"
#include "model/kernel/activity.hpp"
#include "model/memory/page_table.hpp"
#include "model/memory/pe_allocator.hpp"
#include "topology/graph/kinds.hpp"

namespace kernbench::model::kernel {

/// One operation of a kernel: the PE's command, and the record for the log. Kernels reuse it for
/// the next operation.
struct Operation {
  /// Describes another operation, without a record. `its_name` is a literal.
  void renew(const char* its_name, topology::NodeKind its_engine,
             const data::SourceLine& its_line) {
    name = its_name;
    engine = its_engine;
    line = its_line;
    command.renew(its_name);
    record.reset();
  }

  const char* name = "";                                  ///< name in messages: "load"
  topology::NodeKind engine = topology::NodeKind::PeCpu;  ///< engine in the log
  data::SourceLine line;
  bool awaited_later = false;  ///< the kernel goes on before its end
  components::PeCommand command;
  /// Parameters and producers of the input tiles. Present if the executor keeps operations, and
  /// always for copies between PEs. Executor::end() must be called for operations with a record.
  std::optional<data::OpRecord> record;
};

/// The position of a program in the grid of its launch: axis 0 is the PE, axis 1 the cube.
struct ProgramPlace {
  std::uint64_t pe = 0;
  std::uint64_t cube = 0;
  std::uint64_t pes = 1;
  std::uint64_t cubes = 1;
};

/// Executes the operations of a kernel: a PE runs them in simulated time, or a recorder lists them.
class Executor {
 public:
  /// Updates `activity`. Kernels wait on `fiber`, or never if it is null. `table` and `allocator`
  /// belong to the PE. All must outlive the executor.
  Executor(Activity& activity, engine::Fiber* fiber, const memory::PageTable& table,
           memory::PeAllocator& allocator, std::uint64_t accumulator_bytes, bool keeps_operations)
      : table_(table),
        activity_(activity),
        fiber_(fiber),
        tcm_(allocator.tcm()),
        tcm_pa_(topology::encode(allocator.tcm_begin())),
        accumulator_bytes_(accumulator_bytes),
        keeps_operations_(keeps_operations) {}
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;

  [[nodiscard]] Activity& activity() { return activity_; }
  /// Returns true if operations need a record of their effect on data.
  [[nodiscard]] bool keeps_operations() const { return keeps_operations_; }
  [[nodiscard]] virtual ProgramPlace place() const = 0;
  /// Returns the size of the matrix engine's accumulators.
  [[nodiscard]] std::uint64_t accumulator_bytes() const { return accumulator_bytes_; }

  /// Allocates TCM and returns its physical address. Throws memory::OutOfMemory.
  [[nodiscard]] std::uint64_t allocate(std::uint64_t bytes) {
    return tcm_pa_ + tcm_.allocate(bytes);
  }
  void free(std::uint64_t pa, std::uint64_t bytes) { tcm_.free(pa - tcm_pa_, bytes); }
  /// Sets the space and the stretches of the block whose first element is at `va`. Throws
  /// memory::AccessError.
  virtual void resolve(std::uint64_t va, data::Block& block) = 0;
  /// Returns true if `bytes` bytes at `va` are known to be mapped. False means unknown: call
  /// resolve().
  [[nodiscard]] bool known_mapped(std::uint64_t va, std::uint64_t bytes) const {
    return window_.version == table_.version() && va - window_.va < window_.bytes &&
           bytes <= window_.bytes - (va - window_.va) && bytes != 0;
  }
  /// Sets the receiving PE of a copy and the receiver's number of the direction. Throws
  /// std::invalid_argument, listing all directions, when the direction has no neighbour.
  virtual void find_channel(std::string_view direction, data::IpcqCopyParams& copy) = 0;

  /// Returns the values of a tile that is complete. Throws std::invalid_argument when there are no
  /// numbers.
  [[nodiscard]] virtual data::Array values(const data::Block& block) = 0;

  /// Starts an operation, moves its record into the log, and gives its command the log's number.
  /// The operation must stay valid until it is complete.
  virtual void begin(Operation& operation) = 0;
  /// Waits until an operation is complete. Inlined: after a stack switch every return is
  /// mispredicted, so keep frames few.
  [[gnu::always_inline]] void wait(Operation& operation) {
    if (fiber_ == nullptr) return;
    activity_.set_computing(false);
    fiber_->wait(operation.command.done);
    activity_.set_computing(true);
  }
  /// Completes an operation that has a record. Throws std::invalid_argument when a receive does not
  /// match its send.
  virtual void end(const Operation& operation) = 0;

 protected:
  /// A range of virtual addresses that is contiguous in one HBM slice.
  struct Window {
    std::uint64_t va = 0;
    std::uint64_t bytes = 0;
    std::uint64_t pa = 0;
    std::uint64_t version = 0;  ///< version of the page table
  };
  const memory::PageTable& table_;
  Window window_;  ///< window of the latest access; most accesses hit it

 private:
  Activity& activity_;
  engine::Fiber* fiber_;
  memory::FreeList& tcm_;
  std::uint64_t tcm_pa_;  ///< physical address of the TCM
  std::uint64_t accumulator_bytes_;
  bool keeps_operations_;
};

}  // namespace kernbench::model::kernel
