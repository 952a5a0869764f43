// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "maze/link_frame.hpp"
#include "sim/stimulus/traffic_spec.hpp"

namespace kernbench::sim {

/// Describes why a traffic spec cannot run on a fabric of this shape, and how to correct it.
/// Returns nothing for a valid spec. Does not open the trace file.
[[nodiscard]] std::optional<std::string> problem(const TrafficSpec& spec, const maze::Shape& shape);

/// Returns the cycles that the pattern needs before it has used all its links when every receiver
/// is always ready, or 0 for a pattern that may use them at once.
[[nodiscard]] std::uint64_t least_cycles(const TrafficSpec& spec, const maze::Shape& shape);

/// Returns the smallest window of a watchdog that no stall of these receivers fills in a run of
/// this length: certainly, or for stalls drawn in each cycle, but for one run in a million. Returns
/// nothing for receivers that are never ready.
[[nodiscard]] std::optional<std::uint64_t> least_watchdog(const BackPressureSpec& spec,
                                                          const maze::Shape& shape,
                                                          std::uint64_t cycles);

/// Describes why a back-pressure spec is invalid. Returns nothing for a valid spec.
[[nodiscard]] std::optional<std::string> problem(const BackPressureSpec& spec);

}  // namespace kernbench::sim
