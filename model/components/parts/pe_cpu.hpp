// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/api.hpp"
#include "model/components/machine/kernel.hpp"
#include "model/components/parts/pe_engine.hpp"
#include "model/engine/process.hpp"

namespace kernbench::model::components {

/// The processor that runs kernels on a PE (Architecture, "pe_cpu"). Runs the kernel of a launch as
/// a process and answers the launch when the kernel ends. Commands of kernels go to the scheduler,
/// sends and receives to the IPCQ.
class KERNBENCH_API PeCpu : public PePart {
 public:
  using PePart::PePart;
  void on_message(Message message) override;

  /// Issues a command; `co_await command.done` waits for it. Several commands may be in flight.
  void start(PeCommand& command);

 private:
  engine::Process run_kernel(Message message);
};

}  // namespace kernbench::model::components
