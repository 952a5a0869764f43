// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "maze/network_model.hpp"
#include "maze/packet_layout.hpp"
#include "sim/check/link_counter.hpp"
#include "sim/harness/extension.hpp"
#include "sim/network/network_coverage.hpp"

namespace kernbench::sim {

/// Collects the functional coverage of a network, and counts what its links carry. Looks at the
/// reference, which has the same signals, so it has to be attached before its lockstep: it sees the
/// state that the cycle before has left.
class NetworkCollector final : public Extension {
 public:
  explicit NetworkCollector(const maze::NetworkModel& reference)
      : reference_(reference),
        layout_(reference.config().shape),
        coverage_(reference.config()),
        links_(reference.config().shape),
        taken_(reference.config().shape),
        stalled_(reference.config().shape.words()) {}

  void on_cycle(const CycleView& view) override;
  void after(const RunEnd& end) override;

  [[nodiscard]] const NetworkCoverage& coverage() const { return coverage_; }
  [[nodiscard]] LinkCounter& links() { return links_; }

 private:
  void look_at_reference(std::uint64_t cycle);

  const maze::NetworkModel& reference_;
  maze::PacketLayout layout_;
  NetworkCoverage coverage_;
  LinkCounter links_;
  maze::BitPlane taken_;                ///< packets that links deliver in a cycle
  std::vector<std::uint64_t> stalled_;  ///< B with a packet that are not ready
  bool was_running_ = false;            ///< the cycle before was outside reset
};

}  // namespace kernbench::sim
