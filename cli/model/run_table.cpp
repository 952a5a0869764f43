// SPDX-License-Identifier: Apache-2.0
#include "cli/model/run_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cli/base/console.hpp"

namespace kernbench::cli {

using common::SimTime;
using model::bench::LaunchFigures;
using model::bench::RunResult;
using model::runtime::LaunchRecord;
using model::runtime::MeasuredRegion;

namespace {

/// Returns the mean rate over `time` in 10^9 multiply-adds per second.
double gmacs(const LaunchFigures& figures, SimTime time) {
  return figures.macs == 0 ? 0.0 : static_cast<double>(figures.macs) / time.ns();
}

/// The cubes and PEs that take part.
struct Places {
  std::size_t cubes = 0;
  std::size_t pes = 0;
};

/// Returns the places of the launches of a region.
Places places_of(const std::vector<LaunchRecord>& launches, std::size_t region) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> cubes;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> pes;
  for (const LaunchRecord& launch : launches) {
    if (launch.region != region) continue;
    const model::runtime::Device& device = launch.device;
    for (std::uint32_t cube = 0; cube < launch.cubes; ++cube) {
      for (std::uint32_t pe = 0; pe < launch.programs / launch.cubes; ++pe) {
        const model::memory::PeLocation place = device.at(cube, pe);
        cubes.insert({place.sip, place.cube});
        pes.insert({place.sip, place.cube, place.pe});
      }
    }
  }
  return {cubes.size(), pes.size()};
}

void print_row(const std::string& name, const std::string& sips, const Places& places,
               SimTime start, SimTime end, const LaunchFigures& figures) {
  print("{:<28} {:>4} {:>5} {:>5} {:>10.3f} {:>12.3f} {:>10.2f} {:>10.2f} {:>10.1f}\n", name, sips,
        places.cubes, places.pes, start.ns() / 1000.0, (end - start).ns() / 1000.0,
        figures.read.gbs(), figures.written.gbs(), gmacs(figures, end - start));
}

void print_launches(const RunResult& result, const std::vector<LaunchFigures>& figures,
                    std::optional<std::size_t> region, const char* indent) {
  std::size_t repeats = 0;
  for (std::size_t i = 0; i < result.launches.size(); ++i) {
    const LaunchRecord& launch = result.launches[i];
    if (launch.region != region) continue;
    if (launch.repeats) {
      ++repeats;
      continue;
    }
    print_row(indent + launch.kernel, fmt::format("{}", launch.device.sip),
              {launch.cubes, launch.programs}, launch.start, launch.end, figures[i]);
  }
  if (repeats != 0) print("{}and {} repeated launches\n", indent, repeats);
}

/// Prints "not measured: 2 launches (fill)".
void print_unmeasured(const std::vector<LaunchRecord>& launches) {
  std::size_t count = 0;
  std::vector<std::string> kernels;
  for (const LaunchRecord& launch : launches) {
    if (launch.region) continue;
    ++count;
    if (std::find(kernels.begin(), kernels.end(), launch.kernel) == kernels.end()) {
      kernels.push_back(launch.kernel);
    }
  }
  if (count == 0) return;
  print("{}\n", fmt::format("not measured: {} {} ({})", count, count == 1 ? "launch" : "launches",
                            fmt::join(kernels, ", ")));
}

std::string sips_of(const MeasuredRegion& region) {
  const std::uint32_t first = region.ranks.front().device.sip;
  const std::uint32_t last = region.ranks.back().device.sip;
  return first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
}

}  // namespace

void print_run_table(const model::report::RunReport& run) {
  const RunResult& result = run.result;
  const bool measured = !result.regions.empty();
  print_heading(fmt::format("{:<28} {:>4} {:>5} {:>5} {:>10} {:>12} {:>10} {:>10} {:>10}",
                            measured ? "region, its kernels" : "kernel", "sip", "cubes", "PEs",
                            "start us", "took us", "read GB/s", "write GB/s", "GMAC/s"));
  if (!measured) {
    print_launches(result, run.figures, {}, "");
    return;
  }
  for (std::size_t i = 0; i < result.regions.size(); ++i) {
    const MeasuredRegion& region = result.regions[i];
    print_row(region.name, sips_of(region), places_of(result.launches, i), region.start,
              region.end(), run.region_sums[i]);
    print_launches(result, run.figures, i, "  ");
    if (region.ranks.size() > 1) print("  {}\n", skew_text(region));
  }
  print_unmeasured(result.launches);
}

}  // namespace kernbench::cli
