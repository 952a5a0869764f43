// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::topology::zoo {

/// Any directed graph: n >= 1 nodes and a list of edges.
class CustomTopology : public BaseTopology {
 public:
  /// Throws std::invalid_argument for a self-loop, a duplicate edge, or a node that does not exist.
  /// `names` are those of the nodes, or empty.
  CustomTopology(std::uint32_t n, std::vector<Channel> edges, std::vector<std::string> names = {});
  [[nodiscard]] Plot layout() const override;

 private:
  static Definition define(std::uint32_t n, std::vector<Channel> edges,
                           std::vector<std::string> names);
};

}  // namespace kernbench::topology::zoo
