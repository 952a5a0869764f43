#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/components/pe_command.hpp"
#include "model/data/op_log.hpp"
#include "topology/graph/kinds.hpp"

namespace kernbench::model::kernel {

/// One operation of a kernel: what it does to data, and how the PE does it.
struct Operation {
  std::string_view name;                                        ///< "load", for messages; a literal
  topology::NodeKind engine = topology::NodeKind::PeScheduler;  ///< that the log names
  components::PeCommand::Work work = components::IpcqSend{};
  data::Params params;
  std::vector<std::uint32_t> producers;  ///< of the tiles that it takes
  data::SourceLine line;
};

/// An operation that was started and not waited for.
class Pending {
 public:
  virtual ~Pending() = default;
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
  virtual ~Executor() = default;

  [[nodiscard]] virtual ProgramPlace place() const = 0;

  /// TCM for a tile; its physical address. Throws memory::OutOfMemory.
  [[nodiscard]] virtual std::uint64_t allocate(std::uint64_t bytes) = 0;
  virtual void free(std::uint64_t pa, std::uint64_t bytes) = 0;
  /// Where the PE's MMU finds a range. Throws memory::AccessError.
  [[nodiscard]] virtual std::vector<data::Stretch> resolve(std::uint64_t va,
                                                           std::uint64_t bytes) = 0;
  /// The memory that holds a physical address of resolve().
  [[nodiscard]] virtual data::Space space_of(std::uint64_t pa) const = 0;
  /// The receiver of what is sent in a direction, and its own number for it; of what is received
  /// from there, this PE and its number. Throws std::invalid_argument, listing those there are, for
  /// one without a neighbour.
  virtual void find_channel(std::string_view direction, data::IpcqCopyParams& copy) = 0;

  /// Does an operation to its end, and returns its number in the log.
  virtual std::uint32_t execute(Operation operation) = 0;
  /// Starts one. `finish` waits for it.
  [[nodiscard]] virtual std::unique_ptr<Pending> start(Operation operation) = 0;
  virtual std::uint32_t finish(Pending& pending) = 0;
};

}  // namespace kernbench::model::kernel
