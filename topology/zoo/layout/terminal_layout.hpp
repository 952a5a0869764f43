#pragma once

#include <span>

#include "topology/zoo/layout/plot.hpp"

namespace kernbench::topology::zoo {

/// The base's picture, somewhat wider, with a terminal beside each router: terminals come first.
[[nodiscard]] Plot terminal_layout(Plot base, std::span<const Channel> base_channels);

}  // namespace kernbench::topology::zoo
