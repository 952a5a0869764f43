// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/described.hpp"
#include "maze/link_frame.hpp"

namespace kernbench::common {

/// The shape of a MAZE in reports.
template <>
const Description<maze::Shape>& description_of();

}  // namespace kernbench::common
