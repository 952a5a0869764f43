// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "maze/node_route.hpp"
#include "sim/debug/core_links.hpp"
#include "sim/debug/packet_log.hpp"
#include "sim/harness/extension.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

/// Follows the packets through all links of a MAZE and, of a network, its nodes. Its places are the
/// nodes, then the links by node and port.
class MazeFollower final : public Extension {
 public:
  /// Follows from cycle `from` on.
  MazeFollower(const Dut& dut, const maze::NetworkConfig& config, bool network, std::uint64_t from);

  void on_cycle(const CycleView& view) override;
  [[nodiscard]] const PacketLog& log() const { return log_; }

 private:
  void follow_links(const maze::TopoInputs& from, const maze::TopoOutputs& to, std::uint64_t cycle);
  void follow_users(const CycleView& view);
  void leave_node(unsigned node, maze::Payload packet, std::uint64_t last);

  maze::Shape shape_;
  topology::MazeLinks links_;
  maze::NodeRoute route_;
  bool network_;
  std::uint64_t from_;
  std::optional<CoreLinks> core_links_;
  PacketLog log_;
  /// Multicasts by the node and the unicast that it sends in their place.
  std::map<std::pair<unsigned, maze::Payload>, maze::Payload> expanded_;
};

}  // namespace kernbench::sim
