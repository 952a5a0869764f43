// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "maze/link_frame.hpp"
#include "sim/dut/dut.hpp"
#include "sim/harness/cycle_view.hpp"

namespace kernbench::sim {

/// The signals between the nodes and the links of a network, read from the ports of the MAZE_CORE
/// of each node. A model of other RTL does not show them in another way.
class CoreLinks {
 public:
  CoreLinks(const Dut& dut, const maze::Shape& shape);

  /// Returns true if every node of the model has the ports.
  [[nodiscard]] bool found() const { return found_; }
  /// Returns the view of a cycle with the signals, if it lacks them and they were found.
  [[nodiscard]] CycleView with_links(CycleView view);

 private:
  struct Core {
    const void* valid_i = nullptr;
    const void* ready_o = nullptr;
    const void* payload_i = nullptr;
    const void* valid_o = nullptr;
    const void* ready_i = nullptr;
    const void* payload_o = nullptr;
  };

  maze::Shape shape_;
  std::vector<Core> cores_;  ///< by node
  bool found_ = false;
  std::optional<LinkSignals> signals_;
};

}  // namespace kernbench::sim
