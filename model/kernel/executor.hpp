#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "model/components/pe_command.hpp"
#include "model/data/op_log.hpp"
#include "model/engine/fiber.hpp"
#include "model/kernel/activity.hpp"
#include "topology/graph/kinds.hpp"

namespace kernbench::model::kernel {

/// One operation of a kernel: what it does to data, and how the PE does it.
struct Operation {
  Operation(const char* its_name, topology::NodeKind its_engine, const data::SourceLine& line,
            components::PeCommand::Work&& to_do)
      : name(its_name), engine(its_engine), command(its_name, std::move(to_do)) {
    record.line = line;
  }

  const char* name;           ///< "load", for messages; a literal
  topology::NodeKind engine;  ///< that the log names
  components::PeCommand command;
  /// The line; parameters and the producers of the tiles that it takes if the executor keeps them,
  /// or other PEs are concerned.
  data::OpRecord record;
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
  /// `activity` is kept up to date; kernels wait on `fiber`, or never without one. Both must
  /// outlive it.
  Executor(Activity& activity, engine::Fiber* fiber, bool keeps_operations)
      : activity_(activity), fiber_(fiber), keeps_operations_(keeps_operations) {}
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;

  [[nodiscard]] Activity& activity() { return activity_; }
  /// Whether somebody wants to know what operations do to data.
  [[nodiscard]] bool keeps_operations() const { return keeps_operations_; }
  [[nodiscard]] virtual ProgramPlace place() const = 0;

  /// TCM for a tile; its physical address. Throws memory::OutOfMemory.
  [[nodiscard]] virtual std::uint64_t allocate(std::uint64_t bytes) = 0;
  virtual void free(std::uint64_t pa, std::uint64_t bytes) = 0;
  /// Fills in where the block is whose first element is at `va`: space and stretches, which need
  /// not be there when operations are not kept. Throws memory::AccessError.
  virtual void resolve(std::uint64_t va, data::Block& block) = 0;
  /// The receiver of what is sent in a direction, and its own number for it; of what is received
  /// from there, this PE and its number. Throws std::invalid_argument, listing those there are, for
  /// one without a neighbour.
  virtual void find_channel(std::string_view direction, data::IpcqCopyParams& copy) = 0;

  /// Starts an operation, using up its record, and numbers its command as the log does. The
  /// operation must live until it is done.
  virtual void begin(Operation& operation) = 0;
  /// Waits until an operation is done. Of the functions on the stack when a fiber goes on, each
  /// returns to a place that the processor has not predicted: there are as few as can be. Throws
  /// std::invalid_argument when a receive got something else than was asked for.
  [[gnu::always_inline]] void finish(Operation& operation) {
    if (fiber_ != nullptr) {
      activity_.set_computing(false);
      fiber_->wait(operation.command.done);
      activity_.set_computing(true);
    }
    end(operation);
  }

 private:
  /// The operation is done.
  virtual void end(const Operation& operation) = 0;

  Activity& activity_;
  engine::Fiber* fiber_;
  bool keeps_operations_;
};

}  // namespace kernbench::model::kernel
