// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/outcome.hpp"
#include "model/probe/probe.hpp"

namespace kernbench::model::probe {

/// The number of comparisons made, and those that failed.
struct InvariantReport {
  std::vector<std::string> broken;  ///< a message for each failed comparison
  std::size_t closed_forms = 0;     ///< results compared with their closed form
  std::size_t pairs = 0;            ///< pairs of results compared with each other

  void add(const InvariantReport& other);
  /// Returns Mismatch if a comparison failed, Vacuous if none was made, else Pass.
  [[nodiscard]] common::Outcome outcome() const;
};

/// Checks the results of one size (Architecture, "Probe Subcommand"):
///
/// - Every measured latency equals its closed form, to the picosecond.
/// - Within a family, more hops means higher latency, so the nearest PE DMA beats the farthest. Two
///   cases are compared if the longer route has at least the overhead and the length of the shorter
///   one and, for each of its wires, a different one that is at most as wide.
/// - A read takes at least as long as the write over the same route. With hashed HBM channels and
///   more flits than channels, less than the service of a flit may be missing.
///
/// Pairs are compared only if messages are full flits, a request is one flit, and the route has no
/// MAZE. Otherwise the recurrence itself breaks the rules, by less than a flit or a clock period: a
/// short last flit gains or loses depending on where the narrowest wire is, and a clock rounds up
/// to its edges.
///
/// `results[case][size]` are those of run_probes(); `size` selects the size by its index.
[[nodiscard]] InvariantReport check_invariants(const topology::TopologyGraph& graph,
                                               const std::vector<ProbeCase>& cases,
                                               const std::vector<std::vector<ProbeResult>>& results,
                                               std::size_t size);

}  // namespace kernbench::model::probe
