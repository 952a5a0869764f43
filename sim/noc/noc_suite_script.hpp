// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/described.hpp"
#include "sim/noc/noc_case.hpp"
#include "sim/noc/noc_script.hpp"
#include "sim/regression/suite_script.hpp"

namespace kernbench::sim {

struct NocNetworkSpec;

/// Actions of the users of a network, as a suite of a regression has them in place of traffic:
/// those that are left of a case that was shrunk. Its case is not part of the coverage.
struct NocSuiteScript {
  struct Packet {
    std::uint64_t cycle = 0;
    std::uint32_t node = 0;
    std::uint32_t vc = 0;
    std::uint32_t to = 0;
    std::vector<std::uint64_t> payload;  ///< sender's bits of each flit
    std::vector<std::uint64_t> after;    ///< cycle of each flit behind that of the head
  };
  struct Stall {
    std::uint64_t cycle = 0;
    std::uint64_t cycles = 1;
    std::uint32_t node = 0;
    std::uint32_t vc = 0;
  };

  std::vector<Packet> packets;
  std::vector<Stall> stalls;
  std::vector<ResetEvent> resets;
};

/// Checks what the form of a script does not say, in a suite of so many cycles. The window of its
/// watchdog is 0 if it has none.
[[nodiscard]] std::vector<ScriptError> check_script(const NocSuiteScript& script,
                                                    std::uint64_t cycles, std::uint64_t watchdog);

/// Returns why a script cannot run on a network, or an empty text.
[[nodiscard]] std::string why_no_script(const NocSuiteScript& script, const NocDevice& device);

/// Returns what the users of a network do by a script that can run on it, in so many cycles.
[[nodiscard]] NocScript script_of(const NocSuiteScript& script, std::uint64_t cycles,
                                  const NocDevice& device);
/// Returns the same as a suite has it.
[[nodiscard]] NocSuiteScript suite_script_of(const NocScript& script, const NocDevice& device);

/// Returns a case with a script as a regression file (YAML) of one suite, which has its name.
/// `comment` is its first line.
[[nodiscard]] std::string noc_regression_text(const NocCase& one, const NocNetworkSpec& network,
                                              const NocDevice& device, const std::string& comment);

}  // namespace kernbench::sim

template <>
const kernbench::common::Description<kernbench::sim::NocSuiteScript>&
kernbench::common::description_of();
