// SPDX-License-Identifier: Apache-2.0
#include "topology/spec/spec_description.hpp"

namespace kernbench::topology {
namespace {

using common::NumberRange;
using common::Range;

constexpr NumberRange kOverheadNs{.min = 0, .max = 1e9};
/// Every wire has bandwidth. The minimum keeps the time of any transfer within 64 bits of ps.
constexpr NumberRange kBandwidthGbs{.min = 0.001, .max = 1e9};
constexpr NumberRange kDistanceMm{.min = 0, .max = 1000};
constexpr NumberRange kPeriodNs{.min = 0.001, .max = 1e6};
constexpr NumberRange kCubeSizeMm{.min = 0, .max = 1000, .exclude_min = true};
/// A physical address has 24 bits for the offset in a PE resource.
constexpr Range<std::uint32_t> kPeResourceMb{1, 16};

/// Opens the map under `key` for its own lifetime.
class Section {
 public:
  Section(SpecVisitor& visitor, std::string_view key, std::string_view meaning)
      : visitor_(visitor) {
    visitor_.begin_section(key, meaning);
  }
  ~Section() { visitor_.end_section(); }
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

 private:
  SpecVisitor& visitor_;
};

/// Opens a component, `key: {attrs: {overhead_ns: ...}}`, for its own lifetime. Further attributes
/// may be described meanwhile.
class Component {
 public:
  Component(SpecVisitor& visitor, std::string_view key, double& overhead_ns,
            std::string_view meaning)
      : component_(visitor, key, meaning),
        attrs_(visitor, "attrs", "Attributes of the component.") {
    visitor.number("overhead_ns", overhead_ns, kOverheadNs,
                   "Time in ns that each flit spends in the component.");
  }

