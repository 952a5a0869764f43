#pragma once

#include <span>
#include <string>

#include "cosim/report/transfer_paths.hpp"
#include "cosim/run/cosim.hpp"

namespace kernbench::cosim {

/// "uniform_random at 0.3" or, without a load, the name alone.
[[nodiscard]] std::string workload_title(const CosimWorkload& workload);

/// A card for workloads of one name: curves against load when there are two or more loads, a table,
/// the transfers that the analytic fabric is farthest off with, and the links at the highest load.
[[nodiscard]] std::string workload_card(std::span<const CosimResult> results,
                                        const topology::SipSpec& sip, const TransferPaths& paths);

}  // namespace kernbench::cosim
