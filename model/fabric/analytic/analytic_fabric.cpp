#include "model/fabric/analytic/analytic_fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
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

Fabric::Properties properties_of(const BaseTopology& topology, const AnalyticSettings& settings) {
  return {.n_nodes = topology.n_nodes(),
          .period = settings.period,
          .packet_bits = settings.packet_bits,
          .has_rows_and_columns = dynamic_cast<const FlattenedButterfly*>(&topology) != nullptr};
}

void require_of_all_channels(const std::vector<std::uint32_t>& values, const char* name,
                             const BaseTopology& topology) {
  if (values.empty() || values.size() == topology.channels().size()) return;
  throw std::invalid_argument(fmt::format("{} of {} channels for the {} of {}", name, values.size(),
                                          topology.channels().size(), topology.name()));
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
      channels_(static_cast<std::uint32_t>(topology_->channels().size())),
      links_(std::size_t{channels_} + topology_->n_nodes()),
      queues_(settings_.finite_queues ? std::size_t{channels_} * 2 : 0),
      sources_(topology_->n_nodes()) {
  if (&relation_->topology() != topology_.get()) {
    throw std::invalid_argument(fmt::format("a relation over {} cannot route {}",
                                            relation_->topology().name(), topology_->name()));
  }
  if (settings_.finite_queues && rows_and_columns_ == nullptr) {
    throw std::invalid_argument(
        fmt::format("finite queues in {}, which has no rows and columns", topology_->name()));
  }
  require_sound(settings_.parameters);
  require_of_all_channels(settings_.link_stages, "stages", *topology_);
  require_of_all_channels(settings_.link_turns, "turns", *topology_);
  for (std::uint32_t i = 0; i < channels_; ++i) {
    Link& link = links_[i];
    link.stages = settings_.link_stages.empty() ? 0 : settings_.link_stages[i];
    link.turn = settings_.link_turns.empty() ? i : settings_.link_turns[i];
    link.end = topology_->channels()[i].dst;
  }
  for (std::uint32_t node = 0; node < topology_->n_nodes(); ++node) {
    links_[channels_ + node].end = node;
  }
}

LinkUse AnalyticFabric::use(std::uint32_t channel) const {
  if (channel >= channels_) throw std::out_of_range(fmt::format("there is no channel {}", channel));
  const Link& link = links_[channel];
  return {.transfers = link.transfers, .packets = link.server.moved(now())};
}

Edge AnalyticFabric::now() const {
  return clock().edge_at_or_before(simulation().now());
}

void AnalyticFabric::schedule(Edge edge, Happening what, std::uint32_t index,
                              std::uint32_t generation) {
  simulation().schedule(clock().time_of(edge), *this, {what, index, generation});
}

void AnalyticFabric::on_event(engine::EventArgument argument) {
  const std::uint32_t index = argument.index();
  switch (argument.tag<Happening>()) {
    case Happening::Through: {
      Link& link = links_[index];
      if (link.planned <= now()) link.planned = kNever;
      if (const auto flow = link.server.through(now())) on_through(*flow);
      plan(index);
      break;
    }
    case Happening::Arrived:
      on_arrived(index);
      break;
    case Happening::Released:
      flows_[index].held = false;
      pause(index);
      go(index);
      break;
    case Happening::StrideSupplied:
    case Happening::Supplied: {
      Leg& leg = legs_[index];
      if (leg.generation != argument.generation()) break;
      const std::uint64_t most = supplied_by(leg.upstream, leg);
      supply(leg, argument.tag<Happening>() == Happening::Supplied
                      ? most
                      : std::min(most, leg.supplied + settings_.parameters.multicast_stride));
      break;
    }
    case Happening::Done: {
      const std::uint64_t id = flights_[index].transfer.id;
      flights_.release(index);
      complete(id);
      break;
    }
  }
}

// At the source: one transfer after the other, high QoS first.

void AnalyticFabric::carry(const Transfer& transfer) {
  if (transfer.type == TransferType::Unicast && transfer.src != transfer.dst &&
      relation_->next(transfer.src, std::nullopt, transfer.dst).empty()) {
    throw std::invalid_argument(fmt::format("transfer {}: {} has no way from node {} to node {}",
                                            transfer.id, topology_->name(), transfer.src,
                                            transfer.dst));
  }
  const std::uint32_t flight = flights_.take();
  flights_[flight] = {.transfer = transfer, .packets = packets_of(transfer.bytes), .legs = 1};
  const LegId id = legs_.take();
  Leg& leg = legs_[id];
  leg.flight = flight;
  leg.node = transfer.src;
  leg.in.reset();
  leg.upstream = kNone;
  leg.supplied = flights_[flight].packets;
  Source& source = sources_[transfer.src];
  source.legs[static_cast<std::size_t>(transfer.qos)].push(id);
  if (source.sending == kNone) {
    send_next(transfer.src);
  } else if (transfer.qos == Qos::High && qos_of(legs_[source.sending]) == Qos::Low) {
    suspend(legs_[source.sending]);
    send_next(transfer.src);
  }
}

void AnalyticFabric::send_next(std::uint32_t node) {
  Source& source = sources_[node];
  source.sending = kNone;
  for (const Qos qos : {Qos::High, Qos::Low}) {
    const auto& legs = source.legs[static_cast<std::size_t>(qos)];
    if (legs.empty()) continue;
    source.sending = legs.front();
    if (legs_[source.sending].flows.empty()) {
      begin(source.sending);
    } else {
      resume(legs_[source.sending]);
    }
    return;
  }
}

void AnalyticFabric::suspend(Leg& leg) {
  leg.sending = false;
  for (const FlowId id : leg.flows) {
    pause(id);
    const LegId next = flows_[id].next;
    if (next != kNone) {
      supply(legs_[next], std::min(legs_[next].supplied, supplied_by(id, legs_[next])));
    }
  }
}

void AnalyticFabric::resume(Leg& leg) {
  leg.sending = true;
  for (const FlowId id : leg.flows) {
    go(id);
    const LegId next = flows_[id].next;
    if (next == kNone) continue;
    schedule(now() + 1 + links_[flows_[id].link].stages, Happening::Supplied, next,
             legs_[next].generation);
  }
}

// A leg.

/// It is its turn at its node.
void AnalyticFabric::begin(LegId id) {
  choose_outputs(id);
  Leg& leg = legs_[id];
  const std::uint64_t packets = flight_of(leg).packets;
  leg.sending = true;
  leg.ticket = ++tickets_;
  leg.abreast = 0;
  leg.mark = 0;
  leg.unfinished = static_cast<std::uint32_t>(leg.flows.size());
  leg.allowed = leg.flows.size() == 1
                    ? packets
                    : std::min<std::uint64_t>(packets, settings_.parameters.multicast_stride);
  for (const FlowId flow : leg.flows) {
    if (settings_.finite_queues && !leg.in) enter_queue(flow);
    go(flow);
  }
}

void AnalyticFabric::choose_outputs(LegId id) {
  const Leg& leg = legs_[id];
  const Transfer& transfer = flight_of(leg).transfer;
  const std::uint32_t node = leg.node;
  if (transfer.type == TransferType::Unicast && node != transfer.dst) {
    const std::vector<Hop> hops = relation_->next(node, leg.in, transfer.dst);
    if (hops.empty()) {
      throw std::logic_error(fmt::format("{} leads from node {} to node {}, a dead end for node {}",
                                         relation_->name(), transfer.src, node, transfer.dst));
    }
    add_flow(id, hops.front(), topology_->channels()[hops.front().channel].dst != transfer.dst);
  } else if (transfer.type != TransferType::Unicast) {
    const Grid& grid = rows_and_columns_->grid();
    const bool x_first = settings_.broadcast_order == DimensionOrder::XY;
    std::uint32_t number = topology_->first_channel_from(node);
    for (const Channel& channel : topology_->channels_from(node)) {
      const std::uint32_t link = number++;
      const bool along_x = grid.y_of(channel.dst) == grid.y_of(node);
      const bool in_first_dimension = along_x == x_first;
      if (transfer.type == TransferType::XMulticast && !along_x) continue;
      if (transfer.type == TransferType::YMulticast && along_x) continue;
      if (leg.in && in_first_dimension) continue;
      add_flow(id, {link, 0}, transfer.type == TransferType::Broadcast && in_first_dimension);
    }
  }
  if (leg.flows.empty()) add_flow(id, {channels_ + node, 0}, false);  // to itself alone
}

void AnalyticFabric::add_flow(LegId id, const Hop& hop, bool leads_on) {
  const FlowId flow = flows_.take();
  flows_[flow] = {};
  flows_[flow].leg = id;
  flows_[flow].link = hop.channel;
  flows_[flow].vc = hop.vc;
  flows_[flow].leads_on = leads_on;
  legs_[id].flows.push_back(flow);
  ++links_[hop.channel].transfers;
}

/// All its copies have left.
void AnalyticFabric::finish(LegId id) {
  Leg& leg = legs_[id];
  for (const FlowId flow : leg.flows) flows_.release(flow);
  leg.flows.clear();
  if (leg.upstream != kNone) flows_[leg.upstream].next = kNone;
  leg.generation = (leg.generation + 1) % engine::EventArgument::kGenerations;
  legs_.release(id);

  Flight& flight = flights_[leg.flight];
  flight.last = std::max(flight.last, now());  // of the copy that stays at the source
  if (--flight.legs == 0) schedule(flight.last, Happening::Done, leg.flight);
  if (!leg.in) {
    const std::uint32_t node = leg.node;
    Source& source = sources_[node];
    source.legs[static_cast<std::size_t>(flight.transfer.qos)].pop();
    if (source.sending == id) send_next(node);
  } else if (settings_.finite_queues) {
    Queue& queue = queue_before(leg);
    queue.legs.pop();
    queue.left += flight.packets;
    if (!queue.legs.empty()) begin(queue.legs.front());
    watch(queue);
  }
}

/// From now on it has `packets` to send.
void AnalyticFabric::supply(Leg& leg, std::uint64_t packets) {
  leg.supplied = packets;
  for (const FlowId id : leg.flows) {
    pause(id);
    go(id);
  }
}

/// Packets that a leg will have got when all that is under way from `upstream` has come.
std::uint64_t AnalyticFabric::supplied_by(FlowId upstream, const Leg& leg) const {
  if (upstream == kNone) return flight_of(leg).packets;
  const Leg& from = legs_[flows_[upstream].leg];
  return from.sending ? from.allowed : flows_[upstream].moved;
}

}  // namespace kernbench::model::fabric
