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
  /// Edges of a CustomTopology that join the same nodes in the same direction.
  enum class SameEdges : std::uint8_t { Refuse, AreParallel };

  /// Throws std::invalid_argument for a self-loop, a duplicate edge, or a node that does not exist.
  /// `names` and `endpoints` are those of the nodes, or empty. `partial`: nodes do not have to
  /// reach each other.
  CustomTopology(std::uint32_t n, std::vector<Channel> edges, std::vector<std::string> names = {},
                 std::vector<std::uint32_t> endpoints = {}, bool partial = false,
                 SameEdges same = SameEdges::Refuse);
  [[nodiscard]] bool must_reach(std::uint32_t /*src*/, std::uint32_t /*dst*/) const override {
    return !partial_;
  }

 private:
  static Definition define(std::uint32_t n, std::vector<Channel> edges,
                           std::vector<std::string> names, std::vector<std::uint32_t> endpoints,
                           SameEdges same);

  bool partial_;
};

}  // namespace kernbench::topology::zoo
