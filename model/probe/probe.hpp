#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
  PeDma,      ///< reads of a PE's DMA
};
/// "h2d", "d2h", "pe_dma"
[[nodiscard]] std::string_view name(Family family);

/// One transfer to be measured with a machine of its own.
struct ProbeCase {
  Family family = Family::PeDma;
  std::string label;  ///< "1 cube east", ...
  std::string from;   ///< nodes by name
  std::string to;
  topology::Route route;    ///< from requester to memory
  bool leaves_sip = false;  ///< over the narrower wires between SIPs
};

/// What a case measured at one size.
struct ProbeResult {
  std::uint64_t bytes = 0;
  common::SimTime actual;     ///< of the simulation
  Breakdown analytic;         ///< of the closed form
  double bottleneck_gbs = 0;  ///< of the narrowest wire or the slice

  /// Bytes over actual latency, 10^9 bytes/s.
  [[nodiscard]] double effective_gbs() const {
    return static_cast<double>(bytes) / static_cast<double>(actual.ps()) * 1000.0;
  }
  [[nodiscard]] double utilization() const { return effective_gbs() / bottleneck_gbs; }
};

/// The catalogue for a topology: cubes ever farther from the IO chiplet for the host's families,
/// slices ever farther from a PE for its DMA, in the order of hops.
[[nodiscard]] std::vector<ProbeCase> probe_cases(const topology::TopologyGraph& graph);

/// What a case asks of the memory at the end of its route.
[[nodiscard]] components::AccessRequest access_of(const ProbeCase& probe, std::uint64_t bytes);

/// Runs a case in a simulation of its own. `trace` may be null.
[[nodiscard]] ProbeResult run_probe(const topology::TopologyGraph& graph, const ProbeCase& probe,
                                    std::uint64_t bytes, trace::HopTrace* trace = nullptr);

/// All cases at all sizes, in parallel; results[case][size] do not depend on the number of jobs.
/// `traces` has one for each, those of a case one after the other, or is empty.
[[nodiscard]] std::vector<std::vector<ProbeResult>> run_probes(
    const topology::TopologyGraph& graph, const std::vector<ProbeCase>& cases,
    const std::vector<std::uint64_t>& sizes, unsigned jobs, std::span<trace::HopTrace> traces = {});

}  // namespace kernbench::model::probe
