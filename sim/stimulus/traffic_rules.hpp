// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "maze/link_frame.hpp"
#include "sim/stimulus/traffic_spec.hpp"

namespace kernbench::sim {

/// Describes why a traffic spec cannot run on a fabric of this shape, and how to correct it.
/// Returns nothing for a valid spec. Does not open the trace file.
[[nodiscard]] std::optional<std::string> problem(const TrafficSpec& spec, const maze::Shape& shape);

/// Describes why a back-pressure spec is invalid. Returns nothing for a valid spec.
[[nodiscard]] std::optional<std::string> problem(const BackPressureSpec& spec);

}  // namespace kernbench::sim
