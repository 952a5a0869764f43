// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "noc/network_model.hpp"

namespace kernbench::noc {

/// Returns the virtual channels of a circle in which each waits for the next: the packet in front
/// of it needs a slot of the next one, which has none. Empty if there is no such circle now.
[[nodiscard]] std::vector<LinkCredit> circle_of_waits(const NetworkModel& model);

}  // namespace kernbench::noc
