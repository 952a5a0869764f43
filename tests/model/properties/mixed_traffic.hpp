#pragma once

#include <cstdint>
#include <vector>

#include "common/units.hpp"
#include "model/components/machine/component_registry.hpp"
#include "model/trace/hop_trace.hpp"
#include "tests/model/properties/random_system.hpp"

namespace kernbench::model::properties {

/// Host writes, reads and copies at the same time as kernels that some PEs are launched with, whose
/// DMAs read and write memories all over the system. What is asked for depends on `seed` alone.
/// Returns how long each part took, in the order in which they ended.
[[nodiscard]] std::vector<common::SimTime> run_mixed_traffic(
    const RandomSystem& system, std::uint64_t seed, const components::ComponentRegistry& components,
    trace::HopTrace* trace);

}  // namespace kernbench::model::properties