 private:
  Section component_;
  Section attrs_;
};

void bandwidth(SpecVisitor& visitor, double& value) {
  visitor.number("bw_gbs", value, kBandwidthGbs,
                 "Bandwidth of each direction in GB/s (10^9 bytes per second).");
}

void distance(SpecVisitor& visitor, double& value) {
  visitor.number("distance_mm", value, kDistanceMm, "Length of the wires in mm.");
}

void link(SpecVisitor& visitor, std::string_view key, LinkSpec& value, std::string_view meaning) {
  const Section section(visitor, key, meaning);
  bandwidth(visitor, value.bw_gbs);
  distance(visitor, value.distance_mm);
}

/// Describes a link whose length follows from the positions of its ends.
void placed_link(SpecVisitor& visitor, std::string_view key, double& bw_gbs,
                 std::string_view meaning) {
  const Section section(visitor, key, meaning);
  bandwidth(visitor, bw_gbs);
}

void describe_system(SpecVisitor& visitor, SystemSpec& system) {
  const Section section(visitor, "system", "The tray: SIPs, host and switch.");
  {
    const Section sips(visitor, "sips", "The SIPs of the tray, all identical.");
    visitor.integer("count", system.sips, {1, 256},
                    "Number of SIPs; a physical address has 8 bits for it.");
  }
  visitor.integer("flit_bytes", system.flit_bytes, {1, 65536},
                  "Flit size in bytes; the last flit of a message may be shorter.");
  visitor.integer("request_bytes", system.request_bytes, {1, 65536},
                  "Size in bytes of a read request and of a write's acknowledgement.");
  {
    const Section wire(visitor, "wire", "Every wire.");
    visitor.number("ns_per_mm", system.wire_ns_per_mm, {.min = 0, .max = 1000},
                   "Propagation time in ns per mm.");
  }
  { const Component host(visitor, "host_cpu", system.host_cpu_overhead_ns, "The host's CPU."); }
  {
    const Component tray_switch(visitor, "switch", system.switch_overhead_ns,
                                "The switch that joins host and SIPs, fabric.switch0.");
  }
  const Section links(visitor, "links", "Links of the tray.");
  link(visitor, "host_to_switch", system.host_to_switch, "Host to switch (pcie).");
  link(visitor, "switch_to_pcie_ep", system.switch_to_pcie_ep,
       "Switch to the PCIe endpoint of each IO chiplet (pcie).");
}

void describe_maze(SpecVisitor& visitor, MazeSpec& maze) {
  const Section section(visitor, "maze", "The MAZE fabric, used with 'inter_cube: maze'.");
  visitor.integer("flit_bits", maze.flit_bits, {1, 32}, "Data bits of a packet.");
  visitor.number("clock_ns", maze.clock_ns, kPeriodNs, "Clock period in ns.");
  visitor.enumeration("order", maze.order, kDimensionOrderNames,
                      "The dimension in which packets travel first.");
  visitor.optional_integer("failed_node", maze.failed_node, {0, 255},
                           "The node that has failed, y*w + x. Packets go round it.");
  visitor.enumeration("fabric", maze.fabric, kMazeFabricNames,
                      "How it is simulated: cycle is exact; analytic estimates what loaded links "
                      "and nodes cost. cosim has an option of its own.");
  visitor.number("attach_bw_gbs", maze.attach_bw_gbs, kBandwidthGbs,
                 "Bandwidth in GB/s of each link between a cube's MAZE node and its routers.");
  visitor.number("attach_distance_mm", maze.attach_distance_mm, kDistanceMm,
                 "Length of these links in mm.");
}

void describe_sip(SpecVisitor& visitor, SipSpec& sip) {
  const Section section(visitor, "sip", "A SIP: a mesh of cubes and its IO chiplets.");
  visitor.enumeration("inter_cube", sip.inter_cube, kInterCubeNames,
                      "Interconnect of the cubes: adjacent UCIe PHYs, or a MAZE.");
  {
    const Section mesh(visitor, "cube_mesh", "The grid of cubes; at least 2x2 with a MAZE.");
    visitor.integer("w", sip.cube_mesh_w, {1, 16}, "Cubes from west to east.");
    visitor.integer("h", sip.cube_mesh_h, {1, 16}, "Cubes from north to south.");
  }
  describe_maze(visitor, sip.maze);
  visitor.io_chiplets("io_chiplets", sip.io_chiplets, {1, 16}, "The IO chiplets, at least one.");
  const Section links(visitor, "links", "Links between cubes.");
  const Section mesh(visitor, "ucie_mesh",
                     "Facing PHYs of two cubes. Its bandwidth is that of all the connections of a "
                     "PHY, cube.ucie.n_connections times cube.links.ucie_conn.bw_gbs.");
  distance(visitor, sip.ucie_mesh_distance_mm);
}

void describe_memory_map(SpecVisitor& visitor, MemoryMapSpec& memory) {
  const Section section(visitor, "memory_map", "The memories of a cube.");
  visitor.enumeration("hbm_mapping_mode", memory.hbm_mapping_mode, kHbmMappingModeNames,
                      "How the HBM is divided: one slice for each PE.");
  visitor.enumeration("hbm_interleave", memory.hbm_interleave, kHbmInterleaveNames,
                      "How the flits of a slice are spread over its channels: hash treats all row "
                      "strides alike; modulo puts rows whose stride is a multiple of "
                      "channels_per_slice flits on one channel.");
  visitor.integer("hbm_total_gb", memory.hbm_total_gb, {1, 512},
                  "HBM of a cube in units of 2^30 bytes; a physical address has 39 bits for it.");
  visitor.integer("slices_per_cube", memory.slices_per_cube, {1, 32},
                  "HBM slices of a cube: as many as it has PEs.");
  visitor.number("hbm_total_bw_gbs", memory.hbm_total_bw_gbs, kBandwidthGbs,
                 "Bandwidth of all slices of a cube together, in GB/s.");
  visitor.integer("channels_per_slice", memory.channels_per_slice, {1, 256},
                  "HBM channels of a slice.");
  visitor.integer("sram_mb", memory.sram_mb, kPeResourceMb,
                  "SRAM of a cube in units of 2^20 bytes; an address has 24 bits for it.");
  visitor.integer("tcm_mb", memory.tcm_mb, kPeResourceMb,
                  "TCM of a PE in units of 2^20 bytes; an address has 24 bits for it.");
  visitor.integer("page_bytes", memory.page_bytes, {256, 1U << 30U},
                  "Page of the PEs' MMUs in bytes, a power of two.");
}

void describe_cube_links(SpecVisitor& visitor, CubeLinksSpec& links) {
  const Section section(visitor, "links", "Links of a cube.");
  placed_link(visitor, "router_mesh", links.router_mesh_bw_gbs,
              "Between adjacent routers; the length is their distance.");
  link(visitor, "router_to_hbm", links.router_to_hbm, "Router to the HBM controller of a PE.");
  placed_link(visitor, "router_to_mcpu", links.router_to_mcpu_bw_gbs,
              "Router to M_CPU; the length is their distance.");
  placed_link(visitor, "router_to_sram", links.router_to_sram_bw_gbs,
              "Router to SRAM; the length is their distance.");
  link(visitor, "pe_to_router", links.pe_to_router, "DMA engine of a PE to its router.");
  link(visitor, "command", links.command, "Control plane: M_CPU, PE CPUs and MMUs to routers.");
  link(visitor, "ucie_conn", links.ucie_conn, "Router to a UCIe connection.");
  link(visitor, "ucie_internal", links.ucie_internal, "UCIe connection to its PHY.");
}

void describe_cube(SpecVisitor& visitor, CubeSpec& cube) {
  const Section section(visitor, "cube", "A cube: PEs, memories and a mesh of routers.");
  {
    const Section geometry(visitor, "geometry", "Its size.");
    const Section size(visitor, "cube_mm", "Outline in mm; the PEs must fit.");
    visitor.number("w", cube.w_mm, kCubeSizeMm,
                   "From west to east: at least 6 mm per PE of a corner.");
    visitor.number("h", cube.h_mm, kCubeSizeMm,
                   "From north to south: 9 mm, and 0.2 mm for every two UCIe connections of a side "
                   "beyond the first two.");
  }
  {
    const Section layout(visitor, "pe_layout", "Placement of the PEs.");
    visitor.enumerations("corners", cube.corners, kCornerNames, 1,
                         "Corners with PEs; PEs are numbered in this order, then left to right.");
    visitor.integer("pe_per_corner", cube.pe_per_corner, {1, 8}, "PEs in each of these corners.");
  }
  {
    const Section placement(visitor, "placement", "Placement of single components.");
    const NumberRange anywhere{.min = 0, .max = 1000};
    {
      const Section m_cpu(visitor, "m_cpu", "The management CPU.");
      visitor.position("pos_mm", cube.m_cpu_pos, anywhere,
                       "x from the west edge and y from the north edge, in mm.");
    }
    const Section sram(visitor, "sram", "The SRAM.");
    visitor.position("pos_mm", cube.sram_pos, anywhere,
                     "x from the west edge and y from the north edge, in mm.");
  }
  {
    const Section ucie(visitor, "ucie", "The UCIe PHYs, one on each side.");
    visitor.integer("n_connections", cube.ucie_n_connections, {1, 16},
                    "Connections of a PHY, spread over the routers of its side.");
    { const Component phy(visitor, "phy", cube.ucie_phy_overhead_ns, "A PHY."); }
    { const Component conn(visitor, "conn", cube.ucie_conn_overhead_ns, "A connection."); }
  }
  describe_memory_map(visitor, cube.memory_map);
  { const Component router(visitor, "router", cube.router_overhead_ns, "A router."); }
  { const Component m_cpu(visitor, "m_cpu", cube.m_cpu_overhead_ns, "The management CPU."); }
  {
    const Component sram(visitor, "sram", cube.sram_overhead_ns, "The SRAM.");
    bandwidth(visitor, cube.sram_bw_gbs);
  }
  { const Component hbm(visitor, "hbm_ctrl", cube.hbm_ctrl_overhead_ns, "An HBM controller."); }
  describe_cube_links(visitor, cube.links);
}

void describe_pe(SpecVisitor& visitor, PeSpec& pe) {
  constexpr Range<std::uint32_t> kPerCycle{1, 1U << 20U};
  const Section section(visitor, "pe", "A processing element.");
  visitor.number("clock_ghz", pe.clock_ghz, {.min = 0.001, .max = 1000}, "Clock in GHz.");
  { const Component part(visitor, "pe_cpu", pe.pe_cpu_overhead_ns, "Runs kernels."); }
  {
    const Component part(visitor, "pe_scheduler", pe.pe_scheduler_overhead_ns,
                         "Turns commands into work of the engines.");
  }
  { const Component part(visitor, "pe_dma", pe.pe_dma_overhead_ns, "The DMA engine."); }
  {
    const Component part(visitor, "pe_fetch_store", pe.pe_fetch_store_overhead_ns,
                         "Moves operands between TCM and register file.");
  }
  {
    const Component part(visitor, "pe_gemm", pe.pe_gemm_overhead_ns, "The matrix engine.");
    visitor.integer("macs_per_cycle", pe.pe_gemm_macs_per_cycle, kPerCycle,
                    "Multiply-accumulates per clock cycle.");
    visitor.integer("accumulator_kb", pe.pe_gemm_accumulator_kb, {1, 1U << 20U},
                    "Accumulators in KiB, 4 bytes for each element of a tile of the result.");
  }
  {
    const Component part(visitor, "pe_math", pe.pe_math_overhead_ns, "The vector engine.");
    visitor.integer("elements_per_cycle", pe.pe_math_elements_per_cycle, kPerCycle,
                    "Elements per clock cycle.");
  }
  {
    const Component part(visitor, "pe_tcm", pe.pe_tcm_overhead_ns, "The tightly coupled memory.");
    visitor.number("read_bw_gbs", pe.pe_tcm_read_bw_gbs, kBandwidthGbs, "Read bandwidth in GB/s.");
    visitor.number("write_bw_gbs", pe.pe_tcm_write_bw_gbs, kBandwidthGbs,
                   "Write bandwidth in GB/s.");
  }
  {
    const Component part(visitor, "pe_mmu", pe.pe_mmu_overhead_ns, "Translates addresses.");
    visitor.number("tlb_overhead_ns", pe.pe_mmu_tlb_overhead_ns, kOverheadNs,
                   "TLB look-up time in ns.");
  }
  {
    const Component part(visitor, "pe_ipcq", pe.pe_ipcq_overhead_ns,
                         "The queue of collective communication.");
    visitor.integer("slots", pe.pe_ipcq_slots, {1, 4096}, "Slots of the queue.");
    visitor.integer("slot_bytes", pe.pe_ipcq_slot_bytes, {1, 1U << 24U},
                    "Size of a slot in bytes.");
    visitor.enumeration("backing", pe.pe_ipcq_backing, kSlotBackingNames,
                        "The memory that holds the slots, which must fit.");
  }
  const Section links(visitor, "links", "Links of a PE.");
  link(visitor, "pe_internal", pe.pe_internal, "Between the parts of a PE.");
}

}  // namespace

void describe(SpecVisitor& visitor, IoChipletSpec& chiplet) {
  visitor.identifier("id", chiplet.id, "Name of the IO chiplet in node names; must be unique.");
  visitor.enumeration("side", chiplet.side, kSideNames,
                      "The side of the SIP whose cubes it reaches; north is row 0.");
  { const Component part(visitor, "pcie_ep", chiplet.pcie_ep_overhead_ns, "The PCIe endpoint."); }
  { const Component part(visitor, "io_cpu", chiplet.io_cpu_overhead_ns, "Its CPU."); }
  { const Component part(visitor, "io_noc", chiplet.io_noc_overhead_ns, "Its network."); }
  { const Component part(visitor, "io_ucie", chiplet.io_ucie_overhead_ns, "A UCIe PHY."); }
  { const Component part(visitor, "conn", chiplet.conn_overhead_ns, "A UCIe connection."); }
  const Section links(visitor, "links", "Links of the IO chiplet.");
  link(visitor, "pcie_ep_to_io_noc", chiplet.pcie_ep_to_io_noc, "Endpoint to network.");
  link(visitor, "io_cpu_to_io_noc", chiplet.io_cpu_to_io_noc, "CPU to network (command).");
  link(visitor, "io_noc_to_conn", chiplet.io_noc_to_conn, "Network to a UCIe connection.");
  link(visitor, "conn_to_io_ucie", chiplet.conn_to_io_ucie, "UCIe connection to its PHY.");
  link(visitor, "io_ucie_to_cube", chiplet.io_ucie_to_cube, "UCIe PHY to the PHY of a cube.");
}

void describe(SpecVisitor& visitor, TopologySpec& spec) {
  describe_system(visitor, spec.system);
  describe_sip(visitor, spec.sip);
  describe_cube(visitor, spec.cube);
  describe_pe(visitor, spec.pe);
  const Section visualization(visitor, "visualization", "Diagrams.");
  visitor.enumerations("emit_views", spec.emit_views, kViewLevelNames, 0,
                       "The views drawn by default.");
}

}  // namespace kernbench::topology
