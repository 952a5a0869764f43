// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/noc/noc_fault.hpp"
#include "sim/stimulus/traffic_spec.hpp"
#include "topology/traffic_kind.hpp"

namespace kernbench::sim {

struct NocScript;

/// Checkers of a network of any topology.
struct NocChecks {
  bool lockstep = true;
  bool scoreboard = true;
  bool rules = true;
  bool watchdog = true;
};

/// The names of the checkers in files and reports.
inline constexpr std::array<std::pair<std::string_view, bool NocChecks::*>, 4> kNocCheckers = {{
    {"lockstep", &NocChecks::lockstep},
    {"scoreboard", &NocChecks::scoreboard},
    {"rules", &NocChecks::rules},
    {"watchdog", &NocChecks::watchdog},
}};

/// One run of a network of any topology.
struct NocCase {
  std::string suite = {};
  std::string name = {};  ///< name of this case alone; begins with that of the suite
  std::uint64_t seed = 1;
  std::uint64_t cycles = 10'000;  ///< cycles with traffic; alone ends by itself
  bool alone = false;             ///< one packet at a time: every source, destination and class
  bool moving_hotspot = false;  ///< half of the packets go to one node, another in every 512 cycles
  const topology::TrafficKind* kind = nullptr;  ///< kind of traffic; null: any node
  unsigned hotspot_node = 0;                    ///< parameter of the kind hotspot, like its share
  double hotspot_share = 0.5;
  double own_share = 0.0;  ///< share of packets that a node sends to itself, whatever the kind
  double load = 1.0;       ///< flits offered at each A in a cycle, above 0 to 1
  unsigned shortest = 1;   ///< flits of a packet
  unsigned longest = 8;    ///< lengths are drawn log-uniformly
  double gaps = 0.0;       ///< share of cycles in which a packet that has begun pauses
  BackPressureSpec back_pressure = {};  ///< at B, for each virtual channel
  unsigned resets = 0;                  ///< resets under traffic
  unsigned longest_reset = 20;          ///< widest of them in clocks
  std::uint64_t watchdog_cycles = 10'000;
  std::uint64_t after_failure = 8;
  NocChecks checks = {};
  std::optional<NocFault> fault = {};
  /// Script of the users in place of traffic; null: the case has traffic.
  std::shared_ptr<const NocScript> script = {};

  [[nodiscard]] std::string pattern_name() const;
};

inline constexpr double kMostNocCycles = 1e9;
inline constexpr std::string_view kScriptPattern = "script";
inline constexpr std::string_view kAlonePattern = "alone";
inline constexpr std::string_view kMovingHotspotPattern = "moving_hotspot";

}  // namespace kernbench::sim
