// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "topology/traffic_kind.hpp"

namespace kernbench::sim {

enum class Pattern {
  AllLinks,      ///< every link of the fabric
  LinkWalk,      ///< one link at a time, `walk_packets` packets each
  Bursts,        ///< bursts of `burst_length` packets and gaps on every link; mean rate `load`
  HeavyTailed,   ///< runs of sending and of idling on every link, 1 to `longest` cycles each
  LengthSweep,   ///< short runs of sending; idle for each of swept_lengths(`longest`) in turn
  Trace,         ///< a link-trace file
  Destinations,  ///< nodes send to the destinations of a kind of traffic
};

enum class PayloadMode {
  Random,       ///< fields set by the pattern, random data
  WalkingOnes,  ///< data is 1 << (k mod flit_w) for the k-th packet of a link
  Zeros,
  Ones,
  Raw,  ///< all payload bits random, type, qos, src and tgt included
};

struct TrafficSpec {
  Pattern pattern = Pattern::AllLinks;
  const topology::TrafficKind* kind = nullptr;  ///< for Pattern::Destinations alone
  double load = 1.0;      ///< 0..1, injection probability per cycle and used link
  double qos_high = 0.5;  ///< share of packets with qos = 1
  std::array<double, 4> types = {1.0, 0.0, 0.0, 0.0};  ///< weights of type 0..3, not all 0
  PayloadMode payload = PayloadMode::Random;
  unsigned hotspot_node = 0;
  double hotspot_share = 0.5;
  unsigned burst_length = 16;  ///< packets, >= 1
  unsigned walk_packets = 4;   ///< >= 1
  unsigned longest = 16384;    ///< HeavyTailed and LengthSweep: cycles, 1..kLongestRun
  std::string trace_file;      ///< for Pattern::Trace
};

enum class BackPressure {
  None,
  Random,
  Periodic,
  LongStalls,
  AllStalled,
  HeavyTailed,  ///< ready and stalled runs on every receiver, 1 to `longest` cycles each
  LengthSweep,  ///< short ready runs; stalls of each of swept_lengths(`longest`) in turn
};

/// Bound on `longest` of traffic and back-pressure.
inline constexpr unsigned kLongestRun = 100'000;

struct BackPressureSpec {
  BackPressure kind = BackPressure::None;
  double ready_probability = 0.5;  ///< Random
  unsigned ready_cycles = 3;       ///< Periodic; every link has its own phase
  unsigned stalled_cycles = 2;     ///< Periodic
  unsigned stall_length = 40;      ///< LongStalls and AllStalled: cycles per stall
  unsigned stall_interval = 80;    ///< cycles between two stalls (LongStalls: mean)
  unsigned longest = 16384;        ///< HeavyTailed and LengthSweep: cycles, 1..kLongestRun
};

}  // namespace kernbench::sim
