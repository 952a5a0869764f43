// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/parts.hpp"
#include "common/units.hpp"
#include "model/bench/spread.hpp"
#include "model/ccl/algorithm.hpp"
#include "model/ccl/grid.hpp"
#include "topology/spec/spec_forward.hpp"

namespace kernbench::model::bench {

/// One collective to measure.
struct CollectiveCase {
  std::uint64_t bytes = 0;   ///< size of a block in each cube
  std::uint32_t sips = 1;    ///< SIPs of the system
  std::string algorithm;     ///< "intercube-center", or "auto"
  std::string sip_topology;  ///< "ring", "torus", "mesh", ...; empty: by the formulas
  std::string slot_memory;   ///< "tcm", "sram" or "hbm"
  std::string collective = "all_reduce";
  ccl::Grid cubes{};                   ///< cubes of a SIP
  std::string rank = "sip";            ///< kind of the ranks: sip, cube or pe
  std::vector<std::uint32_t> ranks{};  ///< ranks of the group; empty: all

  friend bool operator==(const CollectiveCase&, const CollectiveCase&) = default;
  /// Returns true for cases that differ only in their algorithm.
  [[nodiscard]] bool compares_with(const CollectiveCase& other) const;
};

struct CollectivePoint {
  CollectiveCase which;
  common::SimTime latency;  ///< from the first start of a launch to the last end, after a barrier
  common::SimTime bound;    ///< lower bound, see collective_bound()
  std::uint64_t flit_hops = 0;
  std::uint64_t elements = 0;      ///< numbers computed and compared
  std::uint64_t wrong = 0;         ///< numbers that differ
  std::string algorithm{};         ///< that ran
  std::string neighbors{};         ///< neighbour kind that ran
  common::SimTime predicted{};     ///< by its formula; 0 if it was not asked
  std::optional<Spread> spread{};  ///< if it was asked: the band of `latency`

  [[nodiscard]] bool right() const {
    return (elements != 0 || which.collective == "barrier") && wrong == 0 && latency >= bound;
  }
  [[nodiscard]] bool has_formula() const { return predicted.ps() != 0; }
  /// Returns how far the latency is from the formula, relative to the formula.
  [[nodiscard]] double deviation() const { return latency.ns() / predicted.ns() - 1.0; }
};

/// Returns a lower bound without latency: the bytes that some SIP must send or receive, over the
/// bandwidth B of a SIP. For an all-reduce of n ranks of S bytes it is 2 (n - 1) / n S / B (P.
/// Patarasuk, X. Yuan, 2009). It is 0 unless ranks are SIPs. Throws std::invalid_argument for a
/// group of 0 ranks.
[[nodiscard]] common::SimTime collective_bound(const topology::TopologySpec& spec,
                                               const CollectiveCase& which);

/// Returns the cases of `evaluate all-reduce`: sizes from 16 KiB to 1 MiB (`quick`) or 16 MiB; 1, 2
/// and 4 SIPs of `cubes`; slot memories, topologies of SIPs and both roots.
[[nodiscard]] std::vector<CollectiveCase> all_reduce_cases(const ccl::Grid& cubes, bool quick);
/// Returns the cases of `evaluate collectives`: all collectives, algorithms, also those of files
/// that are given, and `auto`.
[[nodiscard]] std::vector<CollectiveCase> collective_cases(
    bool quick, const std::vector<const ccl::Algorithm*>& of_files = {});

/// Runs the bench `bench`, "all-reduce" or "collective", for each case, in `parts` or, if that is
/// null, up to `jobs` at a time, checks its numbers, and runs it `spread.runs` times more for its
/// band. The system is `spec` with the SIPs and
/// cubes of the case. With `fail_fast`, no case is started after a point that is not right(); cases
/// that have not run have no point. Not with both `fail_fast` and `parts`. `folder` is the one at
/// which the names of algorithms that are files begin.
[[nodiscard]] std::vector<CollectivePoint> sweep_collectives(
    const topology::TopologySpec& spec, const std::vector<CollectiveCase>& cases,
    const std::string& bench, unsigned jobs, bool fail_fast = false, common::Parts* parts = nullptr,
    const SpreadChoice& spread = {}, const std::filesystem::path& folder = {});

/// Draws latency by size as an SVG document, with a curve for each algorithm, topology, memory and
/// number of SIPs, and the lower bounds. Throws std::invalid_argument without points.
[[nodiscard]] std::string all_reduce_plot(const std::vector<CollectivePoint>& points);
/// The same with a panel for each collective, and a curve for each algorithm, in the largest group
/// of SIPs of one cube.
[[nodiscard]] std::string collectives_plot(const std::vector<CollectivePoint>& points);

}  // namespace kernbench::model::bench
