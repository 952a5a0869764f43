#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cosim/run/cosim.hpp"

namespace kernbench::cosim {

/// Transfers (or operations) of a complete run by latency in clock cycles, a part of a cycle
/// counted as a whole; without those of the warm-up.
[[nodiscard]] std::map<std::uint64_t, std::uint64_t> latency_histogram(
    const CosimWorkload& workload, const FabricRun& run, const topology::SipSpec& sip);

/// The run whose links are reported: the RTL's, or the cycle reference's; null when neither ran.
[[nodiscard]] const FabricRun* run_of_links(const CosimResult& result);

/// The `data` of a "cosim-report" (docs/report-schema.md). Holds no host times: equal results give
/// equal text.
[[nodiscard]] nlohmann::json cosim_json(const std::vector<CosimResult>& results,
                                        const topology::SipSpec& sip);

/// 16 hexadecimal digits, of everything that decides what run_cosim() returns but the RTL itself.
[[nodiscard]] std::string cosim_config_hash(const topology::SipSpec& sip,
                                            const std::vector<CosimWorkload>& workloads,
                                            const CosimOptions& options);

}  // namespace kernbench::cosim
