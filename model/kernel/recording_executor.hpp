// SPDX-License-Identifier: Apache-2.0
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
#include "topology/spec/spec_forward.hpp"

namespace kernbench::model::kernel {

/// An operation of a recorded kernel.
struct RecordedOperation {
  std::string name;                         ///< name in tl: "load"
  data::Params params;                      ///< TCM addresses are physical, all others virtual
  std::vector<std::uint32_t> dependencies;  ///< list indices of the operations that made its inputs
  data::SourceLine line;
};

/// The state of a PE to which the Executor base refers, and which must therefore be constructed
/// first.
struct RecordingPe {
  RecordingPe(const topology::TopologySpec& spec, const memory::PeLocation& location)
      : allocator(spec, location) {}
  Activity activity;
  memory::PageTable table;
  memory::PeAllocator allocator;
};

/// Lists operations in program order. No simulated time passes, and no data are moved or computed.
/// TCM is allocated as on a PE. Addresses are not translated, so every address is valid, and every
/// direction has a neighbour.
class RecordingExecutor final : private RecordingPe, public Executor {
 public:
  /// `spec` must outlive the executor.
  RecordingExecutor(const topology::TopologySpec& spec, const ProgramPlace& place);

  [[nodiscard]] ProgramPlace place() const override { return place_; }
  void resolve(std::uint64_t va, data::Block& block) override;
  void find_channel(std::string_view direction, data::IpcqCopyParams& copy) override;
  [[nodiscard]] data::Array values(const data::Block& block) override;
  void begin(Operation& operation) override;
  void end(const Operation& /*operation*/) override {}

  [[nodiscard]] const std::vector<RecordedOperation>& operations() const { return operations_; }

 private:
  ProgramPlace place_;
  std::uint64_t slot_bytes_;
  std::vector<RecordedOperation> operations_;
};

/// Returns the operations of a kernel on one PE. Throws KernelError and the kernel's own
/// exceptions.
[[nodiscard]] std::vector<RecordedOperation> record_kernel(const std::function<void(Tl&)>& kernel,
                                                           const topology::TopologySpec& spec,
                                                           const ProgramPlace& place = {});

/// Returns an operation as text without addresses: "add 1 x 64 of f32, 1.5 -> 1 x 64 of f32".
[[nodiscard]] std::string text_of(const data::Params& params);

}  // namespace kernbench::model::kernel
