// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/components/machine/machine_workload.hpp"
#include "model/probe/probe.hpp"

namespace kernbench::model::probe {

/// When the cases of a probe begin.
enum class ProbeOrder : std::uint8_t {
  OneByOne,  ///< each at the first MAZE clock edge after the end of the previous case
  AtOnce,    ///< all at time 0
};

/// Runs all cases of the probe on one machine. Each case is an operation, from its submission to
/// the arrival of the last flit of its response.
class ProbeWorkload final : public components::MachineWorkload {
 public:
  /// `graph` must outlive the workload. `bytes` is the size of each case, at least 1.
  ProbeWorkload(const topology::TopologyGraph& graph, std::uint64_t bytes, ProbeOrder order);

  [[nodiscard]] components::MachineRun run(
      const components::MachineOptions& options) const override;

 private:
  const topology::TopologyGraph& graph_;
  std::vector<ProbeCase> cases_;
  std::uint64_t bytes_;
  ProbeOrder order_;
};

}  // namespace kernbench::model::probe
