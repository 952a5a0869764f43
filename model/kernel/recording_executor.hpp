#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/data/op_log.hpp"
#include "model/kernel/executor.hpp"
#include "model/kernel/tl.hpp"
#include "model/memory/pe_allocator.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::kernel {

/// An operation that a kernel asked for.
struct RecordedOperation {
  std::string name;                         ///< as kernels call it: "load"
  data::Params params;                      ///< addresses in TCM are physical, all others virtual
  std::vector<std::uint32_t> dependencies;  ///< positions in the list of the operations whose
                                            ///< tiles it takes
  data::SourceLine line;
};

/// What a PE has for an executor, which refers to it from the start.
struct RecordingPe {
  RecordingPe(const topology::TopologySpec& spec, const memory::PeLocation& location)
      : allocator(spec, location) {}
  Activity activity;
  memory::PageTable table;
  memory::PeAllocator allocator;
};

/// Writes operations down in the order in which they are asked for. No simulated time passes and
/// nothing is moved or computed; TCM is given out as a PE's would be. Addresses are not translated,
/// so any may be loaded, and there are neighbours in all directions.
class RecordingExecutor final : private RecordingPe, public Executor {
 public:
  /// The first program of a grid of PEs of a system; `spec` must outlive it.
  RecordingExecutor(const topology::TopologySpec& spec, const ProgramPlace& place);

  [[nodiscard]] ProgramPlace place() const override { return place_; }
  void resolve(std::uint64_t va, data::Block& block) override;
  void find_channel(std::string_view direction, data::IpcqCopyParams& copy) override;
  void begin(Operation& operation) override;
  void end(const Operation& /*operation*/) override {}

  [[nodiscard]] const std::vector<RecordedOperation>& operations() const { return operations_; }

 private:
  ProgramPlace place_;
  std::uint64_t slot_bytes_;
  std::vector<RecordedOperation> operations_;
};

/// The operations of a kernel on one PE of a system. Throws KernelError, and what the kernel
/// throws.
[[nodiscard]] std::vector<RecordedOperation> record_kernel(const std::function<void(Tl&)>& kernel,
                                                           const topology::TopologySpec& spec,
                                                           const ProgramPlace& place = {});

/// What an operation does, without addresses: "add 1 x 64 of f32, 1.5 -> 1 x 64 of f32".
[[nodiscard]] std::string text_of(const data::Params& params);

}  // namespace kernbench::model::kernel
