// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "common/enum_names.hpp"

namespace kernbench::model::fabric {

/// The nodes of a MAZE (DESIGN section 6).
enum class MazeNodeKind : std::uint8_t {
  Maze,   ///< MAZE_NODE, as it is built
  Ideal,  ///< nodes without stages, from which any number of packets can leave in a cycle
};

inline constexpr std::array<common::EnumName<MazeNodeKind>, 2> kMazeNodeKindNames = {{
    {"maze", MazeNodeKind::Maze},
    {"ideal", MazeNodeKind::Ideal},
}};
constexpr const auto& name_table(MazeNodeKind /*any*/) {
  return kMazeNodeKindNames;
}

}  // namespace kernbench::model::fabric
