// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "common/api.hpp"
#include "model/components/machine/component.hpp"
#include "topology/spec/hbm_interleave.hpp"

namespace kernbench::model::components {

// The memories of a machine. They model time only; the data are kept by the memory store.

/// The pseudo channels of a PE's HBM slice (Architecture, "hbm_ctrl"; DESIGN section 5). Of C
/// channels, topology::hbm_channel() serves a flit in ceil(bytes * C / slice bandwidth), so a long
/// access gets the bandwidth of the whole slice. Reads and writes share the channels. A channel
/// serves flits in order of arrival.
class KERNBENCH_API HbmCtrl : public MemoryComponent {
 public:
  HbmCtrl(Machine& machine, topology::NodeId node);

  Service serve(bool write, std::uint64_t address, std::uint32_t bytes, common::SimTime ready,
                std::uint64_t transaction) override;
  [[nodiscard]] common::SimTime duration(bool write, std::uint32_t bytes) const override;
  [[nodiscard]] std::uint32_t channels() const override {
    return static_cast<std::uint32_t>(channels_.size());
  }
  [[nodiscard]] std::uint32_t channel_of(std::uint64_t address) const override;

 private:
  std::uint32_t flit_bytes_;
  topology::HbmInterleave interleave_;
  double slice_bw_gbs_;
  std::vector<ServiceChannel> channels_;
};

/// A cube's scratchpad (Architecture, "sram"). Reads and writes share one port, which serves a flit
/// in bytes / sram.bw_gbs. Slots of collectives that are kept here are ordinary accesses.
class KERNBENCH_API Sram : public MemoryComponent {
 public:
  using MemoryComponent::MemoryComponent;

  Service serve(bool write, std::uint64_t address, std::uint32_t bytes, common::SimTime ready,
                std::uint64_t transaction) override;
  [[nodiscard]] common::SimTime duration(bool write, std::uint32_t bytes) const override;

 private:
  ServiceChannel port_;
};

/// A PE's scratchpad (Architecture, "pe_tcm"). Reads and writes have one channel each, with its own
/// bandwidth, so a read and a write overlap while requests of one direction queue.
class KERNBENCH_API PeTcm : public MemoryComponent {
 public:
  using MemoryComponent::MemoryComponent;

  /// Serves a TcmRequest, all its bytes at once.
  void on_message(Message message) override;

  Service serve(bool write, std::uint64_t address, std::uint32_t bytes, common::SimTime ready,
                std::uint64_t transaction) override;
  [[nodiscard]] common::SimTime duration(bool write, std::uint32_t bytes) const override {
    return duration_of(write, bytes);
  }
  [[nodiscard]] Port port(bool write) const override { return write ? Port::Write : Port::Read; }

 private:
  [[nodiscard]] common::SimTime duration_of(bool write, std::uint64_t bytes) const;
  Service pass(bool write, std::uint64_t bytes, common::SimTime ready, std::uint64_t transaction);

  ServiceChannel read_;
  ServiceChannel write_;
};

}  // namespace kernbench::model::components
