#pragma once

#include <memory>
#include <vector>

#include "model/components/machine/fan_out.hpp"
#include "model/components/machine/memory_access.hpp"

namespace kernbench::model::components {

/// A cube's management processor (Architecture, "m_cpu"), in two roles:
///
/// - Control: hands the host's commands to the PEs, launches to pe_cpu, map and unmap to pe_mmu,
///   over routes that may use command wires.
/// - DMA: takes data of the host that is to be in several places of this cube, and writes it to
///   each over the router mesh, never through a PE. When all are written it answers the host.
///
/// A host write lands through the M_CPU only in that case, so that the data crosses PCIe and the
/// package once. Every other write and every read takes the direct path from the PCIe endpoint to
/// the memory, and pays no control processor.
class MCpu : public FanOut {
 public:
  MCpu(Machine& machine, topology::NodeId node);
  ~MCpu() override;
  void on_message(Message message) override;

 protected:
  [[nodiscard]] topology::NodeId next_for(const HostCommand& command,
                                          const memory::PeLocation& target) const override;

 private:
  /// Data that is being written to its places.
  class Placing;

  std::vector<std::unique_ptr<Placing>> placing_;
};

}  // namespace kernbench::model::components
