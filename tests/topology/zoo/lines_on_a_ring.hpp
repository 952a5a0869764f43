// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "topology/zoo/base/hierarchical_topology.hpp"
#include "topology/zoo/base/line_topology.hpp"
#include "topology/zoo/base/torus_1d.hpp"

namespace kernbench::topology::zoo {

/// Returns Constellation's example of a hierarchy: two lines on a one-way ring.
inline std::shared_ptr<const HierarchicalTopology> lines_on_a_ring() {
  std::vector<HierarchicalSubTopology> children;
  children.push_back({0, 2, std::make_shared<BidirectionalLine>(5)});  // nodes 4..8
  children.push_back({2, 1, std::make_shared<BidirectionalLine>(3)});  // nodes 9..11
  return std::make_shared<HierarchicalTopology>(std::make_shared<UnidirectionalTorus1D>(4),
                                                std::move(children));
}

}  // namespace kernbench::topology::zoo
