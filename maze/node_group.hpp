// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "maze/network_frame.hpp"
#include "maze/node_route.hpp"
#include "maze/node_state.hpp"
#include "maze/packet_layout.hpp"

namespace kernbench::maze {

/// QoS levels of a packet.
inline constexpr std::size_t kLevels = 2;

/// Up to 64 nodes of a network (MAZE_NODE), cycle by cycle, without the links between them.
///
/// The model is bit-parallel: each flop of a node is one word, and bit n of the word is the flop of
/// node n. Ports are numbered as links are, X first; A and B are the last. The head of a queue has
/// one bit for each output that has yet to take its copy. These bits are the requests of the
/// arbiters, so a cycle in which few packets move costs little.
class NodeGroup {
 public:
  /// Models the nodes from `word * 64` on.
  NodeGroup(const NetworkConfig& config, unsigned word);

  void reset();
  /// Writes what the nodes drive in this cycle. All of it comes from flops.
  void evaluate(TopoInputs& links, TopoOutputs& users) const;
  /// Applies the rising edge that samples these inputs.
  void clock(const TopoOutputs& links, const TopoInputs& users);

  // Observers, for coverage and checks. A word has a bit for each node of the group.

  /// Returns the nodes whose head of `level` at `input` still owes a copy to `output`.
  [[nodiscard]] std::uint64_t requests(std::size_t level, unsigned output, unsigned input) const {
    return levels_[level].wants[cross(output, input)];
  }
  /// Returns the nodes whose `output` took a packet of `level` from `input` in the last clock().
  [[nodiscard]] std::uint64_t grants(std::size_t level, unsigned output, unsigned input) const {
    return levels_[level].granted[cross(output, input)];
  }
  /// Returns the nodes that hold a packet of `level` at `input`.
  [[nodiscard]] std::uint64_t heads(std::size_t level, unsigned input) const {
    return levels_[level].queues[input].head;
  }
  /// Returns the first packet of `level` at `input` of a node that holds one.
  [[nodiscard]] Payload head(std::size_t level, unsigned input, unsigned node) const {
    return levels_[level].queues[input].first[node];
  }
  /// Returns the nodes that hold a multicast whose copies they still send as unicasts.
  [[nodiscard]] std::uint64_t expanding() const { return expands_; }
  /// Returns true when no node holds a packet.
  [[nodiscard]] bool empty() const;
  /// Returns the state of one node of the group, 0 to 63.
  [[nodiscard]] NodeState state(unsigned node) const;

 private:
  friend class NodeGroupProbe;  // formal/node_table.cpp: compares every state with the netlist

  using Planes = std::vector<std::uint64_t>;
  using Packets = std::array<Payload, 64>;

  /// Two entries for packets in each node: those of a level at an input, or an output stage.
  struct Pair {
    std::uint64_t head = 0;  ///< nodes that hold a packet
    std::uint64_t next = 0;  ///< nodes that hold two
    Packets first{};
    Packets second{};

    /// Removes the first packets of the nodes `pops`, and appends `packets` in the nodes `pushes`.
    void move(std::uint64_t pops, std::uint64_t pushes, const Payload* packets);
  };
  /// One QoS level of all nodes.
  struct Level {
    std::vector<Pair> queues;  ///< by input
    Planes touched;            ///< inputs whose head may owe no copy any more
    Planes wants;              ///< copies that heads owe, by crosspoint
    Planes granted;            ///< copies taken in the last cycle, by crosspoint
    Planes from;               ///< inputs from the start of a search on, by crosspoint
    /// Inputs that ask for an output in some node, a bit for each, by output.
    std::vector<std::uint32_t> asking;
  };

  [[nodiscard]] std::size_t cross(unsigned output, unsigned input) const {
    return std::size_t{output} * ports_ + input;
  }
  [[nodiscard]] unsigned user_port() const { return ports_ - 1; }
  void arbitrate(unsigned output, std::uint64_t ready);
  void grant(Level& level, unsigned output, std::uint64_t nodes, Packets& packets);
  [[nodiscard]] std::uint64_t at_bound(unsigned output) const;
  void count_high(unsigned output, std::uint64_t waits, std::uint64_t low, std::uint64_t high);
  void clock_input(unsigned input, std::uint64_t valid, const Payload* packets);
  [[nodiscard]] std::uint64_t complete_heads(Level& level, unsigned input);
  void show_head(Level& level, unsigned input, unsigned node);
  void request_outputs(Level& level, unsigned input, unsigned node);

  NetworkConfig config_;
  PacketLayout layout_;
  NodeRoute route_;
  unsigned word_;
  unsigned first_node_;
  unsigned ports_;       ///< ports of a node, A or B included
  std::uint64_t nodes_;  ///< bits that stand for nodes
  std::uint64_t works_;  ///< nodes that have a clock
  unsigned count_bits_;  ///< width of the counter of high grants
  /// Inputs that an output can serve, and outputs that an input can ask for, in order.
  std::vector<std::vector<std::uint8_t>> inputs_of_, outputs_of_;

  std::array<Level, kLevels> levels_;
  Planes ready_;                          ///< ready flop of each input
  std::vector<Pair> stages_;              ///< output stages
  Planes high_count_;                     ///< bits of the counter of each output
  std::uint32_t counting_ = 0;            ///< outputs with a counter that is not 0
  std::uint64_t expands_ = 0;             ///< nodes that hold a multicast to be expanded at A
  std::array<std::uint16_t, 64> copy_{};  ///< node that the current copy goes to
};

}  // namespace kernbench::maze
