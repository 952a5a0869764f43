// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/analytic/transfer_outputs.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace kernbench::model::fabric {

using topology::DimensionOrder;
using topology::Grid;
using topology::zoo::Channel;
using topology::zoo::FlattenedButterfly;
using topology::zoo::Hop;

TransferOutputs::TransferOutputs(topology::zoo::TopologyPtr topology,
                                 std::shared_ptr<const topology::zoo::RoutingRelation> relation,
                                 DimensionOrder order, bool exits)
    : topology_(std::move(topology)),
      relation_(std::move(relation)),
      butterfly_(dynamic_cast<const FlattenedButterfly*>(topology_.get())),
      order_(order),
      exits_(exits) {
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

std::vector<std::uint32_t> TransferOutputs::destinations(const Transfer& transfer) const {
  const Grid& grid = butterfly_->grid();
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t node = 0; node < grid.nodes(); ++node) {
    const bool other_x = grid.x_of(node) != grid.x_of(transfer.dst);
    const bool other_y = grid.y_of(node) != grid.y_of(transfer.dst);
    if (transfer.type == TransferType::XMulticast && other_x) continue;
    if (transfer.type == TransferType::YMulticast && other_y) continue;
    nodes.push_back(node);
  }
  return nodes;
}

const std::vector<TransferOutput>& TransferOutputs::find(const Transfer& transfer,
                                                         std::uint32_t node,
                                                         const std::optional<Hop>& in) {
  outputs_.clear();
  if (transfer.type != TransferType::Unicast) {
    find_multicast(transfer, node, in);
  } else if (node != transfer.dst) {
    find_unicast(transfer, node, in);
  } else {
    leave_at(node);
  }
  return outputs_;
}

/// Adds port B of a destination.
void TransferOutputs::leave_at(std::uint32_t node) {
  if (!exits_) return;
  const auto channels = static_cast<std::uint32_t>(topology_->channels().size());
  outputs_.push_back({{channels + node, 0}, true});
}

void TransferOutputs::find_unicast(const Transfer& transfer, std::uint32_t node,
                                   const std::optional<Hop>& in) {
  const std::vector<Hop> hops = relation_->next(node, in, transfer.dst);
  if (hops.empty()) {
    throw std::logic_error(fmt::format("{} leads from node {} to node {}, a dead end for node {}",
                                       relation_->name(), transfer.src, node, transfer.dst));
  }
  const Hop& hop = hops.front();
  const bool ends = !exits_ && topology_->channels()[hop.channel].dst == transfer.dst;
  outputs_.push_back({hop, ends});
}

bool TransferOutputs::same_first(std::uint32_t a, std::uint32_t b) const {
  const Grid& grid = butterfly_->grid();
  return order_ == DimensionOrder::XY ? grid.x_of(a) == grid.x_of(b) : grid.y_of(a) == grid.y_of(b);
}

bool TransferOutputs::same_second(std::uint32_t a, std::uint32_t b) const {
  const Grid& grid = butterfly_->grid();
  return order_ == DimensionOrder::XY ? grid.y_of(a) == grid.y_of(b) : grid.x_of(a) == grid.x_of(b);
}

bool TransferOutputs::changes_first(const Channel& channel) const {
  return same_second(channel.src, channel.dst);
}

/// A column fixes x and spreads along Y, a row fixes y and spreads along X, a broadcast spreads
/// along both (MAZE network, requirement 2.8).
void TransferOutputs::find_multicast(const Transfer& transfer, std::uint32_t node,
                                     const std::optional<Hop>& in) {
  const bool x_first = order_ == DimensionOrder::XY;
  const bool fixes_first =
      transfer.type == (x_first ? TransferType::XMulticast : TransferType::YMulticast);
  const bool fixes_second =
      transfer.type == (x_first ? TransferType::YMulticast : TransferType::XMulticast);
  const bool in_second = in && !changes_first(topology_->channels()[in->channel]);
  const bool to_corner = !in && fixes_first && !same_first(node, transfer.dst);
  std::uint32_t number = topology_->first_channel_from(node);
  for (const Channel& channel : topology_->channels_from(node)) {
    const Hop hop{number++, 0};
    if (changes_first(channel)) {
      if (in || (fixes_first && !(to_corner && same_first(channel.dst, transfer.dst)))) continue;
      // The next node has no node to send to if it is in the target's row, or the only one there.
      const bool alone =
          fixes_second ? same_second(channel.dst, transfer.dst) : nodes_in_second() == 1;
      outputs_.push_back({hop, !exits_ && alone});
    } else if (!in_second && !to_corner &&
               (!fixes_second || same_second(channel.dst, transfer.dst))) {
      outputs_.push_back({hop, !exits_});
    }
  }
  const bool here = in_second || (!to_corner && (!fixes_second || same_second(node, transfer.dst)));
  if (here) leave_at(node);
}

std::uint32_t TransferOutputs::nodes_in_second() const {
  const Grid& grid = butterfly_->grid();
  return order_ == DimensionOrder::XY ? grid.ny : grid.nx;
}

}  // namespace kernbench::model::fabric
