#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/probe/probe.hpp"

namespace kernbench::model::probe {

/// What was held against each other, and what did not hold.
struct InvariantReport {
  std::vector<std::string> broken;  ///< a text for each
  std::size_t closed_forms = 0;     ///< results that were compared with theirs
  std::size_t pairs = 0;            ///< pairs of results that were compared

  void add(const InvariantReport& other);
};

/// Checks the results of one size, by its index (Architecture, "Probe Subcommand"):
///
/// - Always: the measured latency is the closed form's, to the picosecond.
/// - Of two cases of a family of which one has more hops: it is slower. They are compared when its
///   way has all that the other's has: no less overhead and length, and as many wires of each
///   bandwidth or less. So the nearest PE DMA beats the farthest.
/// - A read is at least as slow as the write over the same way.
///
/// Pairs are compared when messages are whole flits, requests are one flit, and no MAZE is on the
/// way. A short last flit is slower or faster depending on where the narrow wire stands, and a
/// clock rounds to its edges: there the recurrence itself breaks the rule, by less than a flit or
/// a period.
[[nodiscard]] InvariantReport check_invariants(const topology::TopologyGraph& graph,
                                               const std::vector<ProbeCase>& cases,
                                               const std::vector<std::vector<ProbeResult>>& results,
                                               std::size_t size);

}  // namespace kernbench::model::probe
