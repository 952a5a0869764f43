// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/components/machine/machine.hpp"
#include "model/components/machine/memory_access.hpp"
#include "model/trace/hop_trace.hpp"
#include "model/transport/network.hpp"
#include "tests/model/properties/random_system.hpp"

namespace kernbench::model::properties {

// Limits of the accesses that share a machine.
inline constexpr std::uint64_t kMaxFlits = 24;
inline constexpr common::SimTime kSubmittedBefore = common::SimTime::from_ps(200'000);

/// Results of accesses that shared a machine.
struct AccessesRun {
  std::vector<components::AccessTimes> times;  ///< by access
  std::vector<std::uint32_t> answers;          ///< completions reported, by access
  std::vector<transport::WireUse> uses;        ///< by edge; empty unless RunOptions::wires
  std::uint64_t pending = 0;  ///< accesses that the machine still considers pending

  [[nodiscard]] common::SimTime latency(std::size_t access) const {
    return times[access].done - times[access].submitted;
  }
};

struct RunOptions {
  const components::ComponentRegistry* components = &components::standard_components();
  trace::HopTrace* trace = nullptr;
  bool wires = false;  ///< fill AccessesRun::uses
};

[[nodiscard]] AccessesRun run_accesses(const RandomSystem& system,
                                       std::span<const TimedAccess> accesses,
                                       const RunOptions& options = {});

/// Returns the latency of an access on an otherwise idle machine.
[[nodiscard]] common::SimTime latency_alone(const RandomSystem& system,
                                            const components::AccessRequest& request,
                                            const RunOptions& options = {});

}  // namespace kernbench::model::properties
