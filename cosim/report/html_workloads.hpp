// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "cosim/report/transfer_paths.hpp"
#include "cosim/run/cosim.hpp"
#include "plot/report_page.hpp"

namespace kernbench::cosim {

/// Returns "uniform_random at 0.3" or, without a load, only the name.
[[nodiscard]] std::string workload_title(const Workload& workload);

/// Returns a section for the workloads of one name: curves over load when there are several loads,
/// a table, the transfers with the largest errors of the analytic fabric, and the links at the
/// highest load.
[[nodiscard]] plot::ReportSection workload_section(std::span<const WorkloadResult> results,
                                                   const topology::SipSpec& sip,
                                                   const TransferPaths& paths);

/// Returns a table with one cell per link, as in the report of `kernbench sim`: rows are receiving
/// nodes, columns their input ports. The colour shows packets per cycle, from 0 to the maximum of
/// all links. Links with a checker failure are framed. Requires a run on a clocked fabric.
[[nodiscard]] std::string heat_map_html(const FabricRun& run, const topology::SipSpec& sip,
                                        const TransferPaths& paths);

}  // namespace kernbench::cosim
