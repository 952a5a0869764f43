#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/components/machine/memory_access.hpp"
#include "model/components/parts/standard_components.hpp"
#include "model/trace/hop_trace.hpp"
#include "model/transport/network.hpp"
#include "tests/model/properties/random_system.hpp"

namespace kernbench::model::properties {

// Of the accesses that share a machine.
inline constexpr std::uint64_t kMaxFlits = 24;
inline constexpr common::SimTime kSubmittedBefore = common::SimTime::from_ps(200'000);

/// What came of some accesses that shared a machine.
struct AccessesRun {
  std::vector<components::AccessTimes> times;  ///< by access
  std::vector<std::uint32_t> answers;          ///< how often each was reported as done
  std::vector<transport::WireUse> uses;        ///< by edge, if wanted
  std::uint64_t pending = 0;                   ///< accesses that the machine holds to be under way

  [[nodiscard]] common::SimTime latency(std::size_t access) const {
    return times[access].done - times[access].submitted;
  }
};

struct RunOptions {
  const components::ComponentRegistry* components = &components::standard_components();
  trace::HopTrace* trace = nullptr;
  bool wires = false;  ///< whether their uses are wanted
};

[[nodiscard]] AccessesRun run_accesses(const RandomSystem& system,
                                       std::span<const TimedAccess> accesses,
                                       const RunOptions& options = {});

/// The latency of an access that has a machine to itself.
[[nodiscard]] common::SimTime latency_alone(const RandomSystem& system,
                                            const components::AccessRequest& request,
                                            const RunOptions& options = {});

}  // namespace kernbench::model::properties
