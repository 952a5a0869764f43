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
#include "sim/regression/suite_script.hpp"
#include "sim/stimulus/traffic_spec.hpp"
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

/// Cycles in which a user offers nothing, drawn by each A for itself.
enum class IdleTimes : std::uint8_t {
  Load,         ///< times that give the load
  HeavyTailed,  ///< runs with and without offers, log-uniform from 1 to `longest_idle`
  LengthSweep,  ///< each of swept_lengths(`longest_idle`) in turn, between short runs with offers
};

inline constexpr std::array<common::EnumName<IdleTimes>, 3> kIdleTimeNames = {{
    {"load", IdleTimes::Load},
    {"heavy_tailed", IdleTimes::HeavyTailed},
    {"length_sweep", IdleTimes::LengthSweep},
}};

constexpr const auto& name_table(IdleTimes /*any*/) {
  return kIdleTimeNames;
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
  IdleTimes idle = IdleTimes::Load;
  unsigned longest_idle = 16'384;
  BackPressureSpec back_pressure = {};  ///< at B
  /// Cycles for which each B in turn is not ready, while all others are; 0: none.
  std::uint64_t stall_each = 0;
  std::optional<SuiteScript> script = {};  ///< in place of pattern, back-pressure and resets
  std::optional<unsigned> failed = {};
  unsigned resets = 0;          ///< resets under traffic
  unsigned longest_reset = 20;  ///< widest of them in clocks
  std::uint64_t watchdog_cycles = 10'000;
  std::uint64_t after_failure = 8;
  Checks checks = {};  ///< checkers; all but delivery
  std::optional<FaultCase> fault = {};
  bool deep_coverage = false;          ///< DeepBins are collected in place of the functional ones
  std::uint64_t packets_per_link = 0;  ///< as in NetworkSpec

  /// Returns the pattern and the back-pressure as a file names them.
  [[nodiscard]] std::string pattern_name() const;
  [[nodiscard]] std::string back_pressure_name() const;
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
