// SPDX-License-Identifier: Apache-2.0
#include "model/bench/spread.hpp"

#include <algorithm>
#include <utility>

#include "common/description.hpp"
#include "common/parallel.hpp"
#include "model/bench/mapping_search.hpp"

namespace kernbench::model::bench {

using common::SimTime;

namespace {

/// Returns the times of the regions, and of all of them together or of the run.
std::vector<SimTime> times_of(const RunResult& result) {
  std::vector<SimTime> times;
  for (const runtime::MeasuredRegion& region : result.regions) times.push_back(region.time());
  times.push_back(span_of(result));
  return times;
}

}  // namespace

const TimeBand* Spread::find(const std::string& name) const {
  const auto found = std::find_if(bands.begin(), bands.end(),
                                  [&](const TimeBand& band) { return band.name == name; });
  return found == bands.end() ? nullptr : &*found;
}

std::optional<Spread> measure_spread(const Bench& bench, const topology::TopologyGraph& graph,
                                     const RunOptions& options, const RunResult& undisturbed,
                                     const SpreadChoice& choice, unsigned jobs) {
  const auto [runs, seed] = choice;
  if (runs == 0) return std::nullopt;
  const RunOptions plain = timed_only(options);
  std::vector<std::vector<SimTime>> times(runs);
  common::in_parallel(runs, jobs, [&, first = seed](std::size_t i) {
    RunOptions delayed = plain;
    delayed.delays = {first + i, undisturbed.starts};
    times[i] = times_of(run_bench(bench, graph, delayed));
  });

  Spread spread{runs, seed, SimTime::max(), SimTime(), {}, {}};
  for (const auto& [launch, range] : undisturbed.starts) {
    const SimTime most = runtime::StartDelays{seed, undisturbed.starts}.most(launch);
    spread.least_delay = std::min(spread.least_delay, most);
    spread.most_delay = std::max(spread.most_delay, most);
  }
  const std::vector<SimTime> first = times_of(undisturbed);
  const auto band_of = [&](std::size_t i, const std::string& name) {
    std::vector<SimTime> sorted;
    sorted.reserve(times.size());
    for (const std::vector<SimTime>& run : times) sorted.push_back(run.at(i));
    std::sort(sorted.begin(), sorted.end());
    return TimeBand{name, first[i], sorted.front(), sorted[sorted.size() / 2], sorted.back()};
  };
  const auto& regions = undisturbed.regions;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    spread.bands.push_back(band_of(i, regions[i].name));
  }
  spread.span = band_of(regions.size(), regions.empty() ? "the run" : "all regions");
  if (regions.empty()) spread.bands = {spread.span};
  return spread;
}

}  // namespace kernbench::model::bench

namespace kernbench::common {

using model::bench::Spread;
using model::bench::TimeBand;

template <>
const Description<TimeBand>& description_of() {
  static const auto kAll = Description<TimeBand>()
                               .add("name", &TimeBand::name, "a measured region, or `the run`")
                               .not_empty()
                               .add("undisturbed_ps", &TimeBand::undisturbed, "without delays")
                               .add("least_ps", &TimeBand::least)
                               .add("median_ps", &TimeBand::median)
                               .add("most_ps", &TimeBand::most)
                               .ascending({"least_ps", "median_ps", "most_ps"});
  return kAll;
}

template <>
const Description<Spread>& description_of() {
  static const auto kAll =
      Description<Spread>()
          .add("runs", &Spread::runs)
          .at_least(1)
          .add("seed", &Spread::seed, "of the first run")
          .add("least_delay_ps", &Spread::least_delay,
               "the smallest, over launches, of the longest delays of a program")
          .add("most_delay_ps", &Spread::most_delay, "the largest of them")
          .add("times", &Spread::bands)
          .not_empty()
          .add("span", &Spread::span,
               "from the start of the first region to the end of the last, or of the run");
  return kAll;
}

}  // namespace kernbench::common
