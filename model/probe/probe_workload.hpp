#pragma once

#include <cstdint>
#include <vector>

#include "model/components/machine/machine_workload.hpp"
#include "model/probe/probe.hpp"

namespace kernbench::model::probe {

/// Whether the cases of a probe meet.
enum class ProbeOrder : std::uint8_t {
  OneByOne,  ///< each begins at an edge of the MAZE's clock after the end of the one before
  AtOnce,    ///< all begin at time 0
};

/// All cases of the probe on one machine; an operation is a case, from submission to the last flit
/// of its response.
class ProbeWorkload final : public components::MachineWorkload {
 public:
  /// `graph` must outlive it. `bytes`: of each case, at least 1.
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
