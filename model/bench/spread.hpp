// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/band.hpp"
#include "common/described.hpp"
#include "common/units.hpp"
#include "model/bench/runner.hpp"

namespace kernbench::model::bench {

/// A time over runs whose programs start later by draws of their own.
struct TimeBand {
  std::string name;  ///< a measured region, or "the run"
  common::SimTime undisturbed;
  common::SimTime least;
  common::SimTime median;
  common::SimTime most;

  friend bool operator==(const TimeBand&, const TimeBand&) = default;
  [[nodiscard]] common::Band band() const { return {least.ns(), median.ns(), most.ns()}; }
  /// Returns the width of the band in percent of the median.
  [[nodiscard]] double percent() const {
    return median.ps() == 0 ? 0.0
                            : 100.0 * static_cast<double>((most - least).ps()) /
                                  static_cast<double>(median.ps());
  }
};

/// How much the times of a bench depend on the order in which its programs start.
struct Spread {
  std::uint64_t runs = 0;
  std::uint64_t seed = 1;       ///< seed of the first run; the others have the next ones
  common::SimTime least_delay;  ///< largest delay of a program, over launches
  common::SimTime most_delay;
  std::vector<TimeBand> bands;  ///< times of the regions, or of the run without regions
  TimeBand span;                ///< span_of(), of all regions together

  friend bool operator==(const Spread&, const Spread&) = default;
  /// Returns the band of the first time.
  [[nodiscard]] common::Band band() const { return bands.at(0).band(); }
  /// Returns the band of a time by its name, or null.
  [[nodiscard]] const TimeBand* find(const std::string& name) const;
};

/// The runs that measure a spread.
struct SpreadChoice {
  static constexpr std::uint64_t kUsual = 9;

  std::uint64_t runs = 0;  ///< 0: none
  std::uint64_t seed = 1;  ///< seed of the first run
};

/// Runs a bench `choice.runs` times more, on `jobs` threads, with programs that start later than in
/// `undisturbed`, a run with the same options (runtime::StartDelays). Returns nothing for 0 runs.
/// Throws as run_bench() does.
[[nodiscard]] std::optional<Spread> measure_spread(const Bench& bench,
                                                   const topology::TopologyGraph& graph,
                                                   const RunOptions& options,
                                                   const RunResult& undisturbed,
                                                   const SpreadChoice& choice, unsigned jobs);

}  // namespace kernbench::model::bench

template <>
const kernbench::common::Description<kernbench::model::bench::Spread>&
kernbench::common::description_of();
