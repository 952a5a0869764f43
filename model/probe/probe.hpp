// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/enum_names.hpp"
#include "common/units.hpp"
#include "model/components/machine/memory_access.hpp"
#include "model/probe/closed_form.hpp"
#include "model/trace/hop_trace.hpp"
#include "topology/graph/topology_graph.hpp"
#include "topology/routing/path_router.hpp"

namespace kernbench::model::probe {

/// The three families of traffic (Architecture, "Probe Subcommand").
enum class Family : std::uint8_t {
  HostWrite,  ///< host to device, from a PCIe endpoint
  HostRead,   ///< device to host
  PeDma,      ///< reads by the DMA of a PE
};
inline constexpr std::array<common::EnumName<Family>, 3> kFamilyNames = {
    {{"h2d", Family::HostWrite}, {"d2h", Family::HostRead}, {"pe_dma", Family::PeDma}}};
constexpr const auto& name_table(Family /*any*/) {
  return kFamilyNames;
}
[[nodiscard]] constexpr std::string_view name(Family family) {
  return common::name_of(kFamilyNames, family);
}

/// One transfer to be measured.
struct ProbeCase {
  Family family = Family::PeDma;
  std::string label;        ///< "1 cube east", ...
  std::string from;         ///< node name
  std::string to;           ///< node name
  topology::Path route;     ///< from the requester to the memory
  bool leaves_sip = false;  ///< the route uses the narrower wires between SIPs
};

/// Latency of a case at one size.
struct ProbeResult {
  std::uint64_t bytes = 0;
  common::SimTime actual;     ///< simulated latency
  Breakdown analytic;         ///< latency by the closed form
  double bottleneck_gbs = 0;  ///< bandwidth of the narrowest wire, or of the slice if that is less

  /// Returns bytes over actual latency, in 10^9 bytes/s.
  [[nodiscard]] double effective_gbs() const {
    return static_cast<double>(bytes) / static_cast<double>(actual.ps()) * 1000.0;
  }
  [[nodiscard]] double utilization() const { return effective_gbs() / bottleneck_gbs; }
};

/// Returns the cases of a topology: for the host's families, a cube of each row of SIP 0, by the IO
/// chiplet through which the host reaches it; for the PE DMA, slices at increasing distance from a
/// PE. Ordered by family, then by whether the route leaves the SIP, then by hops.
[[nodiscard]] std::vector<ProbeCase> probe_cases(const topology::TopologyGraph& graph);

/// Returns the access of a case: a write or a read of `bytes` from address 0 of its memory.
[[nodiscard]] components::AccessRequest access_of(const ProbeCase& probe, std::uint64_t bytes);

/// Runs a case alone in a simulation. `trace` may be null. Throws common::BadInput for a network
/// whose virtual channels have too few slots to carry a flit in every cycle, as the closed form
/// assumes.
[[nodiscard]] ProbeResult run_probe(const topology::TopologyGraph& graph, const ProbeCase& probe,
                                    std::uint64_t bytes, trace::HopTrace* trace = nullptr);

/// Runs all cases at all sizes, in up to `jobs` threads. Returns results[case][size], which do not
/// depend on `jobs`. `traces` is empty or has one trace for each run, in the order
/// traces[case * sizes.size() + size].
[[nodiscard]] std::vector<std::vector<ProbeResult>> run_probes(
    const topology::TopologyGraph& graph, const std::vector<ProbeCase>& cases,
    const std::vector<std::uint64_t>& sizes, unsigned jobs, std::span<trace::HopTrace> traces = {});

}  // namespace kernbench::model::probe
