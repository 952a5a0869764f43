// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/noc/noc_run.hpp"
#include "sim/noc/noc_script.hpp"

namespace kernbench::sim {

/// The packets that led to a failure of a network of any topology.
struct NocCause {
  NocScript script;  ///< few packets after which the same checker reports the same
  Failure failure;   ///< failure of the run of these alone
  std::uint64_t trials = 0;
  std::uint64_t cycles = 0;  ///< simulated in all trials
  bool ended = true;         ///< false: a limit ended the search, and fewer packets may do
  std::string why_not;       ///< why there is no script; empty: there is one
};

/// Finds a small set of packets after which a case fails as it did: the same checker, and the same
/// kind. Leaves out packets by delta debugging, shortens the others, and lets receivers take all
/// if that does, within about `cycles` simulated cycles. `create` returns the model on which the
/// case failed, which knows its network.
[[nodiscard]] NocCause find_noc_cause(const NocCase& failed, const CaseResult& result,
                                      const NocBins& bins,
                                      const std::function<std::shared_ptr<NocDut>()>& create,
                                      std::uint64_t cycles,
                                      const std::function<bool()>& interrupted);

/// Returns a cause as lines of a report: a sentence, and the packets.
[[nodiscard]] std::vector<std::string> cause_text(const NocCause& cause, const NocDevice& device);

}  // namespace kernbench::sim
