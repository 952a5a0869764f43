// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/fabric/clocked/maze_routes.hpp"
#include "model/fabric/traffic/transfer_list.hpp"
#include "topology/maze_links.hpp"
#include "topology/spec/noc_spec.hpp"
#include "topology/spec/spec_forward.hpp"

namespace kernbench::cosim {

/// Path of a transfer between the cubes of a SIP. Nodes have the numbers of their cubes.
struct TransferPath {
  unsigned source = 0;
  std::optional<unsigned> corner;       ///< node where a unicast in a MAZE changes dimension
  std::optional<unsigned> destination;  ///< destination of a unicast
  /// Links in the order of a packet's hops; for a multicast all links that carry a copy. Empty when
  /// a node sends to itself. They are numbered as in ClockedResults::link_packets.
  std::vector<std::size_t> links;
};

/// The links of the fabric of a SIP, and the paths of transfers through it.
class TransferPaths {
 public:
  /// Throws common::BadInput when the cubes are joined by a UCIe mesh.
  explicit TransferPaths(const topology::SipSpec& sip);

  [[nodiscard]] TransferPath of(const model::fabric::TimedTransfer& transfer) const;

  /// Returns the links of a MAZE, which a network of routers does not have.
  [[nodiscard]] const std::optional<topology::MazeLinks>& maze() const { return maze_; }
  [[nodiscard]] std::string link_name(std::size_t link) const;
  /// Returns the name of a cube as reports call it: "[y,x]" in a MAZE.
  [[nodiscard]] std::string cube_name(unsigned cube) const;

  /// Return the nodes of the fabric, their names, and the links that arrive at each, by input.
  [[nodiscard]] std::size_t nodes() const { return arriving_.size(); }
  [[nodiscard]] std::string node_name(std::size_t node) const;
  [[nodiscard]] const std::vector<std::size_t>& arriving(std::size_t node) const {
    return arriving_[node];
  }

 private:
  [[nodiscard]] std::size_t number_of(const topology::MazeLink& link) const {
    return std::size_t{link.from.node} * maze_->ports() + link.from.port;
  }
  [[nodiscard]] TransferPath of_unicast(unsigned src, unsigned dst) const;
  /// Adds the links that copies of a multicast take from `node`, which they entered by `from`.
  void add_copies(TransferPath& path, const model::fabric::TimedTransfer& transfer, unsigned node,
                  unsigned from) const;

  std::optional<topology::MazeLinks> maze_;
  std::optional<unsigned> failed_;
  std::optional<model::fabric::MazeRoutes> routes_;  ///< routes of a MAZE
  topology::NocTopology noc_;                        ///< topology of a network of routers
  std::vector<std::vector<std::size_t>> arriving_;
};

}  // namespace kernbench::cosim
