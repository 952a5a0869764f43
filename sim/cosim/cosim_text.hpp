#pragma once

#include <string>
#include <vector>

#include "sim/cosim/cosim.hpp"

namespace kernbench::sim {

/// What a cosim run found, for a terminal: a table of all workloads and fabrics, how far the
/// analytic fabric is off and where, and what the checkers of the RTL compared.
[[nodiscard]] std::string cosim_text(const std::vector<CosimResult>& results,
                                     const topology::SipSpec& sip);

}  // namespace kernbench::sim
