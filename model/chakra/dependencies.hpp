// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/diagnostics.hpp"
#include "model/chakra/trace.hpp"

namespace kernbench::model::chakra {

/// Sorts the nodes of a trace by id and fills in `children`. Before, Node::first_child is the index
/// of the first of the node's dependencies in `ids`. Reports ids that are not unique and a circle
/// of dependencies. Returns the number of dependencies on ids that no node has, which it leaves
/// out: converters keep those on nodes that they do not write.
std::uint64_t link_nodes(RankTrace& trace, const std::vector<std::uint64_t>& ids,
                         const std::string& file, common::Diagnostics& errors);

}  // namespace kernbench::model::chakra
