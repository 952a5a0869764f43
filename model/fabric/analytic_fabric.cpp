#include "model/fabric/analytic_fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "model/engine/simulation.hpp"

namespace kernbench::model::fabric {
namespace {

using topology::DimensionOrder;
using topology::zoo::BaseTopology;
using topology::zoo::Channel;
using topology::zoo::FlattenedButterfly;
using topology::zoo::Grid;
using topology::zoo::Hop;

/// Stands for the end of a transfer where an event's argument has a node.
constexpr std::uint32_t kEnd = 0xFFFFFFFF;

constexpr std::uint64_t event_argument(std::uint32_t flight, std::uint32_t node) {
  return std::uint64_t{flight} << 32U | node;
}

Fabric::Properties properties_of(const BaseTopology& topology, const AnalyticSettings& settings) {
  return {.n_nodes = topology.n_nodes(),
          .period = settings.period,
          .packet_bits = settings.packet_bits,
          .has_rows_and_columns = dynamic_cast<const FlattenedButterfly*>(&topology) != nullptr};
}

void require_factor(const char* name, double value) {
  if (std::isfinite(value) && value >= 0) return;
  throw std::invalid_argument(fmt::format("'{}' must be at least 0, not {}", name, value));
}

}  // namespace

AnalyticFabric::AnalyticFabric(engine::Simulation& simulation, topology::zoo::TopologyPtr topology,
                               std::shared_ptr<const topology::zoo::RoutingRelation> relation,
                               AnalyticSettings settings)
    : Fabric(simulation, properties_of(*topology, settings)),
      topology_(std::move(topology)),
      relation_(std::move(relation)),
      rows_and_columns_(dynamic_cast<const FlattenedButterfly*>(topology_.get())),
      settings_(std::move(settings)),
      injection_(topology_->n_nodes()),
      links_(topology_->channels().size()) {
  if (&relation_->topology() != topology_.get()) {
    throw std::invalid_argument(fmt::format("a relation over {} cannot route {}",
                                            relation_->topology().name(), topology_->name()));
  }
  require_factor("injection_wait", settings_.parameters.injection_wait);
  require_factor("link_wait", settings_.parameters.link_wait);
  const std::vector<std::uint32_t>& stages = settings_.link_stages;
  if (stages.empty()) return;
  if (stages.size() != links_.size()) {
    throw std::invalid_argument(fmt::format("stages of {} channels for the {} of {}", stages.size(),
                                            links_.size(), topology_->name()));
  }
  for (std::size_t i = 0; i < links_.size(); ++i) links_[i].stages = stages[i];
}

LinkUse AnalyticFabric::use(std::uint32_t channel) const {
  const Link& link = links_.at(channel);
  LinkUse use = link.use;
  use.packets = link.server.moved(clock().edge_at_or_before(simulation().now()));
  return use;
}

void AnalyticFabric::carry(const Transfer& transfer) {
  if (transfer.type == TransferType::Unicast && transfer.src != transfer.dst &&
      relation_->next(transfer.src, std::nullopt, transfer.dst).empty()) {
    throw std::invalid_argument(fmt::format("transfer {}: {} has no way from node {} to node {}",
                                            transfer.id, topology_->name(), transfer.src,
                                            transfer.dst));
  }
  const std::uint32_t index = add_flight(transfer);
  Flight& flight = flights_[index];
  const Edge seen = clock().edge_after(simulation().now());
  const Edge injected = injection_[transfer.src].reserve(seen, flight.packets, transfer.qos,
                                                         settings_.parameters.injection_wait);
  flight.last = injected + flight.packets - 1;  // of the copy that stays at the source
  go_on_from(index, transfer.src, injected);
}

std::uint32_t AnalyticFabric::add_flight(const Transfer& transfer) {
  if (free_flights_.empty()) {
    free_flights_.push_back(static_cast<std::uint32_t>(flights_.size()));
    flights_.emplace_back();
  }
  const std::uint32_t index = free_flights_.back();
  free_flights_.pop_back();
  flights_[index] = Flight();
  flights_[index].transfer = transfer;
  flights_[index].packets = packets_of(transfer.bytes);
  return index;
}

/// The first packet can leave `node` at `edge`.
void AnalyticFabric::go_on_from(std::uint32_t index, std::uint32_t node, Edge edge) {
  ++flights_[index].branches;
  simulation().schedule(clock().time_of(edge), *this, event_argument(index, node));
}

void AnalyticFabric::on_event(std::uint64_t argument) {
  const auto index = static_cast<std::uint32_t>(argument >> 32U);
  const auto node = static_cast<std::uint32_t>(argument);
  if (node == kEnd) {
    finish(index);
    return;
  }
  const Edge edge = clock().edge_at_or_before(simulation().now());
  if (flights_[index].transfer.type == TransferType::Unicast) {
    advance_unicast(index, node, edge);
  } else {
    spread(index, node, edge);
  }
  Flight& flight = flights_[index];
  if (--flight.branches == 0) {
    simulation().schedule(clock().time_of(flight.last), *this, event_argument(index, kEnd));
  }
}

void AnalyticFabric::advance_unicast(std::uint32_t index, std::uint32_t node, Edge edge) {
  Flight& flight = flights_[index];
  const std::uint32_t dst = flight.transfer.dst;
  if (node == dst) return;  // from a node to itself
  const std::vector<Hop> hops = relation_->next(node, flight.in, dst);
  if (hops.empty()) {
    throw std::logic_error(fmt::format("{} leads from node {} to node {}, a dead end for node {}",
                                       relation_->name(), flight.transfer.src, node, dst));
  }
  flight.in = hops.front();
  const Edge out = cross(flight, flight.in->channel, edge);
  const std::uint32_t next = topology_->channels()[flight.in->channel].dst;
  if (next == dst) {
    flight.last = out + flight.packets - 1;
  } else {
    go_on_from(index, next, out + 1);
  }
}

/// The copies of a multicast that leave `node`.
void AnalyticFabric::spread(std::uint32_t index, std::uint32_t node, Edge edge) {
  const TransferType type = flights_[index].transfer.type;
  const bool at_source = node == flights_[index].transfer.src;
  const Grid& grid = rows_and_columns_->grid();
  const bool x_first = settings_.broadcast_order == DimensionOrder::XY;
  std::uint32_t number = topology_->first_channel_from(node);
  for (const Channel& channel : topology_->channels_from(node)) {
    const std::uint32_t link = number++;
    const bool along_x = grid.y_of(channel.dst) == grid.y_of(node);
    const bool in_first_dimension = along_x == x_first;
    if (type == TransferType::XMulticast && !along_x) continue;
    if (type == TransferType::YMulticast && along_x) continue;
    if (!at_source && in_first_dimension) continue;
    Flight& flight = flights_[index];
    const Edge out = cross(flight, link, edge);
    flight.last = std::max(flight.last, out + flight.packets - 1);
    if (type == TransferType::Broadcast && in_first_dimension) {
      go_on_from(index, channel.dst, out + 1);
    }
  }
}

/// Takes a channel at `edge` or as soon as it is free; returns when the first packet leaves it.
Edge AnalyticFabric::cross(const Flight& flight, std::uint32_t channel, Edge edge) {
  Link& link = links_[channel];
  const Edge entered = link.server.reserve(edge, flight.packets, flight.transfer.qos,
                                           settings_.parameters.link_wait);
  ++link.use.transfers;
  link.use.wait += entered - edge;
  link.use.longest_wait = std::max(link.use.longest_wait, entered - edge);
  return entered + link.stages;
}

void AnalyticFabric::finish(std::uint32_t index) {
  const std::uint64_t id = flights_[index].transfer.id;
  free_flights_.push_back(index);
  complete(id);
}

}  // namespace kernbench::model::fabric
