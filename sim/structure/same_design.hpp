// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sim/structure/design.hpp"

namespace kernbench::sim::structure {

/// The first thing that two elaborations of the same sources do not have in common. `first` and
/// `second` say what each has, such as "an assignment to x at irs_n.sv:12", or "nothing".
struct Difference {
  std::string first;
  std::string second;
  std::string file;  ///< where it is, of the first if both have a place
  unsigned line = 0;
};

/// Compares all that decides about a signal: ports, signals, instances, connections, registers and
/// the statements that assign, with their functions. Places and the names of elaborated modules do
/// not count, nor does what only messages and assertions read. Equal functions that are written
/// differently are a difference. Returns std::nullopt for equal designs.
[[nodiscard]] std::optional<Difference> difference_of(const Design& first, const Design& second);

}  // namespace kernbench::sim::structure
