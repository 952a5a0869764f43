// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/units.hpp"
#include "model/components/machine/memory_access.hpp"
#include "tests/model/properties/random_system.hpp"

namespace kernbench::model::properties {

/// Returns the latency of an access to HBM, SRAM or a TCM on an otherwise idle machine, by the
/// recurrence of DESIGN section 5. Equals probe/closed_form.hpp for the accesses that both cover.
[[nodiscard]] common::SimTime reference_latency(const RandomSystem& system,
                                                const components::AccessRequest& request);

}  // namespace kernbench::model::properties
