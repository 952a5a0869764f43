// SPDX-License-Identifier: Apache-2.0
#include "model/bench/launch_roofline.hpp"
#include "topology/spec/topology_spec.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kernbench::model::bench {

using common::SimTime;

namespace {

double share(SimTime part, SimTime whole) {
  return whole == SimTime() ? 0.0 : part.ns() / whole.ns();
}

}  // namespace

SimTime least_engine_time(std::uint64_t macs, std::uint64_t pes, const topology::PeSpec& pe) {
  const double per_ps =
      static_cast<double>(pes) * pe.pe_gemm_macs_per_cycle * pe.clock_ghz / 1000.0;
  return SimTime::from_ps(static_cast<std::int64_t>(static_cast<double>(macs) / per_ps));
}

std::string LaunchRoofline::sentence() const {
  if (limits.empty()) return "moves no data and multiplies nothing";
  const RooflineLimit& first = limits.front();
  const double percent = 100.0 * share(first.least, time);
  if (percent >= 50.0) return fmt::format("limited by {}: {:.0f} %", first.name, percent);
  return fmt::format("far from all limits: the nearest is {} with {:.0f} %", first.name, percent);
}

SimTime least_hbm_time(std::uint64_t bytes, std::uint64_t slices,
                       const topology::TopologySpec& spec) {
  if (slices == 0) return {};
  const topology::MemoryMapSpec& memory = spec.cube.memory_map;
  const double gbs = memory.slice_bw_gbs() * static_cast<double>(slices);
  return SimTime::from_ps(static_cast<std::int64_t>(static_cast<double>(bytes) * 1000.0 / gbs));
}

std::vector<LaunchRoofline> launch_rooflines(const RunResult& result,
                                             const std::vector<LaunchFigures>& figures,
                                             const topology::TopologySpec& spec) {
  std::vector<LaunchRoofline> rooflines;
  for (std::size_t i = 0; i < result.launches.size(); ++i) {
    const runtime::LaunchRecord& launch = result.launches[i];
    LaunchRoofline& roofline = rooflines.emplace_back();
    roofline.time = launch.end - launch.start;
    const std::uint64_t pes = launch.device.cubes.size() * launch.device.pes.size();
    const auto add = [&](std::string name, SimTime least) {
      if (least != SimTime()) roofline.limits.push_back({std::move(name), least});
    };
    add("matrix engines", least_engine_time(figures[i].macs, pes, spec.pe));
    // A PE has one slice.
    add("HBM", least_hbm_time(figures[i].read.bytes + figures[i].written.bytes, pes, spec));
    for (const auto& [kind, busiest] : launch.busiest_wires) {
      add(fmt::format("wires {}", topology::name(kind)), busiest);
    }
    std::stable_sort(
        roofline.limits.begin(), roofline.limits.end(),
        [](const RooflineLimit& a, const RooflineLimit& b) { return a.least > b.least; });
  }
  return rooflines;
}

}  // namespace kernbench::model::bench
