// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "maze/link_frame.hpp"

namespace kernbench::sim {

inline constexpr maze::Shape k8x8{8, 8, 8};
inline constexpr maze::Shape k4x3{4, 3, 8};  ///< x[1] has one stage, all other links are wires

}  // namespace kernbench::sim
