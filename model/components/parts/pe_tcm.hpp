#pragma once

#include "model/components/machine/component.hpp"

namespace kernbench::model::components {

/// A PE's scratchpad (Architecture, "pe_tcm"): time only, no data. Reads and writes have a channel
/// each, with a bandwidth of its own; requests of the same direction are served one after the
/// other, a read and a write at the same time.
class PeTcm : public MemoryComponent {
 public:
  using MemoryComponent::MemoryComponent;

  /// Of a TcmRequest: all its bytes pass at once.
  void on_message(Message message) override;

  Service serve(bool write, std::uint64_t address, std::uint32_t bytes, common::SimTime ready,
                std::uint64_t transaction) override;

 private:
  Service pass(bool write, std::uint64_t bytes, common::SimTime ready, std::uint64_t transaction);

  ServiceChannel read_;
  ServiceChannel write_;
};

}  // namespace kernbench::model::components
