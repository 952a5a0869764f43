// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "common/enum_names.hpp"

namespace kernbench::model::fabric {

/// The implementation that carries transfers.
enum class FabricKind : std::uint8_t {
  Analytic,  ///< closed-form latencies per hop
  Cycle,     ///< cycle reference of the network; ideal nodes over that of the links
  Rtl,       ///< verilated network; ideal nodes over the verilated TOPO
};

inline constexpr std::array<common::EnumName<FabricKind>, 3> kFabricKindNames = {{
    {"analytic", FabricKind::Analytic},
    {"cycle", FabricKind::Cycle},
    {"rtl", FabricKind::Rtl},
}};
constexpr const auto& name_table(FabricKind /*any*/) {
  return kFabricKindNames;
}

}  // namespace kernbench::model::fabric
