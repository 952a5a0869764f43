// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "common/terminal.hpp"
#include "cosim/run/cosim.hpp"

namespace kernbench::cosim {

/// Returns the results as text for a terminal: a table of all workloads and fabrics, the largest
/// errors of the analytic fabric and their causes, and the comparisons of the RTL's checkers. The
/// headers of the tables are bold if `colour` is On.
[[nodiscard]] std::string text_report(const std::vector<WorkloadResult>& results,
                                      const topology::SipSpec& sip,
                                      common::Colour colour = common::Colour::Off);

/// Returns the network of a SIP in a few words: "MAZE 8x8", or the name of a topology.
[[nodiscard]] std::string network_title(const topology::SipSpec& sip);
/// Describes the routers of a network.
[[nodiscard]] std::string text_of_routers(const topology::NocSpec& noc);

}  // namespace kernbench::cosim
