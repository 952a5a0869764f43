// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/described.hpp"
#include "model/trace/path_step.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::trace {

/// Time of one group of shares of a critical path.
struct PathPart {
  std::string name;
  common::SimTime time;

  friend bool operator==(const PathPart&, const PathPart&) = default;
};

/// Time of a critical path on a wire and for it.
struct WireTime {
  topology::EdgeId wire;
  common::SimTime time;
};

/// The critical path of a stretch of time: the chain of causes from its end back to its start. Each
/// step began when its cause ended, so the shares add up to the stretch.
struct CriticalPath {
  common::SimTime start;
  common::SimTime end;
  std::uint64_t steps = 0;
  std::vector<TimeShare> shares;  ///< by their start, or one for each window, kind and place
  /// Length of the windows of shares that have been added up; 0 if none have.
  common::SimTime window{};

  [[nodiscard]] common::SimTime time() const { return end - start; }
  /// Returns the time that no share accounts for: 0 if all components say how they delay work.
  [[nodiscard]] common::SimTime unnamed() const;

  /// Returns the parts by use of time and kind of component, longest first.
  [[nodiscard]] std::vector<PathPart> by_component(const topology::TopologyGraph& graph) const;
  /// Returns the parts by what would make them shorter: more bandwidth of a kind of component or of
  /// wire, less contention for it, a faster engine, or less latency.
  [[nodiscard]] std::vector<PathPart> by_limit(const topology::TopologyGraph& graph) const;
  /// Returns the parts by the labels of steps.
  [[nodiscard]] std::vector<PathPart> by_operation() const;
  /// Returns the parts by PE, with "outside of PEs" for others.
  [[nodiscard]] std::vector<PathPart> by_pe(const topology::TopologyGraph& graph) const;
  /// Returns the parts of the path in windows of 2^k ps, at most `most` if the shares allow it. The
  /// first and the last are shorter. Their times, and those of their shares, add up to the path's.
  [[nodiscard]] std::vector<CriticalPath> over_time(std::size_t most) const;
  /// Returns the time on wires and for them, the wire with the longest first.
  [[nodiscard]] std::vector<WireTime> wire_times() const;
  /// Returns the same with the names of the wires.
  [[nodiscard]] std::vector<PathPart> by_link(const topology::TopologyGraph& graph) const;
};

/// Follows the causes of what ended at `end` back to `start`. Throws std::logic_error if steps
/// before and after `start` have been joined (Simulation::keep_causes_apart()).
[[nodiscard]] CriticalPath find_critical_path(const engine::Cause& last, common::SimTime start,
                                              common::SimTime end);

/// Returns, for example, "write data: wait for a wire from pe_dma (sip0.cube0.pe0.pe_dma ->
/// sip0.cube0.noc.r0c0) behind own flits".
[[nodiscard]] std::string text_of(const TimeShare& share, const topology::TopologyGraph& graph);

}  // namespace kernbench::model::trace

template <>
const kernbench::common::Description<kernbench::model::trace::PathPart>&
kernbench::common::description_of();
