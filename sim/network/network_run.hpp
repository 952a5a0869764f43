// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "common/outcome.hpp"
#include "sim/dut/network_library.hpp"
#include "sim/network/checked_network.hpp"
#include "sim/network/network_case.hpp"
#include "sim/network/network_coverage.hpp"
#include "sim/network/network_traffic.hpp"

namespace kernbench::sim {

/// Result of one case of a network.
struct NetworkResult {
  common::Outcome outcome = common::Outcome::Vacuous;
  NetworkFailure failure;  ///< without a text when it passed
  std::uint64_t cycles = 0;
  std::uint64_t accepted = 0;   ///< packets at A
  std::uint64_t delivered = 0;  ///< copies at B
  NetworkTraffic traffic = {};  ///< the same by node, links and latencies

  std::optional<NetworkCoverage> coverage = {};  ///< empty if the case did not run
  RtlText rtl_text = {};                         ///< output of the RTL, safe to print
  double seconds = 0.0;                          ///< host time

  /// Adds another case. The outcome is the worse of both.
  void add(const NetworkResult& other);
};

/// Runs one case: every handshake at B against the oracle, all ports against the reference in every
/// cycle, and every packet delivered at the end. With NetworkPattern::Alone each packet also takes
/// its exact time. Stops at the first failure. With `trace` a model that was built with waves
/// writes them; throws std::runtime_error if the file cannot be written. With `code_coverage` a
/// model that was built with it writes the code coverage of the case to this file.
[[nodiscard]] NetworkResult run_network_case(const NetworkLibrary& library, const NetworkCase& one,
                                             const NetworkTrace* trace = nullptr,
                                             const std::string& code_coverage = {});

}  // namespace kernbench::sim
