// SPDX-License-Identifier: Apache-2.0
#include "cosim/workload/recorded_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "topology/exchange/edge_list_import.hpp"
#include "topology/exchange/import_report.hpp"
#include "topology/zoo/base/custom_topology.hpp"
#include "topology/zoo/routing/natural_routing.hpp"
#include "topology/zoo/table/routing_table.hpp"
#include "topology/zoo/zoo_export.hpp"
#include "topology/zoo/zoo_text.hpp"

namespace kernbench::common {

using cosim::RecordedNetwork;

template <>
const Description<RecordedNetwork>& description_of() {
  static const std::string kOfGraph = "the text of the zoo does not give the network";
  static const auto kAll =
      Description<RecordedNetwork>()
          .add("topology", &RecordedNetwork::topology, "text of the zoo")
          .absent_unless("it gives the network")
          .add("nodes", &RecordedNetwork::nodes)
          .absent_unless(kOfGraph)
          .within(1, topology::zoo::kMaxNodes)
          .add("channels", &RecordedNetwork::channels, "source and destination of each")
          .absent_unless(kOfGraph)
          .at_most(topology::zoo::kMaxChannels)
          .add("channel_stages", &RecordedNetwork::channel_stages, "registers of each channel")
          .absent_unless("the topology's file gives them")
          .refine([](ValueForm& list) { list.items().most = topology::kMaxImportStages; })
          .add("names", &RecordedNetwork::names, "of the nodes")
          .absent_unless("the topology's file gives them")
          .different()
          .add("endpoints", &RecordedNetwork::endpoints, "number at each node")
          .absent_unless("the topology's file gives them")
          .add("vcs", &RecordedNetwork::vcs, "virtual channel classes of `routes`")
          .absent_unless("there are routes")
          .within(1, topology::zoo::kMaxTableVcs)
          .add("routes", &RecordedNetwork::routes, "CSV as `topology zoo --routes` writes it")
          .absent_unless("the routes are not those of a plain graph")
          .lines()
          .add("lanes", &RecordedNetwork::lanes, "virtual channels of each class of the routes")
          .within(1, 64)
          .add("slots", &RecordedNetwork::slots, "flits that an input holds for a virtual channel")
          .within(1, 255)
          .add("stages", &RecordedNetwork::stages, "registers of each link without its own")
          .within(0, 15)
          .add("packet_flits", &RecordedNetwork::packet_flits, "most flits of a packet")
          .within(1, 65536)
          .either({"topology", "channels"});
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::cosim {

namespace zoo = topology::zoo;

namespace {

bool has_same_channels(const zoo::BaseTopology& one, const zoo::BaseTopology& other) {
  return std::equal(one.channels().begin(), one.channels().end(), other.channels().begin(),
                    other.channels().end(), [](const zoo::Channel& a, const zoo::Channel& b) {
                      return a == b && a.stages == b.stages;
                    });
}

/// Returns whether the name of a topology gives the same network.
bool is_its_name(const zoo::BaseTopology& topology) {
  if (topology.own_routing() || topology.has_node_names() || topology.has_endpoints()) return false;
  try {
    const zoo::TopologyPtr named = zoo::parse_zoo_text(topology.name());
    return named->n_nodes() == topology.n_nodes() && has_same_channels(*named, topology);
  } catch (const common::BadInput&) {  // one that contains a custom topology
    return false;
  }
}

bool has_routes_of_its_graph(const zoo::BaseTopology& topology) {
  return !topology.own_routing() && dynamic_cast<const zoo::CustomTopology*>(&topology) != nullptr;
}

/// Throws BadInput unless a list is empty or has an item for each of `count` others.
void require_items(std::size_t items, std::size_t count, const char* name, const char* others,
                   const std::string& file) {
  if (items == 0 || items == count) return;
  throw common::BadInput(
      fmt::format("{}: 'data.network.{}' must have {} items, one for each {}, "
                  "not {}",
                  file, name, count, others, items));
}

std::shared_ptr<const zoo::RoutingTable> read_routes(const RecordedNetwork& network,
                                                     const zoo::BaseTopology& topology,
                                                     const std::string& file) {
  common::Diagnostics diagnostics;
  topology::ImportReport report(network.routes, file + ": data.network.routes", diagnostics);
  auto table =
      std::make_shared<zoo::RoutingTable>(zoo::read_table_csv(network.routes, topology, report));
  diagnostics.throw_if_any();
  table->file = "routes";
  table->hash = common::hex64(common::hash_bytes(network.routes));
  table->vcs = std::max(table->vcs, network.vcs);
  return table;
}

}  // namespace

RecordedNetwork recorded_network(const zoo::BaseTopology& topology,
                                 const topology::NocSpec& sizes) {
  RecordedNetwork network;
  network.lanes = sizes.lanes;
  network.slots = sizes.slots;
  network.stages = sizes.stages;
  network.packet_flits = sizes.packet_flits;
  if (is_its_name(topology)) {
    network.topology = topology.name();
    return network;
  }
  network.nodes = topology.n_nodes();
  network.names = topology.node_names();
  network.endpoints = topology.endpoints();
  for (const zoo::Channel& channel : topology.channels()) {
    network.channels.push_back({channel.src, channel.dst});
    if (channel.stages) network.channel_stages.push_back(*channel.stages);
  }
  if (has_routes_of_its_graph(topology)) return network;
  const auto relation = zoo::natural_routing(topology);
  std::ostringstream routes;
  zoo::to_routes_csv(*relation, routes);
  network.routes = std::move(routes).str();
  network.vcs = relation->n_vcs();
  return network;
}

std::string zoo_text_of(const RecordedNetwork& network) {
  if (!network.topology.empty()) return network.topology;
  const std::set<std::array<std::uint32_t, 2>> edges(network.channels.begin(),
                                                     network.channels.end());
  const bool has_parallel = edges.size() != network.channels.size();
  if (!network.routes.empty() || !network.channel_stages.empty() || has_parallel) return {};
  std::string text = fmt::format("CustomTopology({}", network.nodes);
  for (const auto& [src, dst] : network.channels) text += fmt::format(",{}->{}", src, dst);
  return text + ")";
}

zoo::TopologyPtr topology_of(const RecordedNetwork& network, const std::string& file) {
  if (!network.topology.empty()) return zoo::parse_zoo_text(network.topology);
  require_items(network.channel_stages.size(), network.channels.size(), "channel_stages", "channel",
                file);
  require_items(network.names.size(), network.nodes, "names", "node", file);
  require_items(network.endpoints.size(), network.nodes, "endpoints", "node", file);
  std::vector<zoo::Channel> channels;
  for (std::size_t i = 0; i < network.channels.size(); ++i) {
    const auto [src, dst] = network.channels[i];
    zoo::Channel& channel = channels.emplace_back(zoo::Channel{src, dst});
    if (!network.channel_stages.empty()) {
      channel.stages = static_cast<std::uint8_t>(network.channel_stages[i]);
    }
  }
  try {
    auto topology = std::make_shared<zoo::CustomTopology>(
        network.nodes, std::move(channels), network.names, network.endpoints, true,
        zoo::CustomTopology::SameEdges::AreParallel);
    if (!network.routes.empty()) {
      topology->set_own_routing(
          [table = read_routes(network, *topology, file)](const zoo::BaseTopology& routed) {
            return std::make_unique<zoo::TableRouting>(routed, table);
          });
    }
    return topology;
  } catch (const std::invalid_argument& error) {
    throw common::BadInput(fmt::format("{}: data.network: {}", file, error.what()));
  }
}

}  // namespace kernbench::cosim
