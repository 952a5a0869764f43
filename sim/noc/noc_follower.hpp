// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/debug/packet_log.hpp"
#include "sim/harness/extension.hpp"
#include "sim/noc/noc_device.hpp"

namespace kernbench::sim {

/// Follows the flits through all routers and links of a network. Its places are the nodes, then the
/// channels.
class NocFollower final : public Extension {
 public:
  /// Follows from cycle `from` on. `device` must outlive the object.
  NocFollower(const NocDevice& device, std::uint64_t from) : device_(device), from_(from) {}

  void on_cycle(const CycleView& view) override;
  [[nodiscard]] const PacketLog& log() const { return log_; }

 private:
  void leave_node(std::uint32_t node, noc::Flit flit, std::uint64_t last);

  const NocDevice& device_;
  std::uint64_t from_;
  PacketLog log_;
};

}  // namespace kernbench::sim
