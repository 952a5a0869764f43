// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "common/enum_names.hpp"
#include "sim/stimulus/traffic_spec.hpp"

namespace kernbench::sim {

/// Names of the patterns of links, used in configuration files and reports. Patterns of
/// destinations have those of topology/traffic_kind.hpp.
inline constexpr std::array<common::EnumName<Pattern>, 6> kLinkPatternNames = {{
    {"all_links", Pattern::AllLinks},
    {"link_walk", Pattern::LinkWalk},
    {"bursts", Pattern::Bursts},
    {"heavy_tailed", Pattern::HeavyTailed},
    {"length_sweep", Pattern::LengthSweep},
    {"trace", Pattern::Trace},
}};

inline constexpr std::array<common::EnumName<PayloadMode>, 5> kPayloadModeNames = {{
    {"random", PayloadMode::Random},
    {"walking_ones", PayloadMode::WalkingOnes},
    {"zeros", PayloadMode::Zeros},
    {"ones", PayloadMode::Ones},
    {"raw", PayloadMode::Raw},
}};

inline constexpr std::array<common::EnumName<BackPressure>, 7> kBackPressureNames = {{
    {"none", BackPressure::None},
    {"random", BackPressure::Random},
    {"periodic", BackPressure::Periodic},
    {"long_stalls", BackPressure::LongStalls},
    {"all_stalled", BackPressure::AllStalled},
    {"heavy_tailed", BackPressure::HeavyTailed},
    {"length_sweep", BackPressure::LengthSweep},
}};

/// Returns the names of all patterns: those of links, then the kinds of traffic.
[[nodiscard]] std::vector<std::string_view> pattern_names();

/// Returns the name of a spec's pattern.
[[nodiscard]] std::string_view pattern_name(const TrafficSpec& spec);

/// Sets the pattern of a spec by a name of pattern_names(); ignores another one.
void set_pattern(TrafficSpec& spec, std::string_view name);

[[nodiscard]] constexpr std::string_view to_string(PayloadMode value) {
  return common::name_of(kPayloadModeNames, value);
}
[[nodiscard]] constexpr std::string_view to_string(BackPressure value) {
  return common::name_of(kBackPressureNames, value);
}

}  // namespace kernbench::sim
