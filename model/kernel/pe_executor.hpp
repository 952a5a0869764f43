// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "model/components/machine/kernel.hpp"
#include "model/components/machine/machine.hpp"
#include "model/components/parts/pe_ipcq.hpp"
#include "model/data/recorder.hpp"
#include "model/engine/fiber.hpp"
#include "model/kernel/executor.hpp"

namespace kernbench::model::kernel {

/// Runs the operations of a kernel on a PE in simulated time while the kernel waits on its fiber.
class PeExecutor final : public Executor {
 public:
  /// All references must outlive the executor. `launch` is OpRecord::launch of its operations.
  PeExecutor(components::Machine& machine, const components::KernelContext& context,
             const ProgramPlace& place, memory::PeAllocator& allocator, data::Recorder& recorder,
             engine::Fiber& fiber, Activity& activity, std::uint32_t launch = data::OpLog::kNone);

  [[nodiscard]] ProgramPlace place() const override { return place_; }
  void resolve(std::uint64_t va, data::Block& block) override;
  void find_channel(std::string_view direction, data::IpcqCopyParams& copy) override;
  [[nodiscard]] data::Array values(const data::Block& block) override;
  void begin(Operation& operation) override;
  /// Throws like data::Recorder::end().
  void end(const Operation& operation) override;

 private:
  components::Machine& machine_;
  memory::PeLocation pe_;
  components::PeCpu& cpu_;
  ProgramPlace place_;
  data::Recorder& recorder_;
  components::PeIpcq& ipcq_;
  std::uint32_t launch_;
  std::array<topology::NodeId, topology::kNodeKinds> parts_;  ///< parts of the PE, by kind
};

}  // namespace kernbench::model::kernel
