// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

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

struct FaultSpec {
  FaultKind kind = FaultKind::PayloadBitFlip;
  std::optional<LinkEnd> link;    ///< drawn from the seed when absent
  std::uint64_t cycle = 50;       ///< first cycle in which the fault may act
  std::uint64_t duration = 4000;  ///< ReceiverSleeps only
};

/// Returns all kinds in declaration order.
[[nodiscard]] const std::vector<FaultKind>& all_fault_kinds();
/// Returns the name used in configuration files and reports, e.g. "payload_bit_flip".
[[nodiscard]] std::string_view fault_name(FaultKind kind);
[[nodiscard]] std::optional<FaultKind> fault_from_name(std::string_view name);

}  // namespace kernbench::sim
