// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/noc/noc_transfers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "model/fabric/clocked/fabric_failure.hpp"
#include "model/fabric/clocked/transfer_data.hpp"

namespace kernbench::model::fabric {

NocTransfers::NocTransfers(std::shared_ptr<const NocBase> base,
                           std::unique_ptr<FlitNetwork> network, const NocUserSettings& settings)
    : base_(std::move(base)),
      network_(std::move(network)),
      vcs_(base_->network().sizes().vcs()),
      quiet_cycles_(base_->hop_cycles() + 2),
      stall_threshold_(common::probability_threshold(settings.receiver_stalls)),
      stalls_(common::Rng::stream(settings.seed, "receiver stalls")),
      observer_(settings.observer) {
  if (observer_ != nullptr) {
    view_.sees_channels = true;
    passed_.resize(base_->network().channels().size() * vcs_);
  }
  Source source;
  source.credits.assign(vcs_, base_->settings().slots);
  sources_.assign(base_->network().nodes(), source);
  receivers_.assign(base_->network().nodes(), {std::vector<std::uint64_t>(vcs_, kNoPacket),
                                               std::vector<std::uint32_t>(vcs_)});
}

Fabric::Properties NocTransfers::properties(common::SimTime period) const {
  return {.n_nodes = base_->network().nodes(),
          .period = period,
          .packet_bits = base_->settings().flit_bits};
}

Slot NocTransfers::accept(const Transfer& transfer, std::uint64_t packets) {
  const bool is_known = numbers_.find(flow_of(transfer.src, transfer.dst)) != nullptr;
  if (!is_known || transfer.qos == Qos::High) base_->require_carried(transfer);
  return transfers_.add(transfer, packets);
}

void NocTransfers::begin(Slot slot, Edge seen, common::SimTime at) {
  if (observer_ != nullptr) {
    observer_->on_begun(at, seen, slot, transfers_[slot].transfer, transfers_[slot].packets);
  }
  const std::uint32_t node = transfers_[slot].transfer.src;
  Source& source = sources_[node];
  (source.first == kNoSlot ? source.first : transfers_[source.last].next_at_source) = slot;
  source.last = slot;
  if (!std::exchange(source.is_sending, true)) sending_.push_back(node);
  ++under_way_;
}

Edge NocTransfers::drain_cycles() const {
  // A surplus flit leaves within the longest way of an empty network.
  return Edge{base_->network().nodes()} * base_->hop_cycles();
}

bool NocTransfers::move(Edge edge) {
  take_flits();
  bool moved = send(edge);
  network_->step(edge, view_);
  for (const NocUserView::Credit& credit : view_.credits) {
    ++sources_[credit.node].credits[credit.vc];
  }
  if (observer_ != nullptr) observe_channels(edge);
  for (const NocUserView::Arrival& arrival : view_.arrivals) {
    receive(edge, arrival);
    moved = true;
  }
  if (under_way_ != 0 || !taking_.empty()) {
    quiet_ = quiet_cycles_;
  } else if (quiet_ != 0) {
    --quiet_;
  }
  return moved;
}

void NocTransfers::take_flits() {
  std::erase_if(taking_, [this](std::uint32_t node) {
    if (stall_threshold_ != 0 && stalls_.chance(stall_threshold_)) return false;
    Receiver& receiver = receivers_[node];
    for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
      if (receiver.held[vc] == 0) continue;
      --receiver.held[vc];
      network_->take(node, vc);
    }
    receiver.is_taking = std::any_of(receiver.held.begin(), receiver.held.end(),
                                     [](std::uint32_t held) { return held != 0; });
    return !receiver.is_taking;
  });
}

/// Sends a flit from each source that has one and a credit. Returns true if there was one.
bool NocTransfers::send(Edge edge) {
  bool sent = false;
  std::erase_if(sending_, [&](std::uint32_t node) {
    sent = send_from(edge, node) || sent;
    Source& source = sources_[node];
    source.is_sending = source.first != kNoSlot;
    return !source.is_sending;
  });
  return sent;
}

bool NocTransfers::send_from(Edge edge, std::uint32_t node) {
  Source& source = sources_[node];
  const bool is_head = source.left == 0;
  if (is_head) {
    std::uint32_t vc = source.vc;
    do {
      vc = vc + 1 == vcs_ ? 0 : vc + 1;
    } while (source.credits[vc] == 0 && vc != source.vc);
    if (source.credits[vc] == 0) return false;
    begin_packet(node, vc);
  } else if (source.credits[source.vc] == 0) {
    return false;
  }
  --source.credits[source.vc];
  OpenTransfer& open = transfers_[source.first];
  const noc::Flit flit =
      base_->flit(is_head, source.left == 1,
                  {{node, source.vc, open.transfer.dst},
                   source.number,
                   packet_data(open.transfer.id, open.sent, base_->data_bits())});
  network_->send(node, source.vc, flit);
  record(edge, std::size_t{node} * vcs_ + source.vc, flit);
  if (observer_ != nullptr) observer_->on_accepted(edge, source.first, open.sent, source.vc);
  --source.left;
  if (++open.sent == open.packets) source.first = open.next_at_source;
  return true;
}

