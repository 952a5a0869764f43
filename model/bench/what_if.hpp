// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/band.hpp"
#include "common/described.hpp"
#include "model/bench/mapping_search.hpp"
#include "model/bench/runner.hpp"
#include "model/bench/spread.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::bench {

/// A time on a changed system beside that on the system as it is.
struct Effect {
  TimeBand before;
  TimeBand after;

  /// Returns the difference of the medians in percent of the one before, 0 of 0.
  [[nodiscard]] double percent() const { return percent_of_change(before.band(), after.band()); }
  [[nodiscard]] bool is_difference() const { return differ(before.band(), after.band()); }
};

/// The effects of changed numbers on a bench, in the mapping that is fastest with them.
struct Change {
  std::string changes;          ///< such as "pe.clock_ghz*2,cube.router.attrs.overhead_ns/2"
  std::string mapping;          ///< name of the mapping; empty if nothing is "auto"
  std::vector<Effect> regions;  ///< that of the run, if it has no regions
  Effect whole;                 ///< effect on all regions together
};

/// Simulates a bench on changed systems and compares its times with those of the system as it is.
class WhatIf {
 public:
  /// `before` is the run of the bench with these options, and has to outlive the object as `bench`,
  /// `graph` and `spread` do.
  WhatIf(const Bench& bench, const topology::TopologyGraph& graph, const RunOptions& options,
         const Spread& before, const SpreadChoice& choice);

  /// Simulates a change as run_mapped() and measure_spread() do. Throws as they do, and as
  /// changed_graph().
  [[nodiscard]] Change simulate(const std::string& changes, unsigned jobs) const;

 private:
  const Bench& bench_;
  const topology::TopologyGraph& graph_;
  RunOptions options_;
  const Spread& before_;
  SpreadChoice choice_;
};

/// Returns the system with changed numbers. Throws std::invalid_argument for changes that are wrong
/// (topology::changed_spec()).
[[nodiscard]] topology::TopologyGraph changed_graph(const topology::TopologyGraph& graph,
                                                    const std::string& changes);

/// Returns, for each group of parts that are equally fast in series and where some get faster, the
/// changes with those added that make all as fast as the fastest. One part of a group alone gains
/// little where all of them limit.
[[nodiscard]] std::vector<std::string> with_equals_in_series(const topology::TopologyGraph& graph,
                                                             const std::string& changes);

/// A number of a system, or several of parts that are equally fast in series, and what half and
/// twice the value do.
struct TornadoRow {
  std::vector<std::string> keys;
  std::optional<double> value{};  ///< value of each key; none if it is not a single number
  std::optional<Change> half{};
  std::optional<Change> twice{};
  std::string no_half{};   ///< why half the value was not simulated
  std::string no_twice{};  ///< why twice the value was not simulated

  /// Returns the smallest and the largest change of the time in percent, 0 among them.
  [[nodiscard]] std::pair<double, double> range() const;
  /// Returns the largest change of the time in percent, up or down; -1 if nothing was simulated.
  [[nodiscard]] double reach() const;
  /// Returns whether a change makes a difference.
  [[nodiscard]] bool is_difference() const;
  /// Returns whether no run took another time, to the picosecond.
  [[nodiscard]] bool is_without_effect() const;
};

/// Returns the smallest and the largest change over rows, 0 among them: the scale of their bars.
[[nodiscard]] std::pair<double, double> range_of(const std::vector<TornadoRow>& rows);

/// Simulates half and twice each of topology::sized_numbers() and each group of
/// topology::equally_fast_in_series(), on `jobs` threads. Returns the rows with the largest reach
/// first. What the spec, the bench or its run refuses stands in the row.
[[nodiscard]] std::vector<TornadoRow> run_tornado(const WhatIf& what_if,
                                                  const topology::TopologyGraph& graph,
                                                  unsigned jobs);

}  // namespace kernbench::model::bench

template <>
const kernbench::common::Description<kernbench::model::bench::Change>&
kernbench::common::description_of();
template <>
const kernbench::common::Description<kernbench::model::bench::TornadoRow>&
kernbench::common::description_of();
