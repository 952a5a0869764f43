// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/units.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {

/// One all-reduce to measure.
struct AllReduceCase {
  std::uint64_t bytes = 0;   ///< contribution of each cube of each rank
  std::uint32_t sips = 1;    ///< number of ranks
  std::string algorithm;     ///< "intercube-center"
  std::string sip_topology;  ///< "ring", "torus", "mesh", ...
  std::string slot_memory;   ///< "tcm", "sram" or "hbm"

  friend bool operator==(const AllReduceCase&, const AllReduceCase&) = default;
};

struct AllReducePoint {
  AllReduceCase which;
  common::SimTime latency;  ///< from the first start of a launch to the last end, after a barrier
  common::SimTime bound;    ///< lower bound, see all_reduce_bound()
  std::uint64_t flit_hops = 0;
  std::uint64_t elements = 0;  ///< numbers computed and compared
  std::uint64_t wrong = 0;     ///< numbers that differ

  [[nodiscard]] bool right() const { return elements != 0 && wrong == 0 && latency >= bound; }
};

/// Returns the alpha-beta bound without latency: n ranks of S bytes take at least 2 (n - 1) / n S /
/// B when a SIP sends B bytes a second (P. Patarasuk, X. Yuan, 2009). Throws std::invalid_argument
/// for 0 ranks.
[[nodiscard]] common::SimTime all_reduce_bound(const topology::TopologySpec& spec,
                                               std::uint32_t ranks, std::uint64_t bytes);

/// Returns the cases of the sweep: sizes from 16 KiB to 1 MiB (`quick`) or 16 MiB; 1, 2 and 4 SIPs;
/// slot memories, topologies of SIPs and both roots.
[[nodiscard]] std::vector<AllReduceCase> all_reduce_cases(bool quick);

/// Runs the bench `all-reduce` for each case, up to `jobs` at a time, and checks its numbers. The
/// system is `spec` with the number of SIPs of the case. With `fail_fast`, no case is started after
/// a point that is not right(); cases that have not run have no point.
[[nodiscard]] std::vector<AllReducePoint> sweep_all_reduce(const topology::TopologySpec& spec,
                                                           const std::vector<AllReduceCase>& cases,
                                                           unsigned jobs, bool fail_fast = false);

/// Draws latency by size as an SVG document, with a curve for each algorithm, topology, memory and
/// number of SIPs, and the lower bounds. Throws std::invalid_argument without points.
[[nodiscard]] std::string all_reduce_plot(const std::vector<AllReducePoint>& points);

}  // namespace kernbench::model::bench
