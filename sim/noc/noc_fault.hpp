// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/enum_names.hpp"
#include "sim/harness/noc_frame.hpp"
#include "sim/noc/noc_device.hpp"

namespace kernbench::sim {

/// Kinds of faults that a case injects into a network of any topology.
enum class NocFaultKind : std::uint8_t {
  // The signals of a link: a channel, which the lockstep and the rules alone see, or ports A and B
  // of a node.
  PayloadBitFlip,
  DestinationChanged,
  VcChanged,
  HeadLost,
  TailLost,
  Drop,
  Duplicate,
  Reorder,       ///< the next flit of the virtual channel comes first
  OutputStalls,  ///< no flit from then on
  CreditLost,
  CreditsStop,  ///< no credit from then on
  ExtraCredit,
  // The pins of a node, and the acts of its user.
  EntryLost,          ///< a flit at port A
  TakenCreditLost,    ///< a credit at port B
  ReceiverDead,       ///< takes no flit from then on
  FlitWithoutCredit,  ///< at port A
};

/// The names in regressions, options and reports.
inline constexpr auto kNocFaultNames = std::to_array<common::EnumName<NocFaultKind>>({
    {"payload_bit_flip", NocFaultKind::PayloadBitFlip},
    {"destination_changed", NocFaultKind::DestinationChanged},
    {"vc_changed", NocFaultKind::VcChanged},
    {"head_lost", NocFaultKind::HeadLost},
    {"tail_lost", NocFaultKind::TailLost},
    {"drop", NocFaultKind::Drop},
    {"duplicate", NocFaultKind::Duplicate},
    {"reorder", NocFaultKind::Reorder},
    {"output_stalls", NocFaultKind::OutputStalls},
    {"credit_lost", NocFaultKind::CreditLost},
    {"credits_stop", NocFaultKind::CreditsStop},
    {"extra_credit", NocFaultKind::ExtraCredit},
    {"entry_lost", NocFaultKind::EntryLost},
    {"taken_credit_lost", NocFaultKind::TakenCreditLost},
    {"receiver_dead", NocFaultKind::ReceiverDead},
    {"flit_without_credit", NocFaultKind::FlitWithoutCredit},
});
constexpr const auto& name_table(NocFaultKind /*any*/) {
  return kNocFaultNames;
}
[[nodiscard]] std::string_view fault_name(NocFaultKind kind);

/// A fault that a suite injects, in a case of its own for every seed.
struct NocFault {
  NocFaultKind kind = NocFaultKind::PayloadBitFlip;
  std::string at;                      ///< "0->1", or a node; empty: drawn from the seed
  std::uint64_t cycle = 50;            ///< first cycle in which it may act
  std::vector<std::string> caught_by;  ///< checkers that must notice it; empty: any one
  std::vector<std::string> missed_by;  ///< checkers that must not notice it
};

/// Returns the link that a fault names: a channel, or the local link of a node. Returns nothing if
/// there is none, or if a fault of pins and users names a channel.
[[nodiscard]] std::optional<noc::Link> link_of(const NocFault& fault, const NocDevice& device);

/// Breaks one link or port of a network in one way, once or from then on.
class NocFaultInjector final : public NocTap {
 public:
  /// The fault has a link on the device, or names none.
  NocFaultInjector(const NocDevice& device, const NocFault& fault, std::uint64_t seed);

  const NocInputs& drive(std::uint64_t cycle, NocInputs& intended) override;
  void observe(std::uint64_t cycle, NocOutputs& outputs) override;

  /// The cycle in which the fault first made a difference, if it did.
  [[nodiscard]] std::optional<std::uint64_t> injected_at() const { return injected_at_; }
  /// Returns the name of the link or port.
  [[nodiscard]] std::string place() const;

 private:
  [[nodiscard]] bool acts(std::uint64_t cycle) const { return cycle >= fault_.cycle && !done_; }
  void mark(std::uint64_t cycle, bool lasts = false);
  void change_flit(std::uint64_t cycle, NocOutputs& outputs);
  void change_order(std::uint64_t cycle, NocOutputs& outputs);
  void change_credits(std::uint64_t cycle, NocOutputs& outputs);
  void overrun(std::uint64_t cycle, NocInputs& intended);

  const NocDevice& device_;
  const NocFault& fault_;
  noc::Link link_ = 0;
  std::uint32_t node_ = 0;   ///< node of a local link
  std::uint32_t other_ = 0;  ///< distance to the destination that replaces the right one
  noc::Flit bit_ = 0;        ///< that flips
  NocInputs pins_;           ///< inputs of the network where they are not the intended ones
  std::vector<std::uint32_t> credits_;  ///< credits of the user at port A
  std::vector<bool> is_in_packet_;      ///< by virtual channel of port A
  std::uint64_t last_cycle_ = 0;
  bool done_ = false;
  bool passed_ = false;  ///< a flit has overtaken the kept one
  struct Kept {
    std::uint8_t vc;
    noc::Flit flit;
  };
  std::optional<Kept> kept_;  ///< a flit to be shown again, or later
  std::optional<std::uint64_t> injected_at_;
};

}  // namespace kernbench::sim
