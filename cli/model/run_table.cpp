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
#include "cli/base/text_table.hpp"

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

void add_row(TextTable& table, const std::string& name, const std::string& sips,
             const Places& places, SimTime start, SimTime end, const LaunchFigures& figures) {
  const auto us = [](SimTime time) { return fixed_text(time.ns() / 1000.0, 3); };
  table.add({name, sips, fixed_text(static_cast<double>(places.cubes), 0),
             fixed_text(static_cast<double>(places.pes), 0), us(start), us(end - start),
             fixed_text(figures.read.gbs(), 2), fixed_text(figures.written.gbs(), 2),
             fixed_text(gmacs(figures, end - start), 1)});
}

void add_launches(TextTable& table, const RunResult& result,
                  const std::vector<LaunchFigures>& figures, std::optional<std::size_t> region,
                  const char* indent) {
  std::size_t repeats = 0;
  for (std::size_t i = 0; i < result.launches.size(); ++i) {
    const LaunchRecord& launch = result.launches[i];
    if (launch.region != region) continue;
    if (launch.repeats) {
      ++repeats;
      continue;
    }
    add_row(table, indent + launch.kernel, fmt::format("{}", launch.device.sip),
            {launch.cubes, launch.programs}, launch.start, launch.end, figures[i]);
  }
  if (repeats != 0) table.add_line(fmt::format("{}and {} repeated launches", indent, repeats));
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
  TextTable table({measured ? "region, its kernels" : "kernel", "SIP", "cubes", "PEs", "start (us)",
                   "time (us)", "read (GB/s)", "written (GB/s)", "GMAC/s"});
  if (!measured) add_launches(table, result, run.figures, {}, "");
  for (std::size_t i = 0; i < result.regions.size(); ++i) {
    const MeasuredRegion& region = result.regions[i];
    add_row(table, region.name, sips_of(region), places_of(result.launches, i), region.start,
            region.end(), run.region_sums[i]);
    add_launches(table, result, run.figures, i, "  ");
    if (region.ranks.size() > 1) table.add_line(fmt::format("  {}", skew_text(region)));
  }
  print_table(table);
  if (measured) print_unmeasured(result.launches);
}

}  // namespace kernbench::cli
