#pragma once

#include <string>
#include <vector>

#include "model/probe/probe.hpp"

namespace kernbench::model::probe {

/// The utilization-versus-size sweep as a self-contained SVG document: a panel for each family,
/// size on a logarithmic axis, utilization from 0 to 100 %, a curve for each case. A family has a
/// hue of its own; within it curves differ in lightness, marker and dash, and the legend below a
/// panel lists them from the highest curve to the lowest. Colours follow the viewer's light or dark
/// scheme.
///
/// results[case][size] as of run_probes(), sizes ascending. Throws std::invalid_argument when there
/// is no case, or one without results at two sizes at least.
[[nodiscard]] std::string probe_plot(const std::vector<ProbeCase>& cases,
                                     const std::vector<std::vector<ProbeResult>>& results);

/// "256 B", "64 KiB", "16 MiB": in the largest of these units that divides it.
[[nodiscard]] std::string size_text(std::uint64_t bytes);

}  // namespace kernbench::model::probe
