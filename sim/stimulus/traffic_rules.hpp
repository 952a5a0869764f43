#pragma once

#include <optional>
#include <string>

#include "maze/link_frame.hpp"
#include "sim/stimulus/traffic_spec.hpp"

namespace kernbench::sim {

/// What is wrong with a traffic spec on a fabric of this shape, and what would be right; nothing
/// when it can be run. The trace file is not opened.
[[nodiscard]] std::optional<std::string> problem(const TrafficSpec& spec, const maze::Shape& shape);

/// What is wrong with a back-pressure spec; nothing when it can be run.
[[nodiscard]] std::optional<std::string> problem(const BackPressureSpec& spec);

}  // namespace kernbench::sim
