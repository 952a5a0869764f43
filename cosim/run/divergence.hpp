// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosim/run/fabric_run.hpp"

namespace kernbench::cosim {

/// Runs transfers over the cycle reference and the RTL of the links side by side, below ideal
/// nodes, edge by edge, and stops at the first difference. Returns the run of the RTL. It fails
/// with edge, cycle, link and field of the difference as its reason, and passes when there is none.
/// Writes waves when `options.rtl.trace` has a path.
[[nodiscard]] FabricRun run_side_by_side(const topology::SipSpec& sip,
                                         const TransferWorkload& workload,
                                         const FabricRunOptions& options);

}  // namespace kernbench::cosim
