// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cli/base/command.hpp"

namespace kernbench::cli {

/// Adds `--lanes`, `--slots` and `--stages`, the sizes of NOC_ROUTERs and of the links between
/// them.
void add_router_options(Command& command, std::uint32_t& lanes, std::uint32_t& slots,
                        std::uint32_t& stages);
/// Adds `--flit-bits` and `--wire`.
void add_link_options(Command& command, std::uint32_t& flit_bits, double& wire);

}  // namespace kernbench::cli
