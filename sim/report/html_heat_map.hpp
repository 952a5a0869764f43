#pragma once

#include <string>

#include "sim/regression/case_result.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

/// A card with one cell for every link: rows are receiving nodes, columns their input ports.
/// Coloured by packets, or, switched over, by stalled cycles; links that delivered nothing and
/// links on which a case failed stand out.
[[nodiscard]] std::string heat_map_html(const RegressionResult& result,
                                        const topology::MazeLinks& links);

}  // namespace kernbench::sim
