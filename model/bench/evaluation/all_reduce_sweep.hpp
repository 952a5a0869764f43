#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/units.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {

/// One all-reduce to measure.
struct AllReduceCase {
  std::uint64_t bytes = 0;   ///< that each cube of each rank adds
  std::uint32_t sips = 1;    ///< ranks
  std::string algorithm;     ///< "intercube-center"
  std::string sip_topology;  ///< "ring", "torus", "mesh", ...
  std::string slot_memory;   ///< "tcm", "sram" or "hbm"

  friend bool operator==(const AllReduceCase&, const AllReduceCase&) = default;
};

struct AllReducePoint {
  AllReduceCase which;
  common::SimTime latency;  ///< from the first launch to the last end, after a barrier
  common::SimTime bound;    ///< 2 (n - 1) / n S / B; no algorithm is faster
  std::uint64_t flit_hops = 0;
  std::uint64_t elements = 0;  ///< that were computed and compared
  std::uint64_t wrong = 0;     ///< of them

  [[nodiscard]] bool right() const { return elements != 0 && wrong == 0 && latency >= bound; }
};

/// The alpha-beta bound without its latency: what n ranks of S bytes take at the least when B is
/// what a SIP can send (P. Patarasuk, X. Yuan, 2009).
[[nodiscard]] common::SimTime all_reduce_bound(const topology::TopologySpec& spec,
                                               std::uint32_t ranks, std::uint64_t bytes);

/// Sizes x slot memories x SIP counts x topologies, for a system like `spec`: from 16 KiB to 1 MiB
/// (16 MiB when not `quick`), 1, 2 and 4 SIPs. Both roots are there, for comparison.
[[nodiscard]] std::vector<AllReduceCase> all_reduce_cases(bool quick);

/// Runs the bench `all-reduce` for each case on a system that differs from `spec` in the number of
/// SIPs, up to `jobs` at a time; the numbers of each are computed and compared.
[[nodiscard]] std::vector<AllReducePoint> sweep_all_reduce(const topology::TopologySpec& spec,
                                                           const std::vector<AllReduceCase>& cases,
                                                           unsigned jobs);

/// Latency by size with the bound below it, as a self-contained SVG: a curve for each algorithm,
/// topology, memory and number of SIPs.
[[nodiscard]] std::string all_reduce_plot(const std::vector<AllReducePoint>& points);

}  // namespace kernbench::model::bench
