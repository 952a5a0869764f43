// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "common/enum_names.hpp"
#include "sim/stimulus/traffic_spec.hpp"

namespace kernbench::sim {

/// Names used in configuration files and reports. The name of a pattern that other tools define
/// differently begins with the name of the tool whose definition it follows.
inline constexpr std::array<common::EnumName<Pattern>, 16> kPatternNames = {{
    {"all_links", Pattern::AllLinks},
    {"link_walk", Pattern::LinkWalk},
    {"uniform", Pattern::Uniform},
    {"transpose", Pattern::Transpose},
    {"bit_complement", Pattern::BitComplement},
    {"bit_reverse", Pattern::BitReverse},
    {"shuffle", Pattern::Shuffle},
    {"booksim.tornado", Pattern::BooksimTornado},
    {"garnet.tornado", Pattern::GarnetTornado},
    {"booksim.neighbor", Pattern::BooksimNeighbor},
    {"garnet.neighbor", Pattern::GarnetNeighbor},
    {"hotspot", Pattern::Hotspot},
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

[[nodiscard]] constexpr std::string_view to_string(Pattern value) {
  return common::name_of(kPatternNames, value);
}
[[nodiscard]] constexpr std::string_view to_string(PayloadMode value) {
  return common::name_of(kPayloadModeNames, value);
}
[[nodiscard]] constexpr std::string_view to_string(BackPressure value) {
  return common::name_of(kBackPressureNames, value);
}

}  // namespace kernbench::sim
