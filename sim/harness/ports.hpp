// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "maze/link_frame.hpp"
#include "sim/failure.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

/// The ports of a design as checkers and results name them.
class Ports {
 public:
  /// Ports of TOPO: a packet reaches the other end of its link. `links` must outlive this object.
  Ports(const topology::MazeLinks& links);  // NOLINT(google-explicit-constructor)
  /// Ports of a network: users send at A and receive at B of the same node. In results, A and B are
  /// the port behind those of the links.
  static Ports of_users(const maze::Shape& shape);

  /// Returns the ports at each node.
  [[nodiscard]] unsigned count() const { return links_ == nullptr ? 1 : shape_.ports(); }
  [[nodiscard]] const maze::Shape& shape() const { return shape_; }
  /// Returns an output as results name it.
  [[nodiscard]] LinkEnd sender_end(unsigned node, unsigned port) const;
  /// Returns the output that belongs to this input, as results name it.
  [[nodiscard]] LinkEnd receiver_end(unsigned node, unsigned port) const;
  /// Returns, for example, "[3,4].x[6] -> [3,3].x[6]" for a link of TOPO, "[3,4].x[6]" or
  /// "[3,4].user" for a port of a network, and "node 70 port 2" if it does not exist.
  [[nodiscard]] std::string name(const LinkEnd& end) const;

 private:
  explicit Ports(const maze::Shape& shape) : shape_(shape) {}

  maze::Shape shape_;
  const topology::MazeLinks* links_ = nullptr;  ///< null for users
};

}  // namespace kernbench::sim
