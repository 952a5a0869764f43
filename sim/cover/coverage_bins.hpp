// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace kernbench::sim {

/// Events that must occur on every link. Those from Filled on apply to links with an IRS stage.
enum class LinkBin {
  Delivered,
  Stalled,     ///< offered to a receiver that was not ready
  BackToBack,  ///< delivered in two consecutive cycles
  QosLow,
  QosHigh,
  TypeUnicast,
  TypeXMulticast,
  TypeYMulticast,
  TypeBroadcast,
  Filled,             ///< all stages held two packets each
  Drained,            ///< empty after it was filled, without a reset in between
  ResetWhileHolding,  ///< a reset began while a stage held a packet
};

/// Transitions that must occur in every IRS stage: the packets held before a clock edge, and
/// whether the edge pushes or pops one.
enum class StageBin {
  EmptyNeither,
  EmptyPush,
  OneNeither,
  OnePush,
  OnePop,
  OneBoth,
  TwoNeither,
  TwoPop,
};

/// Events that must occur in the fabric as a whole.
enum class FabricBin {
  AllLinksActive,     ///< every link delivered in the same cycle
  ResetUnderTraffic,  ///< a reset began in the cycle after one in which a packet moved
};

struct LinkBinInfo {
  std::string_view name;    ///< name of the group in files and reports
  std::string_view missed;  ///< description of a missed bin, after the name of the link
  bool needs_stage;         ///< true: links without a stage have no such bin
};

/// In the order of LinkBin.
inline constexpr std::array<LinkBinInfo, 12> kLinkBins = {{
    {"delivered", "never delivered", false},
    {"stalled", "never stalled", false},
    {"back_to_back", "never delivered in two consecutive cycles", false},
    {"qos_low", "no packet with low QoS", false},
    {"qos_high", "no packet with high QoS", false},
    {"type_unicast", "no unicast packet", false},
    {"type_x_multicast", "no X-multicast packet", false},
    {"type_y_multicast", "no Y-multicast packet", false},
    {"type_broadcast", "no broadcast packet", false},
    {"filled", "never filled", true},
    {"drained", "never drained after having been filled", true},
    {"reset_while_holding", "never reset while holding packets", true},
}};

/// In the order of StageBin.
inline constexpr std::array<std::string_view, 8> kStageBinNames = {
    "0 entries, neither", "0 entries, push", "1 entry, neither",   "1 entry, push",
    "1 entry, pop",       "1 entry, both",   "2 entries, neither", "2 entries, pop",
};

/// In the order of FabricBin.
inline constexpr std::array<std::string_view, 2> kFabricBinNames = {"all_links_active",
                                                                    "reset_under_traffic"};

[[nodiscard]] constexpr std::size_t index(LinkBin bin) {
  return static_cast<std::size_t>(bin);
}
[[nodiscard]] constexpr std::size_t index(StageBin bin) {
  return static_cast<std::size_t>(bin);
}
[[nodiscard]] constexpr std::size_t index(FabricBin bin) {
  return static_cast<std::size_t>(bin);
}

}  // namespace kernbench::sim
