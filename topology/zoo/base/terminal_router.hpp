// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::topology::zoo {

/// A base topology of n nodes with a terminal attached to each router. Nodes 0..n-1 are the
/// terminals, where packets enter and leave; nodes n..2n-1 are the base's nodes. Terminal i and
/// router n+i are connected both ways. TerminalRouting routes it.
class TerminalRouter : public BaseTopology {
 public:
  explicit TerminalRouter(TopologyPtr base);
  [[nodiscard]] const BaseTopology& base() const { return *base_; }
  /// Terminals reach each other where their routers do.
  [[nodiscard]] bool must_reach(std::uint32_t src, std::uint32_t dst) const override;
  [[nodiscard]] Plot layout() const override;

 private:
  static Definition define(const BaseTopology& base);

  TopologyPtr base_;
};

}  // namespace kernbench::topology::zoo
