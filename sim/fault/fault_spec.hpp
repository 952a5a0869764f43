#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/failure.hpp"

namespace kernbench::sim {

/// What is broken on purpose. Faults sit between the fabric's pins and everything that observes it,
/// except the last two groups, which no comparison of pins can see.
enum class FaultKind {
  // Packets as they come out.
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
  // The surroundings.
  ReceiverDead,    ///< never ready again
  ReceiverSleeps,  ///< not ready for `duration` cycles, then well again
  SourceSilent,    ///< never sends
};

struct FaultSpec {
  FaultKind kind = FaultKind::PayloadBitFlip;
  std::optional<LinkEnd> link;    ///< seeded when absent
  std::uint64_t cycle = 50;       ///< the fault waits for its first chance from here on
  std::uint64_t duration = 4000;  ///< ReceiverSleeps only
};

/// All kinds in declaration order.
[[nodiscard]] const std::vector<FaultKind>& all_fault_kinds();
/// Name in configuration files and reports, e.g. "payload_bit_flip".
[[nodiscard]] std::string_view fault_name(FaultKind kind);
[[nodiscard]] std::optional<FaultKind> fault_from_name(std::string_view name);

}  // namespace kernbench::sim
