// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "model/fabric/clocked/maze_routes.hpp"
#include "model/fabric/traffic/transfer_list.hpp"
#include "topology/maze_links.hpp"
#include "topology/spec/spec_forward.hpp"

namespace kernbench::cosim {

/// Path of a transfer through a MAZE. Nodes have the numbers of their cubes.
struct TransferPath {
  unsigned source = 0;
  std::optional<unsigned> corner;       ///< node where a unicast changes dimension
  std::optional<unsigned> destination;  ///< destination of a unicast
  /// Links in the order of a packet's hops; for a multicast all links that carry a copy. Empty when
  /// a node sends to itself.
  std::vector<topology::MazeLink> links;
};

/// Finds the paths of transfers through the MAZE of a SIP.
class TransferPaths {
 public:
  /// Throws common::BadInput when the SIP has no MAZE.
  explicit TransferPaths(const topology::SipSpec& sip);

  [[nodiscard]] const topology::MazeLinks& links() const { return links_; }
  [[nodiscard]] TransferPath of(const model::fabric::TimedTransfer& transfer) const;

 private:
  [[nodiscard]] TransferPath of_unicast(unsigned src, unsigned dst) const;
  /// Adds the links that copies of a multicast take from `node`, which they entered by `from`.
  void add_copies(TransferPath& path, const model::fabric::TimedTransfer& transfer, unsigned node,
                  unsigned from) const;

  topology::MazeLinks links_;
  std::optional<unsigned> failed_;
  model::fabric::MazeRoutes routes_;
};

}  // namespace kernbench::cosim
