// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "farm/store.hpp"

namespace kernbench::cli::web {

/// Returns the rows of a sweep as JSON, column by column (docs/viewer.md).
[[nodiscard]] std::string sweep_json(const farm::Table& table);

}  // namespace kernbench::cli::web
