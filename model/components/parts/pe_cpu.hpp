// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/api.hpp"
#include "model/components/machine/kernel.hpp"
#include "model/components/parts/pe_engine.hpp"
#include "model/engine/process.hpp"

namespace kernbench::model::components {

/// The processor that runs kernels on a PE (Architecture, "pe_cpu"). Resolves the kernel of a
/// launch by its name, runs it as a process and answers the launch when the kernel ends, or at once
/// if the name is unknown. Commands of kernels go to the scheduler, sends and receives to the IPCQ.
class KERNBENCH_API PeCpu : public PePart {
 public:
  using PePart::PePart;
  void on_message(Message message) override;

  /// Issues a command; `co_await command.done` waits for it. Several commands may be in flight.
  void start(PeCommand& command);

 private:
  /// `kernel` must stay where it is until the process ends.
  engine::Process run_kernel(const Kernel& kernel, std::uint32_t arguments, Message message);
};

}  // namespace kernbench::model::components
