// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/bench/runner.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::bench {

/// The use of an engine, a port, a memory or a wire in a stretch of time. It is idle for the rest.
struct PartUse {
  std::string kind;               ///< "pe_gemm", "pe_dma read", "hbm_ctrl", "wires ucie_mesh"
  std::string name;               ///< "sip0.cube3.pe1.pe_gemm", or "a -> b"
  common::SimTime busy;           ///< time in which it worked; of channels, their mean
  common::SimTime waiting;        ///< time in which it did not, while a kernel ran on its PE
  common::SimTime longest_queue;  ///< longest time that work was ready before it started
  std::uint64_t work = 0;         ///< multiply-adds, elements, or bytes
};

/// The parts of one kind. The stretch cannot be shorter than the busiest of them is busy, unless
/// its work is spread over others.
struct KindUse {
  std::string kind{};
  std::uint64_t parts = 0;  ///< number of those that were used
  std::string busiest{};
  common::SimTime busy{};           ///< time of the busiest
  common::SimTime total{};          ///< time of all
  common::SimTime waiting{};        ///< time in which all of them waited
  common::SimTime longest_queue{};  ///< the longest of all
  std::uint64_t work = 0;

  /// Returns the means over the used parts.
  [[nodiscard]] common::SimTime mean() const { return per_part(total); }
  [[nodiscard]] common::SimTime mean_waiting() const { return per_part(waiting); }

 private:
  [[nodiscard]] common::SimTime per_part(common::SimTime time) const {
    return common::SimTime::from_ps(time.ps() / static_cast<std::int64_t>(parts));
  }
};

/// The use of all parts in a measured region, or in the whole run.
struct StretchUse {
  std::string of;
  common::SimTime time;
  std::vector<PartUse> parts;  ///< used ones, by kind and name
  /// Time that the HBM slices of the SIPs in use would take at least for the bytes of the DMAs.
  common::SimTime hbm;
  std::uint64_t hbm_bytes = 0;
  std::uint64_t hbm_slices = 0;

  /// Returns the use by kind, that with the busiest part first.
  [[nodiscard]] std::vector<KindUse> kinds() const;
};

/// Returns the use of parts in each measured region, or in the whole run without regions. The run
/// must have had `explain`. Work counts for the stretch in which it ends.
[[nodiscard]] std::vector<StretchUse> part_uses(const RunResult& result,
                                                const topology::TopologyGraph& graph);

}  // namespace kernbench::model::bench
