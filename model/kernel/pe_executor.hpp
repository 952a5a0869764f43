#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

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
             engine::Fiber& fiber);

  [[nodiscard]] ProgramPlace place() const override { return place_; }
  [[nodiscard]] std::uint64_t allocate(std::uint64_t bytes) override;
  void free(std::uint64_t pa, std::uint64_t bytes) override;
  [[nodiscard]] std::vector<data::Stretch> resolve(std::uint64_t va, std::uint64_t bytes) override;
  [[nodiscard]] data::Space space_of(std::uint64_t pa) const override;
  void find_channel(std::string_view direction, data::IpcqCopyParams& copy) override;
  std::uint32_t execute(Operation operation) override;
  [[nodiscard]] std::unique_ptr<Pending> start(Operation operation) override;
  std::uint32_t finish(Pending& pending) override;

 private:
  struct Started;
  std::uint32_t begin(Operation& operation);

  components::Machine& machine_;
  memory::PeLocation pe_;
  components::PeCpu& cpu_;
  ProgramPlace place_;
  memory::PeAllocator& allocator_;
  data::Recorder& recorder_;
  engine::Fiber& fiber_;
  const memory::PageTable& table_;
  components::PeIpcq& ipcq_;
};

}  // namespace kernbench::model::kernel