void NocTransfers::begin_packet(std::uint32_t node, std::uint32_t vc) {
  Source& source = sources_[node];
  const OpenTransfer& open = transfers_[source.first];
  source.vc = vc;
  source.left = std::min<std::uint64_t>(open.packets - open.sent, base_->settings().packet_flits);
  const std::uint64_t flow = flow_of(node, open.transfer.dst);
  if (std::uint32_t* next = numbers_.find(flow)) {
    source.number = *next;
    *next = (*next + 1) & base_->number_mask();
  } else {
    source.number = 0;
    numbers_.insert(flow, 1 & base_->number_mask());
  }
  packets_.insert(key_of({{node, vc, open.transfer.dst}, source.number, 0}),
                  {source.first, open.sent, source.left, 0});
}

std::uint64_t NocTransfers::key_of(const NocBase::Fields& fields) const {
  return flow_of(fields.origin.src, fields.origin.dst) << 32U | fields.number;
}

/// Tells the observer which flits the routers have sent. They left at the edge before this one.
void NocTransfers::observe_channels(Edge edge) {
  for (const noc::LinkFlit& sent : view_.channels) {
    const Packet* packet = packets_.find(key_of(base_->fields(sent.flit)));
    if (packet == nullptr) continue;  // its receiver will reject it
    std::uint64_t& passed = passed_[std::size_t{sent.link} * vcs_ + sent.vc];
    if (base_->network().is_head(sent.flit)) passed = 0;
    observer_->on_sent(edge - 1, sent.link, packet->slot, packet->first + passed++, sent.vc);
  }
}

void NocTransfers::receive(Edge edge, const NocUserView::Arrival& arrival) {
  const noc::Network& network = base_->network();
  record(edge, (network.nodes() + std::size_t{arrival.node}) * vcs_ + arrival.vc, arrival.flit);
  const NocBase::Fields fields = base_->fields(arrival.flit);
  Receiver& receiver = receivers_[arrival.node];
  ++receiver.held[arrival.vc];
  if (!std::exchange(receiver.is_taking, true)) taking_.push_back(arrival.node);
  std::uint64_t& current = receiver.packets[arrival.vc];
  const std::uint64_t key = key_of(fields);
  if (fields.origin.dst != arrival.node) reject(edge, arrival, "its destination is another node");
  const bool is_head = network.is_head(arrival.flit);
  if (is_head != (current == kNoPacket)) {
    reject(edge, arrival, is_head ? "the packet before it has not ended" : "it follows no head");
  }
  if (!is_head && current != key) reject(edge, arrival, "its packet is another one");
  Packet* packet = packets_.find(key);
  if (packet == nullptr) reject(edge, arrival, "no such packet is on its way");
  if (is_head && packet->received != 0) reject(edge, arrival, "its packet has arrived");
  OpenTransfer& open = transfers_[packet->slot];
  const std::uint64_t index = packet->first + packet->received;
  if (index >= open.sent) reject(edge, arrival, "it was not sent");
  if (fields.data != packet_data(open.transfer.id, index, base_->data_bits())) {
    reject(edge, arrival, "its data are others");
  }
  const bool is_tail = ++packet->received == packet->flits;
  if (network.is_tail(arrival.flit) != is_tail) {
    reject(edge, arrival, is_tail ? "its packet ends here" : "its packet does not end here");
  }
  const Slot slot = packet->slot;
  if (observer_ != nullptr) observer_->on_delivered(edge, slot, index, arrival.vc);
  current = is_tail ? kNoPacket : key;
  if (is_tail) packets_.take(key);
  if (++open.received == open.packets) finish(slot);
}

void NocTransfers::finish(Slot slot) {
  done_.push_back(transfers_[slot].transfer.id);
  transfers_.remove(slot);
  --under_way_;
}

void NocTransfers::reject(Edge edge, const NocUserView::Arrival& arrival, const char* why) const {
  throw FabricFailure(edge,
                      fmt::format("port B of {}, virtual channel {}: an unexpected flit 0x{:x}: {}",
                                  base_->node_name(arrival.node), arrival.vc, arrival.flit, why));
}

std::string NocTransfers::what_waits() const {
  std::string text =
      text_of_open(transfers_, [this](std::uint32_t node) { return base_->node_name(node); });
  const auto circle = network_->circle();
  for (const noc::LinkCredit& one : circle) {
    text += fmt::format(
        "{}{} vc{}", &one == circle.data() ? "; these wait for each other: " : ", ",
        topology::zoo::channel_name(base_->topology(), base_->topology().channels()[one.link]),
        one.vc);
  }
  return text;
}

}  // namespace kernbench::model::fabric
