#pragma once

#include "cosim/run/fabric_run.hpp"

namespace kernbench::cosim {

/// Runs transfers over the cycle reference and over the RTL side by side, edge by edge, and stops
/// where they part: the result, of the RTL, then has as its reason the edge, the cycle, the link
/// and the field. It passes when they do not. With waves when `options.rtl.trace` has a path.
[[nodiscard]] FabricRun run_side_by_side(const topology::SipSpec& sip,
                                         const TransferWorkload& workload,
                                         const FabricRunOptions& options);

}  // namespace kernbench::cosim
