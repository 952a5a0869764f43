// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "model/chakra/trace.hpp"

namespace kernbench::model::chakra {

/// Reads the files PREFIX.RANK.et of the ranks 0, 1, ... of a system with `most_ranks` ranks.
/// Throws common::BadInput with all errors, each with its file and byte: a missing rank, a damaged
/// file, nodes without what a replay needs, ids that are not unique or unknown, dependencies in a
/// circle, and groups that do not fit the ranks.
[[nodiscard]] TraceSet read_traces(const std::string& prefix, std::uint32_t most_ranks);

}  // namespace kernbench::model::chakra
