#pragma once

#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::topology::zoo {

/// A base topology of n nodes with a terminal in front of each of its routers: nodes 0..n-1 are
/// the terminals, where packets enter and leave, n..2n-1 the base's nodes; terminal i and router
/// n+i are joined both ways. Route it with TerminalRouting.
class TerminalRouter : public BaseTopology {
 public:
  explicit TerminalRouter(TopologyPtr base);
  [[nodiscard]] const BaseTopology& base() const { return *base_; }
  [[nodiscard]] Plot layout() const override;

 private:
  static Definition define(const BaseTopology& base);

  TopologyPtr base_;
};

}  // namespace kernbench::topology::zoo
