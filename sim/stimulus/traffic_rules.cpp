// SPDX-License-Identifier: Apache-2.0
#include "sim/stimulus/traffic_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/stimulus/destinations.hpp"
#include "sim/stimulus/traffic_names.hpp"
#include "sim/stimulus/traffic_pattern.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {
namespace {

using maze::Shape;
using Problem = std::optional<std::string>;

Problem share_problem(const char* name, double value) {
  // This form also rejects NaN.
  if (value >= 0.0 && value <= 1.0) return std::nullopt;
  return fmt::format("{} is {}, it must lie between 0 and 1", name, value);
}

Problem positive_problem(const char* name, unsigned value) {
  if (value >= 1) return std::nullopt;
  return fmt::format("{} is 0, it must be at least 1", name);
}

Problem longest_problem(unsigned value) {
  if (value >= 1 && value <= kLongestRun) return std::nullopt;
  return fmt::format("longest is {}, it must lie between 1 and {}", value, kLongestRun);
}

Problem types_problem(const TrafficSpec& spec) {
  for (const double weight : spec.types) {
    if (!std::isfinite(weight) || weight < 0.0) {
      return fmt::format("a weight in types is {}, it must be 0 or more", weight);
    }
  }
  if (std::ranges::all_of(spec.types, [](double weight) { return weight == 0.0; })) {
    return "all weights in types are 0, at least one must be more";
  }
  return std::nullopt;
}

Problem destinations_problem(const TrafficSpec& spec, const Shape& shape) {
  if (spec.kind->hotspot && spec.hotspot_node >= shape.nodes()) {
    return fmt::format("hotspot_node is {}, the last node of a {}x{} fabric is {}",
                       spec.hotspot_node, shape.nx, shape.ny, shape.nodes() - 1);
  }
  if (auto found = kind_problem(*spec.kind, shape)) return found;
  const NodeDestinations destinations = destinations_of(*spec.kind, shape);
  for (unsigned node = 0; node < shape.nodes(); ++node) {
    for (const std::uint32_t to : destinations[node]) {
      if (to != node) return std::nullopt;
    }
  }
  return fmt::format("pattern {} uses no link of a {}x{} fabric", spec.kind->name, shape.nx,
                     shape.ny);
}

}  // namespace

Problem problem(const TrafficSpec& spec, const Shape& shape) {
  if (auto found = share_problem("load", spec.load)) return found;
  if (auto found = share_problem("qos_high", spec.qos_high)) return found;
  if (auto found = share_problem("hotspot_share", spec.hotspot_share)) return found;
  if (auto found = types_problem(spec)) return found;
  if (auto found = positive_problem("burst_length", spec.burst_length)) return found;
  if (auto found = positive_problem("walk_packets", spec.walk_packets)) return found;
  if (auto found = longest_problem(spec.longest)) return found;
  if (spec.pattern == Pattern::Trace && spec.trace_file.empty()) {
    return "pattern trace needs a trace_file";
  }
  if (spec.pattern == Pattern::Destinations) return destinations_problem(spec, shape);
  return std::nullopt;
}

std::uint64_t least_cycles(const TrafficSpec& spec, const Shape& shape) {
  if (spec.pattern != Pattern::LinkWalk) return 0;
  const topology::MazeLinks map(shape.nx, shape.ny);
  std::uint64_t cycles = 0;
  for (const topology::MazeLink& link : map.links()) {
    cycles += spec.walk_packets + std::uint64_t{walk_settling_cycles(link)};
  }
  return cycles;
}

std::optional<std::uint64_t> least_watchdog(const BackPressureSpec& spec, const Shape& shape,
                                            std::uint64_t cycles) {
  switch (spec.kind) {
    case BackPressure::None:
      return 0;
    case BackPressure::Random: {
      if (spec.ready_probability == 0.0) return std::nullopt;
      if (spec.ready_probability == 1.0) return 0;
      const double stalls = 1e6 * static_cast<double>(cycles) * shape.links();
      return static_cast<std::uint64_t>(
          std::ceil(std::log(stalls) / -std::log1p(-spec.ready_probability)));
    }
    case BackPressure::Periodic:
      return spec.stalled_cycles + 1;
    case BackPressure::LongStalls:
    case BackPressure::AllStalled:
      return spec.stall_length + 1;
    case BackPressure::HeavyTailed:
    case BackPressure::LengthSweep:
      return spec.longest + 1;
  }
  return 0;
}

Problem problem(const BackPressureSpec& spec) {
  if (auto found = share_problem("ready_probability", spec.ready_probability)) return found;
  if (auto found = positive_problem("ready_cycles", spec.ready_cycles)) return found;
  if (auto found = positive_problem("stalled_cycles", spec.stalled_cycles)) return found;
  if (auto found = positive_problem("stall_length", spec.stall_length)) return found;
  if (auto found = positive_problem("stall_interval", spec.stall_interval)) return found;
  return longest_problem(spec.longest);
}

}  // namespace kernbench::sim
