// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "model/data/memory_store.hpp"
#include "model/data/operation.hpp"

namespace kernbench::model::data {

/// Returns what a gather or scatter writes: blocks and their values, in order. Of equal numbers in
/// a scatter the last one counts. Throws ReplayError for a number that is not a row of the matrix
/// in memory.
[[nodiscard]] std::vector<std::pair<Block, Array>> copy_rows(const CopyParams& copy,
                                                             const MemoryStore& store);

}  // namespace kernbench::model::data
