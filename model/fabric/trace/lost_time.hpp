#pragma once

#include <string>
#include <vector>

#include "model/fabric/trace/packet_trace.hpp"

namespace kernbench::model::fabric {

/// Where the latency of a unicast went, in edges of the fabric's clock. The parts sum to the
/// latency: those of its last packet, which is the one that the transfer waits for.
struct LostTime {
  Edge latency = 0;        ///< from the edge at which it was seen to its last, both counted
  Edge serialization = 0;  ///< a source sends a packet at each edge
  Edge minimum = 0;        ///< of one packet: links, corner and the edge at which it is sent
  // Waits:
  Edge behind_others = 0;  ///< at the source, for other transfers to be sent
  Edge source_output = 0;  ///< at the source, for its output
  Edge first_link = 0;     ///< beyond the link's stages
  Edge corner = 0;         ///< in the queue, for its turn and for the output
  Edge second_link = 0;    ///< beyond the link's stages

  /// Outputs that the last packet took: none, one or two.
  std::vector<topology::MazePort> outputs;
  unsigned src = 0;
  unsigned dst = 0;

  [[nodiscard]] Edge waited() const {
    return behind_others + source_output + first_link + corner + second_link;
  }
  /// "[3,4] x[2] -> [3,7] y[0] -> [2,7]".
  [[nodiscard]] std::string path(const topology::MazeLinks& links) const;
  /// The longest wait, the first of equal ones: "waited 12 cycles at the corner [3,4] for y[2]".
  [[nodiscard]] std::string place(const topology::MazeLinks& links) const;
};

/// Throws std::invalid_argument for a multicast and a transfer that is not done; std::logic_error
/// when a packet was faster than its links.
[[nodiscard]] LostTime lost_time(const TracedTransfer& transfer, const topology::MazeLinks& links);

}  // namespace kernbench::model::fabric
