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

/// One operation of a kernel: what it does to data, and how the PE does it. A kernel that has done
/// one uses it again for the next.
struct Operation {
  /// `its_name` is a literal. There is no record.
  void renew(const char* its_name, topology::NodeKind its_engine,
             const data::SourceLine& its_line) {
    name = its_name;
    engine = its_engine;
    line = its_line;
    command.renew(its_name);
    record.reset();
  }

  const char* name = "";                                  ///< "load", for messages
  topology::NodeKind engine = topology::NodeKind::PeCpu;  ///< that the log names
  data::SourceLine line;
  components::PeCommand command;
  /// The parameters and the producers of the tiles that it takes, if the executor keeps operations
  /// or other PEs are concerned.
  std::optional<data::OpRecord> record;
};

/// Which of the programs of a launch this is: axis 0 counts the PEs of a cube, axis 1 the cubes.
struct ProgramPlace {
  std::uint64_t pe = 0;
  std::uint64_t cube = 0;
  std::uint64_t pes = 1;
  std::uint64_t cubes = 1;
};

/// What becomes of a kernel's operations: a PE does them in simulated time, or they are written
/// down. The kernel cannot tell.
class Executor {
 public:
  /// `activity` is kept up to date; kernels wait on `fiber`, or never without one; `table` and
  /// `allocator` are the PE's. All must outlive it.
  Executor(Activity& activity, engine::Fiber* fiber, const memory::PageTable& table,
           memory::PeAllocator& allocator, bool keeps_operations)
      : table_(table),
        activity_(activity),
        fiber_(fiber),
        tcm_(allocator.tcm()),
        tcm_pa_(topology::encode(allocator.tcm_begin())),
        keeps_operations_(keeps_operations) {}
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;

  [[nodiscard]] Activity& activity() { return activity_; }
  /// Whether somebody wants to know what operations do to data.
  [[nodiscard]] bool keeps_operations() const { return keeps_operations_; }
  [[nodiscard]] virtual ProgramPlace place() const = 0;

  /// TCM for a tile; its physical address. Throws memory::OutOfMemory.
  [[nodiscard]] std::uint64_t allocate(std::uint64_t bytes) {
    return tcm_pa_ + tcm_.allocate(bytes);
  }
  void free(std::uint64_t pa, std::uint64_t bytes) { tcm_.free(pa - tcm_pa_, bytes); }
  /// Fills in where the block is whose first element is at `va`: space and stretches. Throws
  /// memory::AccessError.
  virtual void resolve(std::uint64_t va, data::Block& block) = 0;
  /// Whether resolve() would find the `bytes` from `va`. False does not say that it would not.
  [[nodiscard]] bool known_mapped(std::uint64_t va, std::uint64_t bytes) const {
    return window_.version == table_.version() && va - window_.va < window_.bytes &&
           bytes <= window_.bytes - (va - window_.va) && bytes != 0;
  }
  /// The receiver of what is sent in a direction, and its own number for it; of what is received
  /// from there, this PE and its number. Throws std::invalid_argument, listing those there are, for
  /// one without a neighbour.
  virtual void find_channel(std::string_view direction, data::IpcqCopyParams& copy) = 0;

  /// Starts an operation, using up the contents of its record, and numbers its command as the log
  /// does. The operation must live until it is done.
  virtual void begin(Operation& operation) = 0;
  /// Waits until an operation is done. Inline, into the kernel: each function that is on the stack
  /// when a fiber goes on returns to a place that the processor has not predicted.
  [[gnu::always_inline]] void wait(Operation& operation) {
    if (fiber_ == nullptr) return;
    activity_.set_computing(false);
    fiber_->wait(operation.command.done);
    activity_.set_computing(true);
  }
  /// The operation, which has a record, is done. Throws std::invalid_argument when a receive got
  /// something else than was asked for.
  virtual void end(const Operation& operation) = 0;

 protected:
  /// Virtual addresses that follow each other in one HBM slice.
  struct Window {
    std::uint64_t va = 0;
    std::uint64_t bytes = 0;
    std::uint64_t pa = 0;
    std::uint64_t version = 0;  ///< of the page table that says so
  };
  const memory::PageTable& table_;
  Window window_;  ///< of the access that was resolved last: most are to the same one

 private:
  Activity& activity_;
  engine::Fiber* fiber_;
  memory::FreeList& tcm_;
  std::uint64_t tcm_pa_;  ///< its physical address
  bool keeps_operations_;
};

}  // namespace kernbench::model::kernel
