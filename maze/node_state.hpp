// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "maze/link_frame.hpp"

namespace kernbench::maze {

/// Up to two packets in order.
struct HeldPackets {
  unsigned count = 0;
  Payload first = 0;   ///< with a count of 1 or 2
  Payload second = 0;  ///< with a count of 2
};

/// The state of one node of a network, as NodeGroup has it.
struct NodeState {
  /// A QoS level of an input.
  struct Queue {
    HeldPackets packets;
    std::uint32_t owed = 0;  ///< outputs that the head has yet to reach, a bit for each
  };
  struct Input {
    bool ready = false;
    std::array<Queue, 2> levels;  ///< low, high
  };
  struct Output {
    HeldPackets stage;
    /// Inputs from the start of the search on, a bit for each, low and high.
    std::array<std::uint32_t, 2> from{};
    unsigned high_count = 0;  ///< grants of high in a row while a low packet waits
  };
  std::vector<Input> inputs;    ///< X links, Y links, A
  std::vector<Output> outputs;  ///< X links, Y links, B
  bool expands = false;         ///< a multicast at A is sent as unicasts
  unsigned copy = 0;            ///< then: node that the present one goes to
};

}  // namespace kernbench::maze
