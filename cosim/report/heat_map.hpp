#pragma once

#include <string>

#include "cosim/run/fabric_run.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::cosim {

/// A table with one cell for every link, as in the report of `kernbench sim`: rows are receiving
/// nodes, columns their input ports; coloured by packets per cycle, from 0 to those of the busiest
/// link. Links that a checker complained about are framed.
[[nodiscard]] std::string cosim_heat_map(const FabricRun& run, const topology::SipSpec& sip,
                                         const topology::MazeLinks& links);

}  // namespace kernbench::cosim
