// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/analytic/analytic_fabric.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "model/engine/simulation.hpp"
#include "topology/zoo/base/flattened_butterfly.hpp"

namespace kernbench::model::fabric {
namespace {

using topology::zoo::BaseTopology;

Fabric::Properties properties_of(const BaseTopology& topology, const AnalyticSettings& settings) {
  return {.n_nodes = topology.n_nodes(),
          .period = settings.period,
          .packet_bits = settings.packet_bits,
          .has_rows_and_columns =
              dynamic_cast<const topology::zoo::FlattenedButterfly*>(&topology) != nullptr,
          .failed = settings.failed};
}

void require_for_all_channels(const std::vector<std::uint32_t>& values, const char* name,
                              const BaseTopology& topology) {
  if (values.empty() || values.size() == topology.channels().size()) return;
  throw std::invalid_argument(fmt::format("{} {} given for the {} channels of {}", values.size(),
                                          name, topology.channels().size(), topology.name()));
}

}  // namespace

AnalyticFabric::AnalyticFabric(engine::Simulation& simulation, topology::zoo::TopologyPtr topology,
                               std::shared_ptr<const topology::zoo::RoutingRelation> relation,
                               AnalyticSettings settings)
    : Fabric(simulation, properties_of(*topology, settings)),
      settings_(std::move(settings)),
      outputs_(std::move(topology), std::move(relation), settings_.multicast_order,
               settings_.staged_nodes),
      channels_(static_cast<std::uint32_t>(outputs_.topology().channels().size())),
      links_(std::size_t{channels_} + n_nodes()) {
  const BaseTopology& routers = outputs_.topology();
  if (settings_.finite_queues && !outputs_.has_rows_and_columns()) {
    throw std::invalid_argument(
        fmt::format("finite queues need rows and columns, which {} does not have", routers.name()));
  }
  require_sound(settings_.parameters);
  require_for_all_channels(settings_.link_stages, "stages", routers);
  require_for_all_channels(settings_.link_turns, "turns", routers);
  for (std::uint32_t i = 0; i < channels_; ++i) {
    Link& link = links_[i];
    link.stages = settings_.link_stages.empty() ? 0 : settings_.link_stages[i];
    link.turn = settings_.link_turns.empty() ? i : settings_.link_turns[i];
    link.end = routers.channels()[i].dst;
  }
  for (std::uint32_t place = 0; place < channels_ + n_nodes(); ++place) {
    const bool is_source = place >= channels_;
    for (const Qos qos : {Qos::Low, Qos::High}) {
      queues_.push_back({.turn = is_source ? kOwnPackets : links_[place].turn,
                         .before = place,
                         .is_source = is_source,
                         .qos = qos});
    }
  }
  for (std::uint32_t node = 0; node < n_nodes(); ++node) {
    links_[channels_ + node].end = node;
    links_[channels_ + node].stages = settings_.staged_nodes ? 1 : 0;
  }
}

LinkUse AnalyticFabric::use(std::uint32_t channel) const {
  if (channel >= channels_)
    throw std::out_of_range(fmt::format("channel {} does not exist", channel));
  const Link& link = links_[channel];
  const Edge from = now() + 1;
  std::uint64_t packets = link.packets - (link.free_at > from ? link.free_at - from : 0);
  if (link.express != kNone) {
    const Express& express = expresses_[link.express];
    for (const Express::Step& step : express.steps) {
      if (step.link == channel) packets += express.entered(step, now());
    }
  }
  return {.transfers = link.transfers, .packets = packets};
}

Edge AnalyticFabric::now() const {
  return clock().edge_at_or_before(simulation().now());
}

void AnalyticFabric::carry(const Transfer& transfer) {
  outputs_.require_route(transfer);
  const std::uint32_t flight = flights_.take();
  flights_[flight] = {.transfer = transfer, .packets = packets_of(transfer.bytes)};
  const auto add = [&](std::uint32_t target) {
    const LegId leg =
        add_leg(flight, transfer.src, target, std::nullopt,
                outputs_.find(transfer_to(flight, target), transfer.src, std::nullopt));
    if (settings_.staged_nodes) {
      schedule(now() + settings_.source_stages, EventKind::Submitted, leg);
    } else {
      start_at_source(leg);
    }
  };
  if (transfer.type == TransferType::Unicast || !failed()) {
    add(transfer.dst);
    return;
  }
  // The source sends a multicast as unicasts, in the order of nodes (requirement 2.7).
  for (const std::uint32_t target : outputs_.destinations(transfer)) {
    if (target != failed()) add(target);
  }
}

void AnalyticFabric::schedule(Edge edge, EventKind kind, std::uint32_t index) {
  simulation().schedule(clock().time_of(edge), *this, {kind, index});
}

void AnalyticFabric::on_event(engine::EventArgument argument) {
  const std::uint32_t index = argument.index();
  switch (argument.tag<EventKind>()) {
    case EventKind::Submitted:
      start_at_source(index);
      break;
    case EventKind::LinkDue:
      on_link_due(index);
      break;
    case EventKind::ExpressDue: {
      const Express& express = expresses_[index];
      const bool is_over = express.steps.empty();
      if (!is_over && express.steps.front().enter + express.packets == now() + 1) {
        end_express(index);
      }
      break;
    }
    case EventKind::TransferDone: {
      const std::uint64_t id = flights_[index].transfer.id;
      flights_.release(index);
      complete(id);
      break;
    }
  }
}

}  // namespace kernbench::model::fabric
