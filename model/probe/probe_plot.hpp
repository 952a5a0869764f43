#pragma once

#include <string>
#include <vector>

#include "model/probe/probe.hpp"

namespace kernbench::model::probe {

/// Returns the utilization-versus-size sweep as a self-contained SVG document: a panel for each
/// family, size on a logarithmic axis, utilization from 0 to 100 %, a curve for each case. Each
/// family has its own hue; its curves differ in lightness, marker and dash. The legend below a
/// panel lists the curves from the highest to the lowest. Colours follow the viewer's light or dark
/// scheme.
///
/// `results[case][size]` are those of run_probes(), with sizes ascending. Throws
/// std::invalid_argument without cases, or if a case has results at fewer than two sizes.
[[nodiscard]] std::string probe_plot(const std::vector<ProbeCase>& cases,
                                     const std::vector<std::vector<ProbeResult>>& results);

/// Returns "256 B", "64 KiB" or "16 MiB", for example: in the largest unit that divides `bytes`.
[[nodiscard]] std::string size_text(std::uint64_t bytes);

}  // namespace kernbench::model::probe
