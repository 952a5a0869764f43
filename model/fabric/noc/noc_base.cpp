// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/noc/noc_base.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <stdexcept>
#include <utility>

#include "common/text_lines.hpp"
#include "noc/relation_network.hpp"
#include "topology/zoo/endpoint_routes.hpp"
#include "topology/zoo/routing/dependency_check.hpp"
#include "topology/zoo/routing/natural_routing.hpp"

namespace kernbench::model::fabric {

namespace zoo = topology::zoo;

namespace {

/// Returns the bits of a number below `count`.
std::uint32_t bits_below(std::uint64_t count) {
  return static_cast<std::uint32_t>(std::bit_width(count - 1));
}

/// Returns the bits that tell the packets apart that are inside the network at once: at most one in
/// each slot and register.
std::uint32_t bits_of_numbers(const zoo::RoutingRelation& relation, const NocSettings& settings) {
  const zoo::BaseTopology& topology = relation.topology();
  const std::uint64_t inputs = topology.channels().size() + topology.n_nodes();
  const std::uint64_t vcs = std::uint64_t{relation.n_vcs()} * settings.lanes;
  return bits_below(
      inputs * (vcs * settings.slots + zoo::most_stages(topology, settings.stages) + 1) + 1);
}

void require(std::uint64_t value, std::uint64_t least, std::uint64_t most, const char* name) {
  if (value >= least && value <= most) return;
  throw std::invalid_argument(fmt::format("{} is {}, not {} to {}", name, value, least, most));
}

NocSettings checked(const NocSettings& settings) {
  require(settings.lanes, 1, noc::Network::kMaxInputVcs, "the number of lanes");
  require(settings.slots, 1, 255, "the number of slots");
  require(settings.stages, 0, 15, "the number of stages");
  require(settings.flit_bits, 1, 65536, "the number of data bits of a flit");
  require(settings.packet_flits, 1, 65536, "the number of flits of a packet");
  return settings;
}

/// Returns the network whose flits have `rest` bits beside head, tail and fields.
noc::Network network_of(const zoo::RoutingRelation& relation, const NocSettings& settings,
                        std::uint32_t rest) {
  const zoo::BaseTopology& topology = relation.topology();
  const std::uint32_t vcs = relation.n_vcs() * settings.lanes;
  const std::uint32_t bits = noc::PacketFields::least_flit_bits(topology.n_nodes(), vcs) - 1 + rest;
  if (bits > 64) {
    throw std::invalid_argument(
        fmt::format("flits of {} have {} bits with addresses and numbers; 64 is the most",
                    topology.name(), bits));
  }
  return noc::network_of(relation,
                         {.lanes = settings.lanes, .slots = settings.slots, .flit_bits = bits},
                         settings.stages);
}

}  // namespace

std::shared_ptr<const zoo::RoutingRelation> checked_routes(const zoo::BaseTopology& topology) {
  std::shared_ptr<const zoo::RoutingRelation> relation = zoo::natural_routing(topology);
  if (!topology.own_routing()) return relation;
  const zoo::RoutingCheck check = zoo::check_routing(*relation);
  if (check.passed()) return relation;
  throw std::invalid_argument("traffic needs routes that arrive and cannot deadlock\n" +
                              zoo::routing_report(topology, check) + zoo::verdict_text(check));
}

NocBase::NocBase(zoo::TopologyPtr topology, const NocSettings& settings)
    : topology_(std::move(topology)),
      relation_(checked_routes(*topology_)),
      settings_(checked(settings)),
      number_bits_(bits_of_numbers(*relation_, settings_)),
      data_bits_(std::min(settings_.flit_bits, 32U)),
      network_(network_of(*relation_, settings_, number_bits_ + data_bits_)),
      fields_(network_) {}

noc::Flit NocBase::flit(bool head, bool tail, const Fields& fields) const {
  return fields_.flit(head, tail, fields.origin,
                      std::uint64_t{fields.data} << number_bits_ | fields.number);
}

NocBase::Fields NocBase::fields(noc::Flit flit) const {
  const std::uint64_t rest = flit >> fields_.rest_at();
  const std::uint64_t data_mask = (std::uint64_t{1} << data_bits_) - 1;
  return {fields_.origin(flit), static_cast<std::uint32_t>(rest & number_mask()),
          static_cast<std::uint32_t>(rest >> number_bits_ & data_mask)};
}

void NocBase::require_carried(const Transfer& transfer) const {
  if (transfer.qos == Qos::High) {
    throw std::invalid_argument(fmt::format("transfer {}: the routers of {} have no levels of QoS",
                                            transfer.id, topology_->name()));
  }
  if (transfer.src == transfer.dst ||
      !relation_->next(transfer.src, std::nullopt, transfer.dst).empty()) {
    return;
  }
  throw std::invalid_argument(fmt::format("transfer {}: {} has no route from {} to {}", transfer.id,
                                          topology_->name(), node_name(transfer.src),
                                          node_name(transfer.dst)));
}

std::string NocBase::node_name(std::uint32_t node) const {
  const auto& names = topology_->node_names();
  return names.empty() ? fmt::format("node {}", node) : names[node];
}

std::string text_of(const NocSettings& sizes) {
  using common::counted;
  return fmt::format("routers with {} of {} a class, {} a link, packets of up to {}",
                     counted(sizes.lanes, "lane"), counted(sizes.slots, "slot"),
                     counted(sizes.stages, "register"), counted(sizes.packet_flits, "flit"));
}

NocSettings noc_settings(const topology::NocSpec& noc) {
  return {.lanes = noc.lanes,
          .slots = noc.slots,
          .stages = noc.stages,
          .flit_bits = noc.flit_bits,
          .packet_flits = noc.packet_flits};
}

std::shared_ptr<const NocBase> noc_base_of(const topology::NocTopology& topology,
                                           const topology::NocSpec& noc) {
  return std::make_shared<const NocBase>(topology->topology(), noc_settings(noc));
}

}  // namespace kernbench::model::fabric
