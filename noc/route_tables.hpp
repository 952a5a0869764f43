// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "noc/network.hpp"

namespace kernbench::noc {

/// Returns the entries of the table of each node, [input VC * nodes + dst]: output * classes +
/// class, 0 where no packet comes.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> tables_of(const Network& network);

}  // namespace kernbench::noc
