// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/input_kind.hpp"

namespace kernbench::cli {

/// Returns all formats of input files, in the order of their names.
[[nodiscard]] const std::vector<const common::InputKind*>& input_kinds();

}  // namespace kernbench::cli
