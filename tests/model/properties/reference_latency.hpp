#pragma once

#include "common/units.hpp"
#include "model/components/machine/memory_access.hpp"
#include "tests/model/properties/random_system.hpp"

namespace kernbench::model::properties {

/// The latency of an access to HBM, SRAM or a TCM with the machine to itself: the recurrence of
/// DESIGN section 5. Where probe/closed_form.hpp knows the access, both say the same.
[[nodiscard]] common::SimTime reference_latency(const RandomSystem& system,
                                                const components::AccessRequest& request);

}  // namespace kernbench::model::properties
