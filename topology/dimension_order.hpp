// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "common/enum_names.hpp"

namespace kernbench::topology {

/// Dimension in which packets of a grid travel first.
enum class DimensionOrder : std::uint8_t { XY, YX };
inline constexpr std::array<common::EnumName<DimensionOrder>, 2> kDimensionOrderNames = {
    {{"xy", DimensionOrder::XY}, {"yx", DimensionOrder::YX}}};
constexpr const auto& name_table(DimensionOrder /*any*/) {
  return kDimensionOrderNames;
}

}  // namespace kernbench::topology
