// SPDX-License-Identifier: Apache-2.0
#include "topology/graph/node_names.hpp"
#include "topology/graph/stages.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {

namespace {

// Places of the parts of an IO chiplet, in mm outwards from the edge that faces the cubes.
constexpr double kPhyOutward = 1.5;
constexpr double kConnOutward = 4.0;
constexpr double kNocOutward = 7.0;
constexpr double kEpOutward = 10.5;
/// Distance of the control CPU from the NOC along the side, in mm.
constexpr double kCpuBeside = 6.0;
/// Distance of the port of a network from the NOC along the side, in mm.
constexpr double kPortBeside = 6.0;

}  // namespace

Side opposite(Side side) {
  switch (side) {
    case Side::North:
      return Side::South;
    case Side::East:
      return Side::West;
    case Side::South:
      return Side::North;
    case Side::West:
      return Side::East;
  }
  return side;
}

IoNodes instantiate_io_chiplet(GraphBuilder& graph, const SipFrame& frame, std::uint32_t sip,
                               std::size_t chiplet) {
  const IoChipletSpec& io = graph.spec().sip.io_chiplets[chiplet];
  const std::string prefix = node_names::io_chiplet(sip, io.id);
  const double middle = frame.side_length_mm(io.side) / 2;
  const auto node_at = [&](NodeKind kind, double along, double outward) {
    Node node;
    node.kind = kind;
    node.position = frame.io_point(chiplet, along, outward);
    node.sip = static_cast<std::uint16_t>(sip);
    return node;
  };

  const NodeId pcie_ep =
      graph.add_node(node_names::io_part(prefix, NodeKind::PcieEp), io.pcie_ep_overhead_ns,
                     node_at(NodeKind::PcieEp, middle, kEpOutward));
  const NodeId io_cpu =
      graph.add_node(node_names::io_part(prefix, NodeKind::IoCpu), io.io_cpu_overhead_ns,
                     node_at(NodeKind::IoCpu, middle + kCpuBeside, kNocOutward));
  const NodeId io_noc =
      graph.add_node(node_names::io_part(prefix, NodeKind::IoNoc), io.io_noc_overhead_ns,
                     node_at(NodeKind::IoNoc, middle, kNocOutward));
  graph.add_pair(pcie_ep, io_noc, EdgeKind::IoInternal, wire(io.pcie_ep_to_io_noc));
  graph.add_pair(io_cpu, io_noc, EdgeKind::Command, wire(io.io_cpu_to_io_noc));

  IoNodes nodes{pcie_ep, {}, {}};
  if (chiplet == 0 && graph.spec().system.inter_sip == InterSip::Noc) {
    const NocSpec& noc = graph.spec().system.noc;
    nodes.port = graph.add_node(node_names::io_part(prefix, NodeKind::NocPort), 0.0,
                                node_at(NodeKind::NocPort, middle - kPortBeside, kNocOutward));
    // The way through the network is shorter than the one through the switch (compile.cpp).
    Wire attach = wire({noc.attach_bw_gbs, noc.attach_distance_mm});
    attach.routing_weight_nm = kNocLinkWeightNm;
    graph.add_pair(io_noc, *nodes.port, EdgeKind::NocAttach, attach);
  }
  for (std::uint32_t i = 0; i < frame.cubes_along(io.side); ++i) {
    const double along = frame.cube_middle_along(io.side, i);
    const NodeId conn = graph.add_node(node_names::io_conn(prefix, i), io.conn_overhead_ns,
                                       node_at(NodeKind::IoConn, along, kConnOutward));
    const NodeId phy =
        graph.add_node(node_names::io_ucie(prefix, opposite(io.side), i), io.io_ucie_overhead_ns,
                       node_at(NodeKind::IoUcie, along, kPhyOutward));
    graph.add_pair(io_noc, conn, EdgeKind::NocToUcieConn, EdgeKind::UcieConnToNoc,
                   wire(io.io_noc_to_conn));
    graph.add_pair(conn, phy, EdgeKind::IoInternal, wire(io.conn_to_io_ucie));
    nodes.io_ucies.push_back(phy);
  }
  return nodes;
}

}  // namespace kernbench::topology
