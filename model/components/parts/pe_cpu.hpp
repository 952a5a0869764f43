#pragma once

#include "model/components/machine/kernel.hpp"
#include "model/components/parts/pe_engine.hpp"
#include "model/engine/process.hpp"

namespace kernbench::model::components {

/// Where kernels run on a PE (Architecture, "pe_cpu"). It finds the kernel of a launch by its name,
/// runs it as a process, and answers the launch when it has ended. Its kernels hand commands to
/// the scheduler, and sends and receives to the IPCQ.
class PeCpu : public PePart {
 public:
  using PePart::PePart;
  void on_message(Message message) override;

  /// Hands a command over; `co_await command.done` waits for it. Any number may be under way.
  void start(PeCommand& command);

 private:
  engine::Process run_kernel(Message message);
};

}  // namespace kernbench::model::components
