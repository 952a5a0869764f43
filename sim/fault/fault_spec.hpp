// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "common/enum_names.hpp"
#include "sim/failure.hpp"

namespace kernbench::sim {

/// Kinds of injected faults. Faults act between the fabric's pins and its observers, except those
/// of the last two groups, which a comparison of pins cannot detect.
enum class FaultKind {
  // Delivered packets.
  PayloadBitFlip,
  Drop,
  Duplicate,
  Reorder,
  Misroute,
  QosCleared,
  TypeChanged,
  AddressesSwapped,
  StalePayload,
  // Handshake.
  StuckValidHigh,
  StuckValidLow,
  StuckReadyHigh,
  StuckReadyLow,
  LateValid,
  ValidDropsWhileStalled,
  PayloadChangesWhileStalled,
  ReadyGlitch,
  // Common mode: the fabric and its reference get the same wrong stimulus.
  StimulusBitFlip,
  StimulusMisroute,
  StimulusDrop,
  // The nodes around the fabric.
  ReceiverDead,    ///< never ready again
  ReceiverSleeps,  ///< not ready for `duration` cycles
  SourceSilent,    ///< never sends
};

/// The names in configuration files and reports.
inline constexpr auto kFaultNames = std::to_array<common::EnumName<FaultKind>>({
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
constexpr const auto& name_table(FaultKind /*any*/) {
  return kFaultNames;
}

struct FaultSpec {
  FaultKind kind = FaultKind::PayloadBitFlip;
  std::optional<LinkEnd> link;    ///< drawn from the seed when absent
  std::uint64_t cycle = 50;       ///< first cycle in which the fault may act
  std::uint64_t duration = 4000;  ///< ReceiverSleeps only
};

/// Returns true if a fault of this kind changes what the design drives, false for its stimulus and
/// the nodes around it.
[[nodiscard]] constexpr bool changes_outputs(FaultKind kind) {
  return kind < FaultKind::StimulusBitFlip;
}

/// Returns all kinds in declaration order.
[[nodiscard]] const std::vector<FaultKind>& all_fault_kinds();
/// Returns the name used in configuration files and reports, e.g. "payload_bit_flip".
[[nodiscard]] std::string_view fault_name(FaultKind kind);
[[nodiscard]] std::optional<FaultKind> fault_from_name(std::string_view name);

}  // namespace kernbench::sim
