#include "sim/fault/fault_spec.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace kernbench::sim {
namespace {

constexpr std::array kNames = {
    std::pair{FaultKind::PayloadBitFlip, std::string_view{"payload_bit_flip"}},
    std::pair{FaultKind::Drop, std::string_view{"drop"}},
    std::pair{FaultKind::Duplicate, std::string_view{"duplicate"}},
    std::pair{FaultKind::Reorder, std::string_view{"reorder"}},
    std::pair{FaultKind::Misroute, std::string_view{"misroute"}},
    std::pair{FaultKind::QosCleared, std::string_view{"qos_cleared"}},
    std::pair{FaultKind::TypeChanged, std::string_view{"type_changed"}},
    std::pair{FaultKind::AddressesSwapped, std::string_view{"addresses_swapped"}},
    std::pair{FaultKind::StalePayload, std::string_view{"stale_payload"}},
    std::pair{FaultKind::StuckValidHigh, std::string_view{"stuck_valid_high"}},
    std::pair{FaultKind::StuckValidLow, std::string_view{"stuck_valid_low"}},
    std::pair{FaultKind::StuckReadyHigh, std::string_view{"stuck_ready_high"}},
    std::pair{FaultKind::StuckReadyLow, std::string_view{"stuck_ready_low"}},
    std::pair{FaultKind::LateValid, std::string_view{"late_valid"}},
    std::pair{FaultKind::ValidDropsWhileStalled, std::string_view{"valid_drops_while_stalled"}},
    std::pair{FaultKind::PayloadChangesWhileStalled,
              std::string_view{"payload_changes_while_stalled"}},
    std::pair{FaultKind::ReadyGlitch, std::string_view{"ready_glitch"}},
    std::pair{FaultKind::StimulusBitFlip, std::string_view{"stimulus_bit_flip"}},
    std::pair{FaultKind::StimulusMisroute, std::string_view{"stimulus_misroute"}},
    std::pair{FaultKind::StimulusDrop, std::string_view{"stimulus_drop"}},
    std::pair{FaultKind::ReceiverDead, std::string_view{"receiver_dead"}},
    std::pair{FaultKind::ReceiverSleeps, std::string_view{"receiver_sleeps"}},
    std::pair{FaultKind::SourceSilent, std::string_view{"source_silent"}},
};

}  // namespace

const std::vector<FaultKind>& all_fault_kinds() {
  static const std::vector<FaultKind> kinds = [] {
    std::vector<FaultKind> list;
    for (const auto& [kind, name] : kNames) list.push_back(kind);
    return list;
  }();
  return kinds;
}

std::string_view fault_name(FaultKind kind) {
  return std::find_if(kNames.begin(), kNames.end(), [&](auto& e) { return e.first == kind; })
      ->second;
}

std::optional<FaultKind> fault_from_name(std::string_view name) {
  const auto* found =
      std::find_if(kNames.begin(), kNames.end(), [&](auto& e) { return e.second == name; });
  if (found == kNames.end()) return std::nullopt;
  return found->first;
}

}  // namespace kernbench::sim
