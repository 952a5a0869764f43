#pragma once

#include <string>
#include <vector>

#include "cosim/run/cosim.hpp"

namespace kernbench::cosim {

/// What a cosim run found, for a terminal: a table of all workloads and fabrics, how far the
/// analytic fabric is off and where, and what the checkers of the RTL compared.
[[nodiscard]] std::string cosim_text(const std::vector<CosimResult>& results,
                                     const topology::SipSpec& sip);

}  // namespace kernbench::cosim
