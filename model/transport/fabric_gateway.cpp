// SPDX-License-Identifier: Apache-2.0
#include "model/transport/fabric_gateway.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "common/diagnostics.hpp"
#include "model/fabric/analytic/maze_fabric.hpp"
#include "model/fabric/clocked/cycle_fabric.hpp"
#include "model/fabric/noc/noc_fabric.hpp"
#include "model/transport/between_sips.hpp"
#include "topology/routing/carried_links.hpp"
#include "topology/spec/topology_spec.hpp"
#include "topology/zoo/endpoint_routes.hpp"

namespace kernbench::model::transport {
namespace {

std::unique_ptr<fabric::Fabric> maze_of(engine::Simulation& simulation,
                                        const topology::SipSpec& sip) {
  if (sip.maze.fabric == topology::FabricModel::Analytic) {
    return fabric::make_analytic_maze(simulation, sip);
  }
  if (sip.maze.order != topology::DimensionOrder::XY) {
    throw common::BadInput(
        "sip.maze.order: the nodes of a MAZE send packets along x first; order: xy, or run with "
        "--fabric analytic");
  }
  return fabric::make_cycle_maze(simulation, sip);
}

/// Returns what makes the network that the section `key` of a spec describes, the same one for all
/// of its fabrics. `topology` and `noc` must outlive it.
FabricFactory noc_factory(const topology::NocTopology& topology, const topology::NocSpec& noc,
                          const char* key) {
  const auto period = common::SimTime::from_ns(noc.clock_ns);
  if (noc.fabric == topology::FabricModel::Analytic) {
    return [&, period](engine::Simulation& simulation, const topology::SipSpec& /*sip*/) {
      return fabric::make_analytic_noc(simulation, topology->topology(), topology->relation(),
                                       fabric::noc_settings(noc), period);
    };
  }
  try {
    return [base = fabric::noc_base_of(topology, noc), period](engine::Simulation& simulation,
                                                               const topology::SipSpec& /*sip*/) {
      return fabric::make_cycle_noc(simulation, base, period);
    };
  } catch (const std::invalid_argument& error) {
    throw common::BadInput(fmt::format("{}: {}", key, error.what()));
  }
}

/// Returns what makes the fabrics that a spec describes. `sip` must outlive it.
FabricFactory default_factory(const topology::SipSpec& sip) {
  if (sip.inter_cube == topology::InterCube::Maze) return maze_of;
  return noc_factory(sip.noc_topology, sip.noc, "sip.noc");
}

}  // namespace

FabricGateway::FabricGateway(engine::Simulation& simulation, const WireTable& wires,
                             const RouteTable& routes, const FabricFactory& make_fabric,
                             FabricExitListener& exit)
    : graph_(wires.graph()), routes_(routes), exit_(exit), links_(graph_) {
  if (wires.has_fabric()) uses_.resize(graph_.edges().size());
  const topology::TopologySpec& spec = graph_.spec();
  if (spec.system.inter_sip == topology::InterSip::Noc) {
    if (make_fabric) between_sips_ = make_fabric(simulation, network_between_sips(spec));
    if (between_sips_ == nullptr) {
      const FabricFactory make =
          noc_factory(spec.system.noc_topology, spec.system.noc, "system.noc");
      between_sips_ = make(simulation, spec.sip);
    }
  }
  if (spec.sip.inter_cube == topology::InterCube::UcieMesh) return;
  if (spec.sip.inter_cube == topology::InterCube::Maze && spec.sip.maze.failed_node) {
    throw common::BadInput(
        fmt::format("sip.maze.failed_node: cube {} cannot be reached, but kernels run on every "
                    "cube; remove the "
                    "key, or send transfers with `kernbench cosim`",
                    *spec.sip.maze.failed_node));
  }
  const FabricFactory make = make_fabric ? make_fabric : default_factory(spec.sip);
  for (std::uint32_t sip = 0; sip < spec.system.sips; ++sip) {
    fabrics_.push_back(make(simulation, spec.sip));
  }
}

void FabricGateway::enter(const Flit& flit, std::uint32_t bytes, std::uint64_t transaction) {
  const topology::NodeId begin = begin_of(flit.hop);
  const topology::NodeId end = begin_of(flit.hop + 1);
  const topology::Node& from = graph_.node(begin);
  const topology::Node& to = graph_.node(end);
  const bool between_sips = topology::fabric_of(from) == topology::kNoIndex;
  const std::uint32_t slot = flits_.take();
  flits_[slot] = flit;
  fabric::Transfer transfer;
  transfer.id = slot;
  transfer.src = topology::endpoint_of(from);
  transfer.dst = topology::endpoint_of(to);
  if (from.kind == topology::NodeKind::NocPort) {
    const auto& topology = topology::noc_of(graph_.spec(), between_sips).topology;
    transfer.src = topology->source(transfer.src);
    transfer.dst = topology->destination(transfer.dst);
  }
  transfer.bytes = bytes;
  transfer.transaction = transaction;
  fabric::Fabric& fabric = *(between_sips ? between_sips_ : fabrics_[from.sip]);
  count(fabric, begin, end, bytes);
  fabric.submit(transfer, *this);
}

void FabricGateway::count(const fabric::Fabric& fabric, topology::NodeId from, topology::NodeId to,
                          std::uint64_t bytes) {
  const auto [way, is_new] = ways_.try_emplace(std::uint64_t{from.value()} << 32U | to.value());
  if (is_new) way->second = links_.between(from, to);
  const common::SimTime busy =
      fabric.clock().period() * static_cast<std::int64_t>(fabric.packets_of(bytes));
  for (const topology::EdgeId link : way->second) {
    WireUse& use = uses_[link.value()];
    ++use.flits;
    use.bytes += bytes;
    use.busy += busy;
  }
}

void FabricGateway::on_transfer_done(std::uint64_t id) {
  const auto slot = static_cast<std::uint32_t>(id);
  const Flit flit = flits_[slot];
  flits_.release(slot);
  exit_.on_fabric_exit(flit);
}

topology::NodeId FabricGateway::begin_of(std::uint32_t hop) const {
  return graph_.edge(topology::EdgeId(routes_.hop(hop).wire())).from;
}

}  // namespace kernbench::model::transport
