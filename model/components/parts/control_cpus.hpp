// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "common/api.hpp"
#include "model/components/machine/fan_out.hpp"
#include "model/components/machine/memory_access.hpp"

namespace kernbench::model::components {

/// The control processor of an IO chiplet (Architecture, "io_cpu"). It forwards the host's commands
/// to the M_CPU of each cube that a target names. It decodes no addresses, and memory traffic does
/// not pass it.
class KERNBENCH_API IoCpu : public FanOut {
 public:
  using FanOut::FanOut;

 protected:
  [[nodiscard]] topology::NodeId next_for(const HostCommand& command,
                                          const memory::PeLocation& target) const override;
};

/// A cube's management processor (Architecture, "m_cpu"), in two roles:
///
/// - Control: forwards the host's commands to the PEs, launches to pe_cpu, map and unmap to pe_mmu,
///   over routes that may use command wires.
/// - DMA: receives host data that is to be in several places of this cube and writes a copy to each
///   over the router mesh, never through a PE. It answers the host when all are written.
///
/// The DMA serves only such copies, so that their data cross PCIe and the package once. Every other
/// write and every read takes the direct path from the PCIe endpoint to the memory, without a
/// control processor.
class KERNBENCH_API MCpu : public FanOut {
 public:
  MCpu(Machine& machine, topology::NodeId node);
  ~MCpu() override;
  void on_message(Message message) override;

 protected:
  [[nodiscard]] topology::NodeId next_for(const HostCommand& command,
                                          const memory::PeLocation& target) const override;

 private:
  /// Data that are being written to their places.
  class Placing;

  std::vector<std::unique_ptr<Placing>> placing_;
};

}  // namespace kernbench::model::components
