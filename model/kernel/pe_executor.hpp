#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "model/components/kernel.hpp"
#include "model/components/machine.hpp"
#include "model/components/pe_ipcq.hpp"
#include "model/data/recorder.hpp"
#include "model/engine/fiber.hpp"
#include "model/kernel/executor.hpp"
#include "model/memory/page_table.hpp"
#include "model/memory/pe_allocator.hpp"

namespace kernbench::model::kernel {

/// Operations that a PE does in simulated time, one after the other, while the kernel waits on its
/// fiber.
class PeExecutor final : public Executor {
 public:
  /// All must outlive it.
  PeExecutor(components::Machine& machine, const components::KernelContext& context,
             const ProgramPlace& place, memory::PeAllocator& allocator, data::Recorder& recorder,
             engine::Fiber& fiber, Activity& activity);

  [[nodiscard]] ProgramPlace place() const override { return place_; }
  [[nodiscard]] std::uint64_t allocate(std::uint64_t bytes) override;
  void free(std::uint64_t pa, std::uint64_t bytes) override;
  void resolve(std::uint64_t va, data::Block& block) override;
  void find_channel(std::string_view direction, data::IpcqCopyParams& copy) override;
  void begin(Operation& operation) override;

 private:
  /// Throws as data::Recorder::end().
  void end(const Operation& operation) override;
  /// Whether the slice that was resolved last holds all of it; adds it to the block then.
  [[nodiscard]] bool resolve_in_slice(std::uint64_t va, std::uint64_t bytes,
                                      data::Block& block) const;

  components::Machine& machine_;
  memory::PeLocation pe_;
  components::PeCpu& cpu_;
  ProgramPlace place_;
  memory::PeAllocator& allocator_;
  std::uint64_t tcm_;  ///< physical address of the TCM
  data::Recorder& recorder_;
  const memory::PageTable& table_;
  components::PeIpcq& ipcq_;
  data::Stretch slice_;  ///< of HBM, that was resolved last: most accesses are to the same one
  std::array<topology::NodeId, topology::kNodeKinds> parts_;  ///< of the PE, by kind
};

}  // namespace kernbench::model::kernel
