// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "maze/link_frame.hpp"
#include "sim/structure/netlist.hpp"
#include "sim/structure/trace.hpp"

namespace kernbench::sim::structure {

/// Evaluates the logic of MAZE_ARRAY without a failed node, and with each of them.
/// Its inputs pg_en and pg_node are taken for constants, and so is what follows from them.
class FailedNode {
 public:
  /// `array` is the placed MAZE_ARRAY.
  FailedNode(const Netlist& netlist, std::size_t array, const maze::Shape& shape);

  /// Returns the value of the bit at which a trace ended. `failed` is 0 without a failed node, else
  /// the node's number plus 1. A copy is of a bit of the netlist. Logic outside of MAZE_ARRAY is a
  /// function.
  [[nodiscard]] BitValue value(const Origin& from, std::size_t failed) const;
  /// Returns, for example, "while node 3 has failed".
  [[nodiscard]] static std::string text(std::size_t failed);

 private:
  using Values = std::unordered_map<BitId, BitValue>;
  [[nodiscard]] Values interpret_with(Values known) const;
  [[nodiscard]] BitId in_netlist(const ModuleLogic& logic, BitId bit) const;

  const Netlist& netlist_;
  std::size_t array_;
  std::vector<Values>
      values_;  ///< values of the netlist's bits that the array assigns, by `failed`
};

}  // namespace kernbench::sim::structure
