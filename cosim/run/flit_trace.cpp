// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/flit_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::cosim {

FlitTrace::FlitTrace(std::shared_ptr<const model::fabric::NocBase> base) : base_(std::move(base)) {}

std::string FlitTrace::link_name(std::size_t link) const {
  const topology::zoo::BaseTopology& topology = base_->topology();
  return topology::zoo::channel_name(topology, topology.channels()[link]);
}

std::string FlitTrace::fields_of(const TracedTransfer& transfer, const PacketStep& step) const {
  const std::uint32_t most = base_->settings().packet_flits;
  const std::uint32_t place = step.packet % most;
  const bool is_tail = place + 1 == most || step.packet + 1 == transfer.packets;
  return fmt::format(R"(, "vc": {}, "kind": "{}", "src": "{}", "dst": "{}")", step.vc,
                     place == 0 ? (is_tail ? "head and tail" : "head")
                     : is_tail  ? "tail"
                                : "body",
                     node_name(transfer.transfer.src), node_name(transfer.transfer.dst));
}

void FlitTrace::on_begun(common::SimTime submitted, Edge seen, Slot slot, const Transfer& transfer,
                         std::uint64_t flits) {
  if (flits > kMaxPackets) {
    throw std::length_error(fmt::format("flit trace: transfer {} has {} flits; the limit is {}",
                                        transfer.id, flits, kMaxPackets));
  }
  by_slot_.resize(std::max<std::size_t>(by_slot_.size(), slot + 1));
  last_steps_.resize(by_slot_.size());
  by_slot_[slot] = transfers_.size();
  last_steps_[slot].assign(flits, PacketStep::kNone);
  TracedTransfer& added = transfers_.emplace_back();
  added.transfer = transfer;
  added.submitted = submitted;
  added.seen = seen;
  added.packets = flits;
  added.missing = flits;
  last_edge_ = seen;
}

void FlitTrace::add(Slot slot, Edge edge, std::uint64_t flit, std::uint32_t node,
                    std::uint32_t port, std::uint32_t vc, PacketStep::Kind kind) {
  std::vector<PacketStep>& steps = transfers_[by_slot_[slot]].steps;
  std::uint32_t& last = last_steps_[slot].at(flit);
  steps.push_back({edge, static_cast<std::uint32_t>(flit), last, static_cast<std::uint16_t>(node),
                   static_cast<std::uint8_t>(port), kind, static_cast<std::uint8_t>(vc)});
  last = static_cast<std::uint32_t>(steps.size() - 1);
  last_edge_ = std::max(last_edge_, edge);
}

void FlitTrace::on_accepted(Edge edge, Slot slot, std::uint64_t flit, std::uint32_t vc) {
  const std::uint32_t node = transfers_[by_slot_[slot]].transfer.src;
  add(slot, edge, flit, node, base_->network().inputs(node) - 1, vc, PacketStep::Kind::Accepted);
}

void FlitTrace::on_sent(Edge edge, std::uint32_t channel, Slot slot, std::uint64_t flit,
                        std::uint32_t vc) {
  const noc::Network& network = base_->network();
  const noc::Channel& link = network.channels()[channel];
  const auto& outgoing = network.outgoing(link.src);
  const auto port = std::find(outgoing.begin(), outgoing.end(), channel) - outgoing.begin();
  add(slot, edge, flit, link.src, static_cast<std::uint32_t>(port), vc,
      PacketStep::Kind::Forwarded);
  add(slot, edge + 1 + link.stages, flit, link.dst, network.input_of(channel), vc,
      PacketStep::Kind::Queued);
}

void FlitTrace::on_delivered(Edge edge, Slot slot, std::uint64_t flit, std::uint32_t vc) {
  TracedTransfer& traced = transfers_[by_slot_[slot]];
  add(slot, edge, flit, traced.transfer.dst, 0, vc, PacketStep::Kind::Delivered);
  traced.last = edge;
  --traced.missing;
}

}  // namespace kernbench::cosim
