// SPDX-License-Identifier: Apache-2.0
#include "topology/spec/spec_description.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <variant>

#include "common/description.hpp"
#include "topology/spec/topology_spec.hpp"

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

constexpr double kMostNs = 1e9;
/// Every wire has bandwidth. The minimum keeps the time of any transfer within 64 bits of ps.
constexpr double kLeastGbs = 0.001;
constexpr double kMostGbs = 1e9;
constexpr double kMostMm = 1000;
/// A physical address has 24 bits for the offset in a PE resource.
constexpr double kMostPeResourceMb = 16;
constexpr double kMostPerCycle = 1U << 20U;

constexpr const char* kBandwidth = "Bandwidth of each direction in GB/s (10^9 bytes per second).";

}  // namespace
}  // namespace kernbench::topology

namespace kernbench::common {

using topology::CubeLinksSpec;
using topology::CubeSpec;
using topology::InterCube;
using topology::InterSip;
using topology::IoChipletSpec;
using topology::LinkSpec;
using topology::MazeSpec;
using topology::MemoryMapSpec;
using topology::NocSpec;
using topology::NocTopology;
using topology::PeSpec;
using topology::PositionMm;
using topology::SipSpec;
using topology::SystemSpec;
using topology::TopologySpec;

namespace {

/// Describes the attributes of a component. Others may be added.
template <typename T>
Description<T> attributes(double T::*overhead_ns) {
  return Description<T>()
      .add("overhead_ns", overhead_ns, "Time in ns that each flit spends in the component.")
      .within(0, topology::kMostNs);
}

/// Describes a component, `{attrs: {overhead_ns: ...}}`.
template <typename T>
Description<T> component(const Description<T>& attributes) {
  return Description<T>().add_section("attrs", attributes, "Attributes of the component.");
}
template <typename T>
Description<T> component(double T::*overhead_ns) {
  return component(attributes(overhead_ns));
}

template <typename T>
Description<T> bandwidth(double T::*bw_gbs) {
  return Description<T>()
      .add("bw_gbs", bw_gbs, topology::kBandwidth)
      .within(topology::kLeastGbs, topology::kMostGbs);
}

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

/// Describes the place of a component on a cube.
Description<CubeSpec> placement(PositionMm CubeSpec::*position) {
  using XAndY = std::array<double, 2>;
  return Description<CubeSpec>()
      .add_converted(
          "pos_mm",
          [position](const CubeSpec& cube) {
            return XAndY{(cube.*position).x, (cube.*position).y};
          },
          [position](CubeSpec& cube, const XAndY& at) {
            cube.*position = {at[0], at[1]};
          },
          "x from the west edge and y from the north edge, in mm.")
      .refine([](ValueForm& list) {
        list.items().least = 0;
        list.items().most = topology::kMostMm;
      });
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
const Description<MemoryMapSpec>& description_of() {
  static const auto kAll =
      Description<MemoryMapSpec>()
          .add_named("hbm_mapping_mode", &MemoryMapSpec::hbm_mapping_mode,
                     topology::kHbmMappingModeNames,
                     "per_pe: each PE owns a slice; per_cube: addresses go round the slices of a "
                     "cube in stripes.")
          .add("hbm_stripe_bytes", &MemoryMapSpec::hbm_stripe_bytes,
               "With per_cube, the bytes in sequence in a slice before the next one follows.")
          .within(1, 1U << 20U)
          .add_named("hbm_interleave", &MemoryMapSpec::hbm_interleave,
                     topology::kHbmInterleaveNames,
                     "How the flits of a slice are spread over its channels: hash treats all row "
                     "strides alike; modulo puts rows whose stride is a multiple of "
                     "channels_per_slice flits on one channel.")
          .add("hbm_total_gb", &MemoryMapSpec::hbm_total_gb,
               "HBM of a cube in units of 2^30 bytes; a physical address has 39 bits for it.")
          .within(1, 512)
          .add("slices_per_cube", &MemoryMapSpec::slices_per_cube,
               "HBM slices of a cube: as many as it has PEs, or fewer with per_cube.")
          .within(1, 32)
          .add("hbm_total_bw_gbs", &MemoryMapSpec::hbm_total_bw_gbs,
               "Bandwidth of all slices of a cube together, in GB/s.")
          .within(topology::kLeastGbs, topology::kMostGbs)
          .add("channels_per_slice", &MemoryMapSpec::channels_per_slice, "HBM channels of a slice.")
          .within(1, 256)
          .add("sram_mb", &MemoryMapSpec::sram_mb,
               "SRAM of a cube in units of 2^20 bytes; an address has 24 bits for it.")
          .within(1, topology::kMostPeResourceMb)
          .add("tcm_mb", &MemoryMapSpec::tcm_mb,
               "TCM of a PE in units of 2^20 bytes; an address has 24 bits for it.")
          .within(1, topology::kMostPeResourceMb)
          .add("page_bytes", &MemoryMapSpec::page_bytes,
               "Page of the PEs' MMUs in bytes, a power of two.")
          .within(256, 1U << 30U)
          .all_optional();
  return kAll;
}

template <>
const Description<CubeLinksSpec>& description_of() {
  static const auto kAll =
      Description<CubeLinksSpec>()
          .add_section("router_mesh", bandwidth(&CubeLinksSpec::router_mesh_bw_gbs),
                       "Between adjacent routers; the length is their distance.")
          .add("router_to_hbm", &CubeLinksSpec::router_to_hbm,
               "Router to the HBM controller of a PE.")
          .add_section("router_to_mcpu", bandwidth(&CubeLinksSpec::router_to_mcpu_bw_gbs),
                       "Router to M_CPU; the length is their distance.")
          .add_section("router_to_sram", bandwidth(&CubeLinksSpec::router_to_sram_bw_gbs),
                       "Router to SRAM; the length is their distance.")
          .add("pe_to_router", &CubeLinksSpec::pe_to_router, "DMA engine of a PE to its router.")
          .add("command", &CubeLinksSpec::command,
               "Control plane: M_CPU, PE CPUs and MMUs to routers.")
          .add("ucie_conn", &CubeLinksSpec::ucie_conn, "Router to a UCIe connection.")
          .add("ucie_internal", &CubeLinksSpec::ucie_internal, "UCIe connection to its PHY.")
          .all_optional();
  return kAll;
}

namespace {

Description<CubeSpec> outline() {
  return Description<CubeSpec>()
      .add("w", &CubeSpec::w_mm, "From west to east: at least 6 mm per PE of a corner.")
      .above(0)
      .at_most(topology::kMostMm)
      .add("h", &CubeSpec::h_mm,
           "From north to south: 9 mm, and 0.2 mm for every row of routers per half beyond the "
           "first.")
      .above(0)
      .at_most(topology::kMostMm);
}

Description<CubeSpec> pe_layout() {
  return Description<CubeSpec>()
      .add("corners", &CubeSpec::corners,
           "Corners with PEs; PEs are numbered in this order, then left to right.")
      .not_empty()
      .different()
      .add("pe_per_corner", &CubeSpec::pe_per_corner, "PEs in each of these corners.")
      .within(1, 8)
      .add("max_column_gap_mm", &CubeSpec::max_column_gap_mm,
           "Columns of routers that are farther apart get further ones between them.")
      .within(0.5, topology::kMostMm);
}

Description<CubeSpec> ucie() {
  return Description<CubeSpec>()
      .add("n_connections", &CubeSpec::ucie_n_connections,
           "Connections of a PHY, spread over the routers of its side.")
      .within(1, 16)
      .add_section("phy", component(&CubeSpec::ucie_phy_overhead_ns), "A PHY.")
      .add_section("conn", component(&CubeSpec::ucie_conn_overhead_ns), "A connection.");
}

Description<CubeSpec> sram() {
  return component(attributes(&CubeSpec::sram_overhead_ns)
                       .add("bw_gbs", &CubeSpec::sram_bw_gbs, topology::kBandwidth)
                       .within(topology::kLeastGbs, topology::kMostGbs));
}

}  // namespace

template <>
const Description<CubeSpec>& description_of() {
  static const auto kAll =
      Description<CubeSpec>()
          .add_section("geometry",
                       Description<CubeSpec>()
                           .add_section("cube_mm", outline(), "Outline in mm; the PEs must fit.")
                           .add("router_rows_per_half", &CubeSpec::router_rows_per_half,
                                "Rows of routers above the HBM zone, and as many below it. auto: "
                                "a row for every two of ucie.n_connections, which has them on "
                                "each side.")
                           .within(1, 8)
                           .or_null("auto"),
                       "Its size and its rows of routers.")
          .add_section("pe_layout", pe_layout(), "Placement of the PEs.")
          .add_section(
              "placement",
              Description<CubeSpec>()
                  .add_section("m_cpu", placement(&CubeSpec::m_cpu_pos), "The management CPU.")
                  .add_section("sram", placement(&CubeSpec::sram_pos), "The SRAM."),
              "Placement of single components.")
          .add_section("ucie", ucie(), "The UCIe PHYs, one on each side.")
          .add("memory_map", &CubeSpec::memory_map, "The memories of a cube.")
          .add_section("router", component(&CubeSpec::router_overhead_ns), "A router.")
          .add_section("m_cpu", component(&CubeSpec::m_cpu_overhead_ns), "The management CPU.")
          .add_section("sram", sram(), "The SRAM.")
          .add_section("hbm_ctrl", component(&CubeSpec::hbm_ctrl_overhead_ns), "An HBM controller.")
          .add("links", &CubeSpec::links, "Links of a cube.")
          .all_optional();
  return kAll;
}

namespace {

Description<PeSpec> gemm_engine() {
  return component(
      attributes(&PeSpec::pe_gemm_overhead_ns)
          .add("macs_per_cycle", &PeSpec::pe_gemm_macs_per_cycle,
               "Multiply-accumulates per clock cycle.")
          .within(1, topology::kMostPerCycle)
          .add("accumulator_kb", &PeSpec::pe_gemm_accumulator_kb,
               "Accumulators in KiB, 4 bytes for each element of a tile of the result.")
          .within(1, 1U << 20U));
}

Description<PeSpec> math_engine() {
  return component(attributes(&PeSpec::pe_math_overhead_ns)
                       .add("elements_per_cycle", &PeSpec::pe_math_elements_per_cycle,
                            "Elements per clock cycle.")
                       .within(1, topology::kMostPerCycle));
}

Description<PeSpec> tcm() {
  return component(
      attributes(&PeSpec::pe_tcm_overhead_ns)
          .add("read_bw_gbs", &PeSpec::pe_tcm_read_bw_gbs, "Read bandwidth in GB/s.")
          .within(topology::kLeastGbs, topology::kMostGbs)
          .add("write_bw_gbs", &PeSpec::pe_tcm_write_bw_gbs, "Write bandwidth in GB/s.")
          .within(topology::kLeastGbs, topology::kMostGbs));
}

Description<PeSpec> mmu() {
  return component(
      attributes(&PeSpec::pe_mmu_overhead_ns)
          .add("tlb_overhead_ns", &PeSpec::pe_mmu_tlb_overhead_ns, "TLB look-up time in ns.")
          .within(0, topology::kMostNs));
}

Description<PeSpec> ipcq() {
  return component(attributes(&PeSpec::pe_ipcq_overhead_ns)
                       .add("slots", &PeSpec::pe_ipcq_slots, "Slots of the queue.")
                       .within(1, 4096)
                       .add("slot_bytes", &PeSpec::pe_ipcq_slot_bytes, "Size of a slot in bytes.")
                       .within(1, 1U << 24U)
                       .add_named("backing", &PeSpec::pe_ipcq_backing, topology::kSlotBackingNames,
                                  "The memory that holds the slots, which must fit."));
}

}  // namespace

template <>
const Description<PeSpec>& description_of() {
  static const auto kAll =
      Description<PeSpec>()
          .add("clock_ghz", &PeSpec::clock_ghz, "Clock in GHz.")
          .within(0.001, 1000)
          .add_section("pe_cpu", component(&PeSpec::pe_cpu_overhead_ns), "Runs kernels.")
          .add_section("pe_scheduler", component(&PeSpec::pe_scheduler_overhead_ns),
                       "Turns commands into work of the engines.")
          .add_section("pe_dma", component(&PeSpec::pe_dma_overhead_ns), "The DMA engine.")
          .add_section("pe_fetch_store", component(&PeSpec::pe_fetch_store_overhead_ns),
                       "Moves operands between TCM and register file.")
          .add_section("pe_gemm", gemm_engine(), "The matrix engine.")
          .add_section("pe_math", math_engine(), "The vector engine.")
          .add_section("pe_tcm", tcm(), "The tightly coupled memory.")
          .add_section("pe_mmu", mmu(), "Translates addresses.")
          .add_section("pe_ipcq", ipcq(), "The queue of collective communication.")
          .add_section("links",
                       Description<PeSpec>().add("pe_internal", &PeSpec::pe_internal,
                                                 "Between the parts of a PE."),
                       "Links of a PE.")
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
