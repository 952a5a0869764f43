// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "topology/zoo/layout/plot.hpp"

namespace kernbench::topology::zoo {

/// Returns the base's picture, slightly wider, with a terminal beside each router. Terminals come
/// first.
[[nodiscard]] Plot terminal_layout(Plot base, std::span<const Channel> base_channels);

}  // namespace kernbench::topology::zoo
