// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "maze/network_frame.hpp"
#include "maze/node_group.hpp"
#include "maze/topo_model.hpp"

namespace kernbench::maze {

/// Cycle-accurate reference of `MAZE_TOP`: all nodes, and the TOPO between them. A cycle is
/// `evaluate(outputs)`, then `clock(inputs)` at the rising edge. While reset is held, `reset()`
/// replaces `clock()`.
class NetworkModel {
 public:
  /// Throws std::invalid_argument unless the shape is one of TopoModel's, and std::out_of_range
  /// unless the failed node is one of its nodes.
  explicit NetworkModel(const NetworkConfig& config);

  [[nodiscard]] const NetworkConfig& config() const { return config_; }
  [[nodiscard]] const TopoModel& topo() const { return topo_; }
  /// Returns the nodes, 64 in each group.
  [[nodiscard]] std::span<const NodeGroup> groups() const { return groups_; }

  /// Empties queues and links. All inputs are ready afterwards.
  void reset();
  /// Computes what the network drives in this cycle. All of it comes from flops. `b_payload` is
  /// written at least where `b_valid` is 1.
  void evaluate(TopoOutputs& outputs);
  /// Applies the rising edge that samples `inputs`, after evaluate(). Bits past the last node are
  /// ignored.
  void clock(const TopoInputs& inputs);

  /// Return the signals between nodes and links (ports C) that evaluate() computed.
  [[nodiscard]] const TopoInputs& from_nodes() const { return from_nodes_; }
  [[nodiscard]] const TopoOutputs& to_nodes() const { return to_nodes_; }

  /// Returns true when no packet is inside the network.
  [[nodiscard]] bool empty() const;

 private:
  NetworkConfig config_;
  std::vector<NodeGroup> groups_;
  TopoModel topo_;
  TopoInputs from_nodes_;
  TopoOutputs to_nodes_;
};

}  // namespace kernbench::maze
