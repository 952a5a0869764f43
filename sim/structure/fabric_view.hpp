// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "maze/link_frame.hpp"
#include "sim/structure/finding.hpp"
#include "sim/structure/netlist.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim::structure {

/// Signals of pkt_con_if, in the order of a packet's fields.
enum class Field : std::uint8_t { Vld, Rdy, Type, Qos, Src, Tgt, Data };
inline constexpr std::size_t kFields = 7;
[[nodiscard]] const char* field_name(Field field);

/// A bit of an interface signal, as a place in the fabric.
struct NodeBit {
  unsigned node = 0;
  unsigned port = 0;  ///< X ports first, as in MazeLinks
  bool outgoing = true;
  Field field = Field::Vld;
  unsigned bit = 0;
  friend bool operator==(const NodeBit&, const NodeBit&) = default;
};

/// The top of the design with IRS_N as black boxes, in terms of nodes and links.
class FabricView {
 public:
  FabricView(const Netlist& netlist, const maze::Shape& shape);

  [[nodiscard]] const Netlist& netlist() const { return netlist_; }
  [[nodiscard]] const topology::MazeLinks& links() const { return links_; }
  [[nodiscard]] const maze::Shape& shape() const { return shape_; }
  /// Returns the placed TOPO; std::nullopt when there is none, or more than one.
  [[nodiscard]] std::optional<std::size_t> topo() const { return topo_; }
  /// Returns the placed instances of IRS_N below TOPO, in order.
  [[nodiscard]] const std::vector<std::size_t>& instances() const { return instances_; }
  /// Returns the placed interface of each node.
  [[nodiscard]] const std::vector<std::size_t>& nodes() const { return nodes_; }
  [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }

  [[nodiscard]] const NodeBit* node_bit(BitId bit) const;
  [[nodiscard]] std::optional<BitId> bit_of(const NodeBit& wanted) const;
  [[nodiscard]] unsigned bits_of(Field field) const;
  /// Returns the bit of a port of a placed instance; std::nullopt when it has no such port.
  [[nodiscard]] std::optional<BitId> port(std::size_t placed, const std::string& name,
                                          unsigned bit = 0) const;
  /// Returns, for example, "node 3 xo_vld[2]", with the bit for fields of several.
  [[nodiscard]] std::string text(const NodeBit& bit) const;
  /// Returns true when the instance is TOPO or below it.
  [[nodiscard]] bool inside_topo(std::size_t placed) const;

 private:
  void find_instances();
  void read_nodes();
  void read_signal(unsigned node, bool x, bool outgoing, Field field);

  const Netlist& netlist_;
  maze::Shape shape_;
  topology::MazeLinks links_;
  std::optional<std::size_t> topo_;
  std::vector<std::size_t> instances_;
  std::vector<std::size_t> nodes_;
  std::vector<bool> inside_;
  std::unordered_map<BitId, NodeBit> node_bits_;
  std::vector<std::vector<BitId>> places_;  ///< by number of NodeBit without `bit`, then bit
  std::vector<Finding> findings_;
  [[nodiscard]] std::size_t slot(const NodeBit& bit) const;
};

}  // namespace kernbench::sim::structure
