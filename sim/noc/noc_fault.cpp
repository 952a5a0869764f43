// SPDX-License-Identifier: Apache-2.0
#include "sim/noc/noc_fault.hpp"

#include <algorithm>

#include "common/random.hpp"
#include "noc/packet_fields.hpp"

namespace kernbench::sim {
namespace {

/// Returns true for a fault at the ports of a node alone.
bool is_of_users(NocFaultKind kind) {
  return kind >= NocFaultKind::EntryLost;
}

}  // namespace

std::string_view fault_name(NocFaultKind kind) {
  return common::name_of(kNocFaultNames, kind);
}

std::optional<noc::Link> link_of(const NocFault& fault, const NocDevice& device) {
  const auto channels = static_cast<noc::Link>(device.network.channels().size());
  for (std::uint32_t node = 0; node < device.network.nodes(); ++node) {
    if (device.node_name(node) == fault.at) return channels + node;
  }
  if (is_of_users(fault.kind)) return std::nullopt;
  for (noc::Link link = 0; link < channels; ++link) {
    if (device.link_name(link) == fault.at) return link;
  }
  return std::nullopt;
}

NocFaultInjector::NocFaultInjector(const NocDevice& device, const NocFault& fault,
                                   std::uint64_t seed)
    : device_(device), fault_(fault), pins_(device.network.nodes()) {
  const noc::Network& network = device.network;
  common::Rng rng = common::Rng::stream(seed, "noc fault", static_cast<std::uint64_t>(fault.kind));
  const auto channels = static_cast<noc::Link>(network.channels().size());
  const auto node = static_cast<noc::Link>(rng.below(network.nodes()));
  const auto any = static_cast<noc::Link>(rng.below(channels + network.nodes()));
  const noc::Link drawn = is_of_users(fault.kind) ? channels + node : any;
  link_ = fault.at.empty() ? drawn : link_of(fault, device).value();
  node_ = link_ < channels ? 0 : link_ - channels;
  other_ = network.nodes() < 2 ? 0 : 1 + static_cast<std::uint32_t>(rng.below(network.nodes() - 1));
  const std::uint32_t low = network.address_bits();
  bit_ = noc::Flit{1} << (low + rng.below(network.sizes().flit_bits - 2 - low));
}

std::string NocFaultInjector::place() const {
  const bool at_a =
      fault_.kind == NocFaultKind::CreditLost || fault_.kind == NocFaultKind::CreditsStop ||
      fault_.kind == NocFaultKind::ExtraCredit || fault_.kind == NocFaultKind::EntryLost ||
      fault_.kind == NocFaultKind::FlitWithoutCredit;
  return device_.link_name(link_, at_a ? "A" : "B");
}

void NocFaultInjector::mark(std::uint64_t cycle, bool lasts) {
  if (!injected_at_) injected_at_ = cycle;
  done_ = !lasts;
}

const NocInputs& NocFaultInjector::drive(std::uint64_t cycle, NocInputs& intended) {
  if (fault_.kind == NocFaultKind::FlitWithoutCredit) overrun(cycle, intended);
  if (!acts(cycle)) return intended;
  switch (fault_.kind) {
    case NocFaultKind::ReceiverDead:
      if (intended.credit[node_] != 0) mark(cycle, /*lasts=*/true);
      intended.credit[node_] = 0;
      return intended;
    case NocFaultKind::EntryLost:
      if (intended.valid[node_] == 0) return intended;
      pins_ = intended;
      pins_.valid[node_] = 0;
      mark(cycle);
      return pins_;
    case NocFaultKind::TakenCreditLost:
      if (intended.credit[node_] == 0) return intended;
      pins_ = intended;
      pins_.credit[node_] &= pins_.credit[node_] - 1;
      mark(cycle);
      return pins_;
    default:
      return intended;
  }
}

/// Sends one flit, where the user sends none, on a virtual channel without a credit: a further one
/// of the packet that has begun there, or a packet to the node itself.
void NocFaultInjector::overrun(std::uint64_t cycle, NocInputs& intended) {
  const noc::Network& network = device_.network;
  if (credits_.empty() || cycle != last_cycle_ + 1) {  // the first cycle, or one after a reset
    credits_.assign(network.sizes().vcs(), network.sizes().slots);
    is_in_packet_.assign(network.sizes().vcs(), false);
  }
  last_cycle_ = cycle;
  if (intended.valid[node_] == 0 && acts(cycle)) {
    const auto none = std::find(credits_.begin(), credits_.end(), 0U);
    if (none == credits_.end()) return;
    const auto vc = static_cast<std::uint8_t>(none - credits_.begin());
    const bool begins = !is_in_packet_[vc];
    intended.valid[node_] = 1;
    intended.vc[node_] = vc;
    intended.flit[node_] = begins ? noc::PacketFields(network).flit(/*head=*/true, /*tail=*/true,
                                                                    {node_, vc, node_}, 0)
                                  : network.flit(/*head=*/false, /*tail=*/false, 0, 0);
    mark(cycle);
    return;
  }
  if (intended.valid[node_] == 0) return;
  const std::uint32_t vc = intended.vc[node_];
  if (credits_[vc] != 0) --credits_[vc];
  is_in_packet_[vc] = !network.is_tail(intended.flit[node_]);
}

void NocFaultInjector::observe(std::uint64_t cycle, NocOutputs& outputs) {
  if (fault_.kind == NocFaultKind::FlitWithoutCredit) {
    for (std::size_t vc = 0; vc < credits_.size(); ++vc) {
      credits_[vc] += static_cast<std::uint32_t>(outputs.credit[link_] >> vc & 1U);
    }
  }
  if (!acts(cycle)) return;
  change_flit(cycle, outputs);
  change_order(cycle, outputs);
  change_credits(cycle, outputs);
}

/// Changes the content of one flit, or hides flits.
void NocFaultInjector::change_flit(std::uint64_t cycle, NocOutputs& outputs) {
  const noc::Network& network = device_.network;
  if (outputs.valid[link_] == 0) return;
  noc::Flit& flit = outputs.flit[link_];
  const noc::Flit head = noc::Flit{1} << (network.sizes().flit_bits - 1);
  const noc::Flit tail = head >> 1;
  switch (fault_.kind) {
    case NocFaultKind::PayloadBitFlip:
      flit ^= bit_;
      return mark(cycle);
    case NocFaultKind::DestinationChanged: {
      if (!network.is_head(flit) || other_ == 0) return;
      const std::uint32_t dst = network.destination(flit);
      flit = flit - dst + (dst + other_) % network.nodes();
      return mark(cycle);
    }
    case NocFaultKind::VcChanged: {
      const std::uint32_t vcs = network.sizes().vcs();
      std::uint8_t& vc = outputs.vc[link_];
      vc = static_cast<std::uint8_t>(vcs > 1 ? (vc + 1U) % vcs : 1U);
      return mark(cycle);
    }
    case NocFaultKind::HeadLost:
      if (!network.is_head(flit)) return;
      flit &= ~head;
      return mark(cycle);
    case NocFaultKind::TailLost:
      if (!network.is_tail(flit)) return;
      flit &= ~tail;
      return mark(cycle);
    case NocFaultKind::Drop:
      outputs.valid[link_] = 0;
      return mark(cycle);
    case NocFaultKind::OutputStalls:
      outputs.valid[link_] = 0;
      return mark(cycle, /*lasts=*/true);
    default:
      return;
  }
}

/// Shows a flit again, or behind the next one of its virtual channel, in a cycle without a flit.
void NocFaultInjector::change_order(std::uint64_t cycle, NocOutputs& outputs) {
  const bool again = fault_.kind == NocFaultKind::Duplicate;
  if (!again && fault_.kind != NocFaultKind::Reorder) return;
  if (outputs.valid[link_] != 0) {
    if (!kept_) {
      kept_ = Kept{outputs.vc[link_], outputs.flit[link_]};
      if (again) return;
      outputs.valid[link_] = 0;
      injected_at_ = cycle;
    } else if (outputs.vc[link_] == kept_->vc) {
      passed_ = true;
    }
    return;
  }
  if (!kept_ || (!again && !passed_)) return;
  outputs.valid[link_] = 1;
  outputs.vc[link_] = kept_->vc;
  outputs.flit[link_] = kept_->flit;
  mark(cycle);
}

void NocFaultInjector::change_credits(std::uint64_t cycle, NocOutputs& outputs) {
  noc::Mask& credits = outputs.credit[link_];
  switch (fault_.kind) {
    case NocFaultKind::CreditLost:
      if (credits == 0) return;
      credits &= credits - 1;
      return mark(cycle);
    case NocFaultKind::CreditsStop:
      if (credits == 0) return;
      credits = 0;
      return mark(cycle, /*lasts=*/true);
    case NocFaultKind::ExtraCredit: {
      const noc::Mask all = (noc::Mask{1} << device_.network.sizes().vcs()) - 1;
      const noc::Mask missing = all & ~credits;
      if (missing == 0) return;
      credits |= missing & (~missing + 1);
      return mark(cycle);
    }
    default:
      return;
  }
}

}  // namespace kernbench::sim
