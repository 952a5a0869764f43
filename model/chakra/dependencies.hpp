// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/diagnostics.hpp"
#include "model/chakra/trace.hpp"

namespace kernbench::model::chakra {

/// The ids of the nodes that nodes depend on.
struct DependencyIds {
  std::vector<std::uint64_t> ids;
  std::vector<bool> is_control;  ///< by id: named in `ctrl_deps`, else in `data_deps`
};

/// The dependencies that link_nodes() leaves out.
struct Links {
  std::uint64_t absent =
      0;  ///< on ids that no node has: converters keep those on nodes that they omit
  std::uint64_t dropped = 0;  ///< control dependencies, all if they close a circle
};

/// Sorts the nodes of a trace by id and fills in `children`. Before, Node::first_child is the index
/// of the first of the node's dependencies in `ids`. Reports ids that are not unique and a circle
/// of data dependencies. If control dependencies close a circle, they are all left out: converters
/// of PyTorch's traces write calls as such, and feeders follow data dependencies only.
Links link_nodes(RankTrace& trace, const DependencyIds& ids, const std::string& file,
                 common::Diagnostics& errors);

}  // namespace kernbench::model::chakra
