#pragma once

#include "model/components/machine/component.hpp"

namespace kernbench::model::components {

/// A cube's scratchpad (Architecture, "sram"). It has one port, which reads and writes share, and
/// serves a flit in bytes over sram.bw_gbs. As the backing memory of collective slots it is read
/// and written like anything else, and knows nothing of collectives.
class Sram : public MemoryComponent {
 public:
  using MemoryComponent::MemoryComponent;

  Service serve(bool write, std::uint64_t address, std::uint32_t bytes, common::SimTime ready,
                std::uint64_t transaction) override;

 private:
  ServiceChannel port_;
};

}  // namespace kernbench::model::components
