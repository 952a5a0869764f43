#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kernbench::topology {

/// One port of one MAZE node; ports count the x ports first, then the y ports.
struct MazePort {
  unsigned node = 0;
  unsigned port = 0;
  friend constexpr bool operator==(const MazePort&, const MazePort&) = default;
};

/// A directed link: what enters at output `from` leaves at input `to`, `depth` IRS stages later.
struct MazeLink {
  MazePort from;
  MazePort to;
  unsigned depth = 0;  ///< 0 is a plain wire
  friend constexpr bool operator==(const MazeLink&, const MazeLink&) = default;
};

/// The connection graph of a MAZE Topo (MAZE Topo requirements, "Torus Connection Rules"): every
/// node is joined to every other node of its row and of its column. It is worked out from
/// coordinates alone and shares nothing with the reference model of TOPO, so that each can be
/// held against the other.
class MazeLinks {
 public:
  /// Sides of the torus, 2..16 nodes each. Throws std::invalid_argument outside that range.
  MazeLinks(unsigned nx, unsigned ny);

  [[nodiscard]] unsigned nx() const { return nx_; }
  [[nodiscard]] unsigned ny() const { return ny_; }
  [[nodiscard]] unsigned nodes() const { return nx_ * ny_; }
  [[nodiscard]] unsigned x_ports() const { return nx_ - 1; }
  [[nodiscard]] unsigned ports() const { return nx_ - 1 + ny_ - 1; }

  /// All links, by source node, then by port: the link of (node, port) is `node*ports() + port`.
  [[nodiscard]] const std::vector<MazeLink>& links() const { return links_; }
  /// The link that leaves through output `port` of `node`. Throws std::out_of_range.
  [[nodiscard]] const MazeLink& leaving(unsigned node, unsigned port) const;
  /// The link that arrives at input `port` of `node`. Throws std::out_of_range.
  [[nodiscard]] const MazeLink& arriving(unsigned node, unsigned port) const;

  /// IRS stages of all links together: 1152 for 8x8.
  [[nodiscard]] unsigned total_stages() const;
  /// Links without any stage: 256 for 8x8.
  [[nodiscard]] unsigned wires() const;

  [[nodiscard]] unsigned x_of(unsigned node) const { return node % nx_; }
  [[nodiscard]] unsigned y_of(unsigned node) const { return node / nx_; }
  [[nodiscard]] unsigned node_at(unsigned y, unsigned x) const { return y * nx_ + x; }

  /// "x[6]" or "y[0]".
  [[nodiscard]] std::string port_name(unsigned port) const;
  /// "[3,4]", in the order [y,x] of the requirements.
  [[nodiscard]] std::string coordinates(unsigned node) const;
  /// "node 28 (y=3,x=4) x[6]".
  [[nodiscard]] std::string end_name(const MazePort& end) const;
  /// "[3,4].x[6] -> [3,3].x[6]".
  [[nodiscard]] std::string link_name(const MazeLink& link) const;

 private:
  [[nodiscard]] std::size_t slot(unsigned node, unsigned port) const;

  unsigned nx_;
  unsigned ny_;
  std::vector<MazeLink> links_;
  std::vector<std::size_t> arriving_;  ///< by (node, port) of the receiver: index into links_
};

}  // namespace kernbench::topology
