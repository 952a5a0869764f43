// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/probe/probe.hpp"

namespace kernbench::model::probe {

/// Draws utilization by transfer size as an SVG document that needs no other file: a panel for each
/// family, sizes on a logarithmic axis, utilization from 0 to 100 %, a curve for each case. A
/// family has a hue of its own; its curves differ in lightness, marker and dash. The legend below a
/// panel lists them from the highest to the lowest.
///
/// results[case][size] are those of run_probes(), sizes ascending. Throws std::invalid_argument
/// without cases, and for a case with fewer than two sizes.
[[nodiscard]] std::string probe_plot(const std::vector<ProbeCase>& cases,
                                     const std::vector<std::vector<ProbeResult>>& results);

/// Returns "256 B", "64 KiB" or "16 MiB": in the largest of these units that divides `bytes`.
[[nodiscard]] std::string size_text(std::uint64_t bytes);

}  // namespace kernbench::model::probe
