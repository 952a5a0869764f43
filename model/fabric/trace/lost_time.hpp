// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/fabric/trace/packet_trace.hpp"

namespace kernbench::model::fabric {

/// The latency of a unicast split into parts, in cycles of the fabric's clock. The parts are those
/// of the last packet, which completes the transfer, and sum to the latency.
struct LostTime {
  Edge latency = 0;        ///< from the edge that saw the transfer to its last, both counted
  Edge serialization = 0;  ///< packets before the last, at one per edge
  Edge minimum = 0;        ///< one packet without waits: sending, nodes and link stages
  // Waits of the last packet:
  Edge behind_others = 0;  ///< at the source, behind other transfers
  Edge source_output = 0;  ///< at the source, for the output
  Edge first_link = 0;     ///< in the link, beyond its stages
  Edge corner = 0;         ///< in the queue, behind other packets and for the output
  Edge second_link = 0;    ///< in the link, beyond its stages
  Edge exit = 0;           ///< at the destination, for port B and its receiver

  /// Outputs that the last packet left by: none, one or two.
  std::vector<topology::MazePort> outputs;
  unsigned src = 0;
  unsigned dst = 0;

  [[nodiscard]] Edge waited() const {
    return behind_others + source_output + first_link + corner + second_link + exit;
  }
  /// Returns the route: "[3,4] x[2] -> [3,7] y[0] -> [2,7]".
  [[nodiscard]] std::string path(const topology::MazeLinks& links) const;
  /// Returns the longest wait, the first of equals: "waited 12 cycles at the corner [3,4] for
  /// y[2]".
  [[nodiscard]] std::string place(const topology::MazeLinks& links) const;
};

/// Returns the latency of a traced unicast by parts. Throws std::invalid_argument for a multicast
/// and for a transfer that is not complete, std::logic_error for a packet faster than its links.
[[nodiscard]] LostTime lost_time(const TracedTransfer& transfer, const topology::MazeLinks& links);

}  // namespace kernbench::model::fabric
