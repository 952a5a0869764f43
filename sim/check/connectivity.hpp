// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/dut/maze_dut.hpp"
#include "sim/failure.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

/// An input at which packets of one output arrived.
struct FoundTarget {
  topology::MazePort sink;
  unsigned latency = 0;  ///< cycles
  friend bool operator==(const FoundTarget&, const FoundTarget&) = default;
};

/// A packet that arrived while another one was sent.
struct AlteredPacket {
  topology::MazePort sink;
  maze::Payload payload = 0;
  friend bool operator==(const AlteredPacket&, const AlteredPacket&) = default;
};

/// Results of probing one output port of the nodes.
struct FoundLink {
  topology::MazePort source;
  maze::Payload packet = 0;                    ///< the packet that was sent
  std::vector<FoundTarget> targets;            ///< inputs at which it arrived
  std::vector<AlteredPacket> altered;          ///< other packets that arrived meanwhile
  std::vector<topology::MazePort> ready_from;  ///< inputs that control this output's ready
  unsigned capacity = 0;                       ///< packets accepted while no receiver is ready
};

/// Probes the fabric as a black box, one output and one input at a time.
[[nodiscard]] std::vector<FoundLink> discover_connectivity(MazeDut& dut);

/// Compares the probed links with the link map. Kinds: missing, wrong_payload, extra, wrong_target,
/// wrong_depth, wrong_capacity, ready_path. Every failure names node and port.
[[nodiscard]] std::vector<Failure> compare_connectivity(const std::vector<FoundLink>& found,
                                                        const topology::MazeLinks& links);

}  // namespace kernbench::sim
