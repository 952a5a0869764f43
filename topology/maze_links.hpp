// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kernbench::topology {

/// A port of a MAZE node. Port numbers cover the x ports first, then the y ports.
struct MazePort {
  unsigned node = 0;
  unsigned port = 0;
  friend constexpr bool operator==(const MazePort&, const MazePort&) = default;
};

/// A directed link from output `from` to input `to` through `depth` IRS stages.
struct MazeLink {
  MazePort from;
  MazePort to;
  unsigned depth = 0;  ///< 0 for a plain wire
  friend constexpr bool operator==(const MazeLink&, const MazeLink&) = default;
};

/// The connection graph of a MAZE Topo (MAZE Topo requirements, "Torus Connection Rules"): every
/// node is connected to every other node of its row and of its column. Derived from coordinates
/// alone, with no code shared with the reference model of TOPO, so each can be checked against the
/// other.
class MazeLinks {
 public:
  /// Builds the links of an `nx` x `ny` torus. Throws std::invalid_argument if a side is outside
  /// 2..16.
  MazeLinks(unsigned nx, unsigned ny);

  [[nodiscard]] unsigned nx() const { return nx_; }
  [[nodiscard]] unsigned ny() const { return ny_; }
  [[nodiscard]] unsigned nodes() const { return nx_ * ny_; }
  [[nodiscard]] unsigned x_ports() const { return nx_ - 1; }
  [[nodiscard]] unsigned ports() const { return nx_ - 1 + ny_ - 1; }

  /// Returns all links by source node, then port: (node, port) has index `node * ports() + port`.
  [[nodiscard]] const std::vector<MazeLink>& links() const { return links_; }
  /// Returns the link at output `port` of `node`. Throws std::out_of_range.
  [[nodiscard]] const MazeLink& leaving(unsigned node, unsigned port) const;
  /// Returns the link at input `port` of `node`. Throws std::out_of_range.
  [[nodiscard]] const MazeLink& arriving(unsigned node, unsigned port) const;

  /// Returns the IRS stages of all links together: 1152 for 8x8.
  [[nodiscard]] unsigned total_stages() const;
  /// Returns the number of links without a stage: 256 for 8x8.
  [[nodiscard]] unsigned wires() const;

  [[nodiscard]] unsigned x_of(unsigned node) const { return node % nx_; }
  [[nodiscard]] unsigned y_of(unsigned node) const { return node / nx_; }
  [[nodiscard]] unsigned node_at(unsigned y, unsigned x) const { return y * nx_ + x; }

  /// Returns, for example, "x[6]" or "y[0]".
  [[nodiscard]] std::string port_name(unsigned port) const;
  /// Returns, for example, "[3,4]": [y,x], as in the requirements.
  [[nodiscard]] std::string coordinates(unsigned node) const;
  /// Returns, for example, "node 28 (y=3,x=4) x[6]".
  [[nodiscard]] std::string end_name(const MazePort& end) const;
  /// Returns, for example, "[3,4].x[6] -> [3,3].x[6]".
  [[nodiscard]] std::string link_name(const MazeLink& link) const;

 private:
  [[nodiscard]] std::size_t slot(unsigned node, unsigned port) const;

  unsigned nx_;
  unsigned ny_;
  std::vector<MazeLink> links_;
  std::vector<std::size_t> arriving_;  ///< index into links_, by (node, port) of the receiver
};

}  // namespace kernbench::topology
