// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/diagnostics.hpp"
#include "model/chakra/trace.hpp"

namespace kernbench::model::chakra {

/// Sorts the nodes of a trace by id and fills in `children`. Before, Node::first_child is the index
/// of the first of the node's dependencies in `ids`. Reports ids that are not unique, dependencies
/// on unknown ids, and a circle of dependencies.
void link_nodes(RankTrace& trace, const std::vector<std::uint64_t>& ids, const std::string& file,
                common::Diagnostics& errors);

}  // namespace kernbench::model::chakra
