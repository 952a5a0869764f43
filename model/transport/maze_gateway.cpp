// SPDX-License-Identifier: Apache-2.0
#include "model/transport/maze_gateway.hpp"

#include <fmt/format.h>

#include "common/diagnostics.hpp"
#include "model/fabric/analytic/maze_fabric.hpp"
#include "model/fabric/clocked/cycle_fabric.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::transport {
namespace {

std::unique_ptr<fabric::Fabric> default_fabric(engine::Simulation& simulation,
                                               const topology::SipSpec& sip) {
  if (sip.maze.fabric == topology::MazeFabric::Analytic) {
    return fabric::make_analytic_maze(simulation, sip);
  }
  if (sip.maze.order != topology::DimensionOrder::XY) {
    throw common::BadInput(
        "sip.maze.order: the nodes of a MAZE send packets along x first; order: xy, or run with "
        "--fabric analytic");
  }
  return fabric::make_cycle_maze(simulation, sip);
}

}  // namespace

MazeGateway::MazeGateway(engine::Simulation& simulation, const WireTable& wires,
                         const RouteTable& routes, const FabricFactory& make_fabric,
                         MazeExitListener& exit)
    : graph_(wires.graph()), routes_(routes), exit_(exit) {
  if (!wires.has_maze()) return;
  if (const auto failed = graph_.spec().sip.maze.failed_node) {
    throw common::BadInput(
        fmt::format("sip.maze.failed_node: cube {} cannot be reached, but kernels run on every "
                    "cube; remove the "
                    "key, or send transfers with `kernbench cosim`",
                    *failed));
  }
  for (std::uint32_t sip = 0; sip < graph_.spec().system.sips; ++sip) {
    fabrics_.push_back(make_fabric ? make_fabric(simulation, graph_.spec().sip)
                                   : default_fabric(simulation, graph_.spec().sip));
  }
}

void MazeGateway::enter(const Flit& flit, std::uint32_t bytes, std::uint64_t transaction) {
  const topology::Node& from = begin_of(flit.hop);
  const topology::Node& to = begin_of(flit.hop + 1);
  const std::uint32_t slot = flits_.take();
  flits_[slot] = flit;
  fabric::Transfer transfer;
  transfer.id = slot;
  transfer.src = from.cube;
  transfer.dst = to.cube;
  transfer.bytes = bytes;
  transfer.transaction = transaction;
  fabrics_[from.sip]->submit(transfer, *this);
}

void MazeGateway::on_transfer_done(std::uint64_t id) {
  const auto slot = static_cast<std::uint32_t>(id);
  const Flit flit = flits_[slot];
  flits_.release(slot);
  exit_.on_maze_exit(flit);
}

const topology::Node& MazeGateway::begin_of(std::uint32_t hop) const {
  return graph_.node(graph_.edge(topology::EdgeId(routes_.hop(hop).wire())).from);
}

}  // namespace kernbench::model::transport
