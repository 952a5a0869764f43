// SPDX-License-Identifier: Apache-2.0
#include "sim/fault/fault_spec.hpp"

#include <algorithm>
#include <array>

#include "common/enum_names.hpp"

namespace kernbench::sim {
namespace {

constexpr auto kNames = std::to_array<common::EnumName<FaultKind>>({
    {"payload_bit_flip", FaultKind::PayloadBitFlip},
    {"drop", FaultKind::Drop},
    {"duplicate", FaultKind::Duplicate},
    {"reorder", FaultKind::Reorder},
    {"misroute", FaultKind::Misroute},
    {"qos_cleared", FaultKind::QosCleared},
    {"type_changed", FaultKind::TypeChanged},
    {"addresses_swapped", FaultKind::AddressesSwapped},
    {"stale_payload", FaultKind::StalePayload},
    {"stuck_valid_high", FaultKind::StuckValidHigh},
    {"stuck_valid_low", FaultKind::StuckValidLow},
    {"stuck_ready_high", FaultKind::StuckReadyHigh},
    {"stuck_ready_low", FaultKind::StuckReadyLow},
    {"late_valid", FaultKind::LateValid},
    {"valid_drops_while_stalled", FaultKind::ValidDropsWhileStalled},
    {"payload_changes_while_stalled", FaultKind::PayloadChangesWhileStalled},
    {"ready_glitch", FaultKind::ReadyGlitch},
    {"stimulus_bit_flip", FaultKind::StimulusBitFlip},
    {"stimulus_misroute", FaultKind::StimulusMisroute},
    {"stimulus_drop", FaultKind::StimulusDrop},
    {"receiver_dead", FaultKind::ReceiverDead},
    {"receiver_sleeps", FaultKind::ReceiverSleeps},
    {"source_silent", FaultKind::SourceSilent},
});

}  // namespace

const std::vector<FaultKind>& all_fault_kinds() {
  static const std::vector<FaultKind> kinds = [] {
    std::vector<FaultKind> list;
    for (const auto& [name, kind] : kNames) list.push_back(kind);
    return list;
  }();
  return kinds;
}

std::string_view fault_name(FaultKind kind) {
  return common::name_of(kNames, kind);
}

std::optional<FaultKind> fault_from_name(std::string_view name) {
  const auto* found =
      std::find_if(kNames.begin(), kNames.end(), [&](auto& e) { return e.first == name; });
  if (found == kNames.end()) return std::nullopt;
  return found->second;
}

}  // namespace kernbench::sim
