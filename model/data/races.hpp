// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/data/op_log.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::data {

/// One of the two operations of a race.
struct RaceSide {
  std::uint32_t record = 0;
  bool writes = false;

  friend constexpr bool operator==(const RaceSide&, const RaceSide&) = default;
};

/// Two operations of different PEs that access the same bytes without an order between them. At
/// least one of them writes.
struct Race {
  RaceSide earlier;  ///< the one that began first in this run
  RaceSide later;
  Stretch first;            ///< the common bytes found first, as far as they are contiguous
  std::uint64_t bytes = 0;  ///< number of common bytes
};

/// The races between the kernels of a run.
struct RaceReport {
  std::uint64_t accesses = 0;  ///< number of reads and writes compared
  std::uint64_t pes = 0;       ///< number of PEs that made them
  std::vector<Race> races;     ///< in the order of their later operations
};

/// Finds the races of a log: accesses to HBM and SRAM by operations of kernels. An order exists
///
/// - between the operations of one PE;
/// - from a send, and all before it on its PE, to the end of its receive, and all after it;
/// - between a launch and one that began after its end.
///
/// Credits for slots give no order: it would depend on the number of slots. Dependencies through
/// memory give none either: they follow from the times of this run.
[[nodiscard]] RaceReport find_races(const OpLog& log, const topology::TopologyGraph& graph);

/// Describes one side of a race: "kernel 'k' on sip0.cube0.pe1 writes them in tl.store at k.cpp:3".
[[nodiscard]] std::string text_of(const RaceSide& side, const OpLog& log,
                                  const topology::TopologyGraph& graph);
/// Describes the first common bytes of a race: "elements [0, 0] to [0, 7] of the tensor of 8 x 8 of
/// f32 made at k.cpp:20", or their address if they belong to no tensor.
[[nodiscard]] std::string place_of(const Race& race, const OpLog& log);

}  // namespace kernbench::model::data
