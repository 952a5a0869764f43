// SPDX-License-Identifier: Apache-2.0
#include "topology/spec/spec_description.hpp"

#include <algorithm>
#include <string_view>
#include <variant>

#include "topology/spec/spec_description_parts.hpp"

namespace kernbench::topology {

const common::InputKind kTopologyFile = {.name = "topology",
                                         .title = "topology.yaml of KernBench",
                                         .form = common::form_of<TopologySpec>};

namespace {

bool is_identifier(std::string_view text) {
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  return !text.empty() && is_small(text.front()) &&
         std::all_of(text.begin(), text.end(),
                     [&](char c) { return is_small(c) || (c >= '0' && c <= '9') || c == '_'; });
}

constexpr common::TextRule kIdentifierRule = {
    "^[a-z][a-z0-9_]*$", "a name of a-z, 0-9 and _ that starts with a letter", is_identifier};

}  // namespace
}  // namespace kernbench::topology

namespace kernbench::common {

using topology::InterCube;
using topology::InterSip;
using topology::IoChipletSpec;
using topology::LinkSpec;
using topology::MazeSpec;
using topology::NocSpec;
using topology::NocTopology;
using topology::SipSpec;
using topology::SystemSpec;
using topology::TopologySpec;

namespace {

/// A kind of interconnect by its name, or the topology of a network.
template <typename Kind>
using Joined = std::variant<Kind, NocTopology>;

template <typename Kind>
Joined<Kind> joined(Kind kind, const NocTopology& topology) {
  if (kind == Kind::Noc) return topology;
  return kind;
}

template <typename Kind>
void set_joined(const Joined<Kind>& by, Kind& kind, NocTopology& topology) {
  const auto* const network = std::get_if<NocTopology>(&by);
  kind = network != nullptr ? Kind::Noc : std::get<Kind>(by);
  const NocTopology given = network != nullptr ? *network : NocTopology{};
  if (given != topology) topology = given;  // else keep what the text names
}

}  // namespace

template <>
const Description<LinkSpec>& description_of() {
  static const auto kAll =
      bandwidth(&LinkSpec::bw_gbs)
          .add("distance_mm", &LinkSpec::distance_mm, "Length of the wires in mm.")
          .within(0, topology::kMostMm)
          .all_optional();
  return kAll;
}

template <>
const Description<SystemSpec>& description_of() {
  static const auto kAll =
      Description<SystemSpec>()
          .add_section("sips",
                       Description<SystemSpec>()
                           .add("count", &SystemSpec::sips,
                                "Number of SIPs; a physical address has 8 bits for it.")
                           .within(1, 256),
                       "The SIPs of the tray, all identical.")
          .add_converted(
              "inter_sip",
              [](const SystemSpec& system) {
                return joined(system.inter_sip, system.noc_topology);
              },
              [](SystemSpec& system, const Joined<InterSip>& by) {
                set_joined(by, system.inter_sip, system.noc_topology);
              },
              "Interconnect of the SIPs: the switch, or a network of any topology. The host uses "
              "the switch in both cases.")
          .add("noc", &SystemSpec::noc,
               "The network of the SIPs, used with 'inter_sip: {noc: ...}'.")
          .add("flit_bytes", &SystemSpec::flit_bytes,
               "Flit size in bytes; the last flit of a message may be shorter.")
          .within(1, 65536)
          .add("request_bytes", &SystemSpec::request_bytes,
               "Size in bytes of a read request and of a write's acknowledgement.")
          .within(1, 65536)
          .add_section(
              "message",
              Description<SystemSpec>()
                  .add("target_bytes", &SystemSpec::target_bytes,
                       "Bytes that each PE of a launch, map or unmap adds to request_bytes.")
                  .within(0, 65536)
                  .add("region_bytes", &SystemSpec::region_bytes,
                       "Bytes that each region of a map or unmap adds to request_bytes.")
                  .within(0, 65536)
                  .add("placement_bytes", &SystemSpec::placement_bytes,
                       "Bytes that each place adds to data that an M_CPU copies to several places.")
                  .within(0, 65536),
              "Sizes of the host's commands.")
          .add_section(
              "wire",
              Description<SystemSpec>()
                  .add("ns_per_mm", &SystemSpec::wire_ns_per_mm, "Propagation time in ns per mm.")
                  .within(0, 1000),
              "Every wire.")
          .add_section("host_cpu", component(&SystemSpec::host_cpu_overhead_ns), "The host's CPU.")
          .add_section("switch", component(&SystemSpec::switch_overhead_ns),
                       "The switch that joins host and SIPs, fabric.switch0.")
          .add_section(
              "links",
              Description<SystemSpec>()
                  .add("host_to_switch", &SystemSpec::host_to_switch, "Host to switch (pcie).")
                  .add("switch_to_pcie_ep", &SystemSpec::switch_to_pcie_ep,
                       "Switch to the PCIe endpoint of each IO chiplet (pcie)."),
              "Links of the tray.")
          .all_optional();
  return kAll;
}

namespace {

/// Describes the members that all networks have.
template <typename T>
Description<T> of_fabric() {
  return Description<T>()
      .add("clock_ns", &T::clock_ns, "Clock period in ns.")
      .within(0.001, 1e6)
      .add_named("fabric", static_cast<topology::FabricModel T::*>(&T::fabric),
                 topology::kFabricModelNames,
                 "How it is simulated: cycle is exact; analytic estimates what loaded links and "
                 "nodes cost. cosim has an option of its own.")
      .add("attach_bw_gbs", &T::attach_bw_gbs,
           "Bandwidth in GB/s of each link between a node of the network and what is attached to "
           "it.")
      .within(topology::kLeastGbs, topology::kMostGbs)
      .add("attach_distance_mm", &T::attach_distance_mm, "Length of these links in mm.")
      .within(0, topology::kMostMm);
}

}  // namespace

template <>
const Description<MazeSpec>& description_of() {
  static const auto kAll = of_fabric<MazeSpec>()
                               .add("flit_bits", &MazeSpec::flit_bits, "Data bits of a packet.")
                               .within(1, 32)
                               .add_named("order", &MazeSpec::order, topology::kDimensionOrderNames,
                                          "The dimension in which packets travel first.")
                               .add("failed_node", &MazeSpec::failed_node,
                                    "The node that has failed, y*w + x. Packets go round it.")
                               .within(0, 255)
                               .or_null("none")
                               .all_optional();
  return kAll;
}

template <>
const Description<NocSpec>& description_of() {
  static const auto kAll =
      of_fabric<NocSpec>()
          .add("flit_bits", &NocSpec::flit_bits, "Data bits of a flit.")
          .within(1, 65536)
          .add("lanes", &NocSpec::lanes, "Virtual channels of each class of the routes.")
          .within(1, 64)
          .add("slots", &NocSpec::slots, "Flits that each virtual channel of an input holds.")
          .within(1, 255)
          .add("stages", &NocSpec::stages, "Registers of each link.")
          .within(0, 15)
          .add("packet_flits", &NocSpec::packet_flits, "Most flits of a packet.")
          .within(1, 65536)
          .all_optional();
  return kAll;
}

template <>
const Description<NocTopology>& description_of() {
  static const auto kAll =
      Description<NocTopology>()
          .add("noc", &NocTopology::noc,
               "Its topology, such as Mesh2D(4,4), or a file of the zoo (.yaml), whose path is "
               "relative to this file. Endpoint i is attached to cube or SIP i.")
          .not_empty();
  return kAll;
}

template <>
const Description<IoChipletSpec>& description_of() {
  static const auto kAll =
      Description<IoChipletSpec>()
          .add("id", &IoChipletSpec::id, "Name of the IO chiplet in node names; must be unique.")
          .rule(topology::kIdentifierRule)
          .add_named("side", &IoChipletSpec::side, topology::kSideNames,
                     "The side of the SIP whose cubes it reaches; north is row 0.")
          .add_section("pcie_ep", component(&IoChipletSpec::pcie_ep_overhead_ns),
                       "The PCIe endpoint.")
          .add_section("io_cpu", component(&IoChipletSpec::io_cpu_overhead_ns), "Its CPU.")
          .add_section("io_noc", component(&IoChipletSpec::io_noc_overhead_ns), "Its network.")
          .add_section("io_ucie", component(&IoChipletSpec::io_ucie_overhead_ns), "A UCIe PHY.")
          .add_section("conn", component(&IoChipletSpec::conn_overhead_ns), "A UCIe connection.")
          .add_section("links",
                       Description<IoChipletSpec>()
                           .add("pcie_ep_to_io_noc", &IoChipletSpec::pcie_ep_to_io_noc,
                                "Endpoint to network.")
                           .add("io_cpu_to_io_noc", &IoChipletSpec::io_cpu_to_io_noc,
                                "CPU to network (command).")
                           .add("io_noc_to_conn", &IoChipletSpec::io_noc_to_conn,
                                "Network to a UCIe connection.")
                           .add("conn_to_io_ucie", &IoChipletSpec::conn_to_io_ucie,
                                "UCIe connection to its PHY.")
                           .add("io_ucie_to_cube", &IoChipletSpec::io_ucie_to_cube,
                                "UCIe PHY to the PHY of a cube."),
                       "Links of the IO chiplet.")
          .all_optional();
  return kAll;
}

template <>
const Description<SipSpec>& description_of() {
  static const auto kAll =
      Description<SipSpec>()
          .add_converted(
              "inter_cube",
              [](const SipSpec& sip) { return joined(sip.inter_cube, sip.noc_topology); },
              [](SipSpec& sip, const Joined<InterCube>& by) {
                set_joined(by, sip.inter_cube, sip.noc_topology);
              },
              "Interconnect of the cubes: adjacent UCIe PHYs, a MAZE, or a network of any "
              "topology.")
          .add_section("cube_mesh",
                       Description<SipSpec>()
                           .add("w", &SipSpec::cube_mesh_w, "Cubes from west to east.")
                           .within(1, 16)
                           .add("h", &SipSpec::cube_mesh_h, "Cubes from north to south.")
                           .within(1, 16),
                       "The grid of cubes; at least 2x2 with a MAZE.")
          .add("maze", &SipSpec::maze, "The MAZE fabric, used with 'inter_cube: maze'.")
          .add("noc", &SipSpec::noc,
               "The network of the cubes, used with 'inter_cube: {noc: ...}'.")
          .add("io_chiplets", &SipSpec::io_chiplets, "The IO chiplets, at least one.")
          .within(1, 16)
          .add_section(
              "links",
              Description<SipSpec>().add_section(
                  "ucie_mesh",
                  Description<SipSpec>()
                      .add("distance_mm", &SipSpec::ucie_mesh_distance_mm,
                           "Length of the wires in mm.")
                      .within(0, topology::kMostMm),
                  "Facing PHYs of two cubes. Its bandwidth is that of all the connections of a "
                  "PHY, cube.ucie.n_connections times cube.links.ucie_conn.bw_gbs."),
              "Links between cubes.")
          .all_optional();
  return kAll;
}

template <>
const Description<TopologySpec>& description_of() {
  static const auto kAll =
      Description<TopologySpec>()
          .add("system", &TopologySpec::system, "The tray: SIPs, host and switch.")
          .add("sip", &TopologySpec::sip, "A SIP: a mesh of cubes and its IO chiplets.")
          .add("cube", &TopologySpec::cube, "A cube: PEs, memories and a mesh of routers.")
          .add("pe", &TopologySpec::pe, "A processing element.")
          .add_section(
              "visualization",
              Description<TopologySpec>()
                  .add("emit_views", &TopologySpec::emit_views, "The views drawn by default.")
                  .different(),
              "Diagrams.")
          .all_optional();
  return kAll;
}

}  // namespace kernbench::common
