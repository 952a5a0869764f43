// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/enum_names.hpp"
#include "maze/network_frame.hpp"
#include "sim/regression/fault_case.hpp"
#include "topology/traffic_kind.hpp"

namespace kernbench::sim {

/// Targets of the packets of a source.
enum class NetworkPattern : std::uint8_t {
  Kind,              ///< destinations of a kind of traffic, the source among them
  Alone,             ///< one packet in the network at a time: every source, type and target
  DrawnPermutation,  ///< one node for each source, another permutation in every 512 cycles
  Detours,           ///< round the failed node, against packets of the nodes where detours turn
  MovingHotspot,     ///< one node for a quarter of the packets, another in every 512 cycles
};

/// Receivers at B.
enum class NetworkStalls : std::uint8_t {
  None,    ///< always ready
  Random,  ///< each node is ready in half of the cycles
  Long,    ///< each node stalls and is ready for 1 to 1,000 cycles, heavy-tailed
  All,     ///< all nodes stall together for 1,200 cycles of 2,400
  One,     ///< each node in turn stalls for 1,200 cycles
};

inline constexpr std::array<common::EnumName<NetworkStalls>, 5> kNetworkStallNames = {{
    {"none", NetworkStalls::None},
    {"random", NetworkStalls::Random},
    {"long_stalls", NetworkStalls::Long},
    {"all_stalled", NetworkStalls::All},
    {"one_stalled", NetworkStalls::One},
}};
constexpr const auto& name_table(NetworkStalls /*any*/) {
  return kNetworkStallNames;
}

/// One run of a network.
struct NetworkCase {
  std::string suite = {};
  std::string name = {};  ///< name of this case alone; begins with that of the suite
  std::uint64_t seed = 1;
  std::uint64_t cycles = 0;  ///< cycles with traffic; 0 with Alone, which ends by itself
  NetworkPattern pattern = NetworkPattern::Kind;
  const topology::TrafficKind* kind = nullptr;  ///< kind of NetworkPattern::Kind; null: any node
  unsigned hotspot_node = 0;                    ///< parameter of the kind hotspot, like its share
  double hotspot_share = 0.5;
  double load = 1.0;           ///< packets offered at each A in a cycle, 0 to 1
  double multicasts = 0.0;     ///< part of the packets that are column, row or broadcast
  double high = 0.5;           ///< part of the packets with high QoS
  unsigned longest_burst = 1;  ///< packets of a burst, heavy-tailed from 1 on
  NetworkStalls stalls = NetworkStalls::None;
  std::optional<unsigned> failed = {};
  unsigned resets = 0;          ///< resets under traffic
  unsigned longest_reset = 20;  ///< widest of them in clocks
  std::uint64_t watchdog_cycles = 10'000;
  std::uint64_t after_failure = 8;
  Checks checks = {};  ///< checkers; all but delivery
  std::optional<FaultCase> fault = {};

  /// Returns the pattern and the back-pressure as a file names them.
  [[nodiscard]] std::string pattern_name() const;
  [[nodiscard]] std::string stalls_name() const {
    return std::string(common::name_of(kNetworkStallNames, stalls));
  }
};

/// Names of the patterns of a network. All others are kinds of traffic.
inline constexpr std::array<common::EnumName<NetworkPattern>, 4> kNetworkPatternNames = {{
    {"alone", NetworkPattern::Alone},
    {"drawn_permutation", NetworkPattern::DrawnPermutation},
    {"detours", NetworkPattern::Detours},
    {"moving_hotspot", NetworkPattern::MovingHotspot},
}};
inline constexpr std::string_view kUniformPattern = "uniform_random";

}  // namespace kernbench::sim
