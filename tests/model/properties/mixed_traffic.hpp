// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "common/units.hpp"
#include "model/components/machine/component_registry.hpp"
#include "model/trace/hop_trace.hpp"
#include "tests/model/properties/random_system.hpp"

namespace kernbench::model::properties {

/// Runs host writes, reads and copies at the same time as kernels on some PEs, whose DMAs read and
/// write memories all over the system. The traffic depends on `seed` alone. Returns the duration of
/// each part, in the order in which they ended.
[[nodiscard]] std::vector<common::SimTime> run_mixed_traffic(
    const RandomSystem& system, std::uint64_t seed, const components::ComponentRegistry& components,
    trace::HopTrace* trace);

}  // namespace kernbench::model::properties
