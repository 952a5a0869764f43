// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "maze/packet_layout.hpp"
#include "sim/dut/network_dut.hpp"

namespace kernbench::docs {

/// A packet that a user offers from a cycle on, behind those before it.
struct OfferedPacket {
  unsigned node = 0;  ///< whose A
  std::uint64_t cycle = 0;
  unsigned type = 0;
  unsigned qos = 0;
  unsigned target = 0;  ///< node
  unsigned data = 0;
};

/// A port that a waveform shows: valid, ready and data.
struct ShownPort {
  enum class Kind : std::uint8_t { A, B, LinkOut };
  Kind kind = Kind::A;
  unsigned node = 0;
  unsigned port = 0;  ///< link out of the node, X links first
};

/// A small experiment on a network of 4x3 nodes.
struct NetworkScenario {
  std::string name;
  std::optional<unsigned> failed = {};
  std::vector<OfferedPacket> packets;
  std::optional<unsigned> stalled =
      {};  ///< node whose B is not ready in cycles 0 to `stalled_until`
  std::uint64_t stalled_until = 0;
  std::uint64_t cycles = 0;
  std::vector<ShownPort> ports;
};

/// The waveforms of docs/developer/maze-network.md.
[[nodiscard]] const std::vector<NetworkScenario>& network_scenarios();

/// Plays the scenario after a reset of two cycles, which is not recorded, and returns the waveform
/// as text: a line for every signal and a column for every cycle; data only where valid is 1.
/// Throws std::invalid_argument unless the network has 4x3 nodes, 8 data bits and visible links.
[[nodiscard]] std::string network_waveform(sim::NetworkDut& dut, const NetworkScenario& scenario);

}  // namespace kernbench::docs
