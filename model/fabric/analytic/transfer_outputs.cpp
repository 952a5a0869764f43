// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/analytic/transfer_outputs.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace kernbench::model::fabric {

using topology::DimensionOrder;
using topology::zoo::Channel;
using topology::zoo::FlattenedButterfly;
using topology::zoo::Grid;
using topology::zoo::Hop;

TransferOutputs::TransferOutputs(topology::zoo::TopologyPtr topology,
                                 std::shared_ptr<const topology::zoo::RoutingRelation> relation,
                                 DimensionOrder broadcast_order)
    : topology_(std::move(topology)),
      relation_(std::move(relation)),
      butterfly_(dynamic_cast<const FlattenedButterfly*>(topology_.get())),
      broadcast_order_(broadcast_order) {
  if (&relation_->topology() != topology_.get()) {
    throw std::invalid_argument(fmt::format("a relation over {} cannot route {}",
                                            relation_->topology().name(), topology_->name()));
  }
}

void TransferOutputs::require_route(const Transfer& transfer) const {
  if (transfer.type != TransferType::Unicast || transfer.src == transfer.dst) return;
  if (!relation_->next(transfer.src, std::nullopt, transfer.dst).empty()) return;
  throw std::invalid_argument(fmt::format("transfer {}: {} has no route from node {} to node {}",
                                          transfer.id, topology_->name(), transfer.src,
                                          transfer.dst));
}

const std::vector<TransferOutput>& TransferOutputs::find(const Transfer& transfer,
                                                         std::uint32_t node,
                                                         const std::optional<Hop>& in) {
  outputs_.clear();
  if (transfer.type != TransferType::Unicast) {
    find_multicast(transfer, node, !in);
  } else if (node != transfer.dst) {
    find_unicast(transfer, node, in);
  }
  return outputs_;
}

void TransferOutputs::find_unicast(const Transfer& transfer, std::uint32_t node,
                                   const std::optional<Hop>& in) {
  const std::vector<Hop> hops = relation_->next(node, in, transfer.dst);
  if (hops.empty()) {
    throw std::logic_error(fmt::format("{} leads from node {} to node {}, a dead end for node {}",
                                       relation_->name(), transfer.src, node, transfer.dst));
  }
  const Hop& hop = hops.front();
  outputs_.push_back({hop, topology_->channels()[hop.channel].dst == transfer.dst});
}

void TransferOutputs::find_multicast(const Transfer& transfer, std::uint32_t node, bool at_source) {
  const Grid& grid = butterfly_->grid();
  const bool x_first = broadcast_order_ == DimensionOrder::XY;
  std::uint32_t number = topology_->first_channel_from(node);
  for (const Channel& channel : topology_->channels_from(node)) {
    const Hop hop{number++, 0};
    const bool along_x = grid.y_of(channel.dst) == grid.y_of(node);
    const bool in_first_dimension = along_x == x_first;
    if (transfer.type == TransferType::XMulticast && !along_x) continue;
    if (transfer.type == TransferType::YMulticast && along_x) continue;
    if (!at_source && in_first_dimension) continue;
    outputs_.push_back({hop, transfer.type != TransferType::Broadcast || !in_first_dimension});
  }
}

}  // namespace kernbench::model::fabric
