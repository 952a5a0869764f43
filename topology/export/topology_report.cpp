// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "common/description.hpp"
#include "topology/export/graph_export.hpp"
#include "topology/spec/topology_spec.hpp"
#include "topology/zoo/endpoint_routes.hpp"

namespace kernbench::topology {
namespace {

// The parts of the report are views of the graph.

struct GraphReport {
  const TopologyGraph& graph;

  [[nodiscard]] const SystemSpec& system() const { return graph.spec().system; }
};
struct Components {
  const TopologyGraph& graph;

  [[nodiscard]] const TopologySpec& spec() const { return graph.spec(); }
};
/// A network of any topology.
struct NocAttributes {
  std::string topology;
  NocSpec noc;
};
struct NodeRow {
  const TopologyGraph& graph;
  NodeId id;

  [[nodiscard]] const Node& node() const { return graph.node(id); }
};
struct EdgeRow {
  const TopologyGraph& graph;
  const Edge& edge;
};

constexpr std::uint64_t mebibytes(std::uint32_t count) {
  return std::uint64_t{count} << 20U;
}
constexpr double mm_of(std::int64_t nm) {
  return static_cast<double>(nm) / 1e6;
}

/// Returns the network between the SIPs, or that of a SIP, if the spec has one.
std::optional<NocAttributes> noc_attributes(const Components& components, bool between_sips) {
  const NocChoice choice = noc_of(components.spec(), between_sips);
  if (choice.topology.routes == nullptr) return std::nullopt;
  return NocAttributes{choice.topology->topology()->name(), choice.noc};
}

bool is_connection(const NodeRow& row) {
  return row.node().kind == NodeKind::UcieConn;
}

auto has_index(std::uint16_t Node::*index) {
  return [index](const NodeRow& row) { return row.node().*index != kNoIndex; };
}

bool is_maze_link(const EdgeRow& row) {
  return row.edge.kind == EdgeKind::MazeLink;
}

/// Returns the propagation time, rounded half up to a picosecond as in the model.
common::SimTime propagation(const EdgeRow& row) {
  const double length_mm = static_cast<double>(row.edge.length_nm) * 1e-6;
  return common::SimTime::from_ns(length_mm * row.graph.spec().system.wire_ns_per_mm);
}

std::vector<std::string> names_of_edges() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kEdgeKinds; ++i) {
    names.emplace_back(name(static_cast<EdgeKind>(i)));
  }
  return names;
}

common::LongList<NodeRow> nodes(const GraphReport& report) {
  return {[&graph = report.graph](const auto& take) {
    for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) take({graph, NodeId(i)});
  }};
}

common::LongList<EdgeRow> edges(const GraphReport& report) {
  return {[&graph = report.graph](const auto& take) {
    for (const Edge& edge : graph.edges()) take({graph, edge});
  }};
}

}  // namespace
}  // namespace kernbench::topology

namespace kernbench::common {

using topology::Components;
using topology::EdgeRow;
using topology::GraphReport;
using topology::NocAttributes;
using topology::NodeKind;
using topology::NodeRow;

namespace {

/// Adds the attributes of all nodes of a kind.
void add_kind(Description<Components>& all, NodeKind kind,
              const Description<Components>& attributes) {
  all.add_section(std::string(topology::name(kind)), attributes)
      .absent_unless("the graph has this kind", [kind](const Components& components) {
        const auto nodes = components.graph.nodes();
        return std::any_of(nodes.begin(), nodes.end(),
                           [kind](const topology::Node& node) { return node.kind == kind; });
      });
}

Description<Components> describe_components() {
  Description<Components> all;
  const auto attributes = [] { return Description<Components>(); };
  add_kind(all, NodeKind::Sram,
           attributes()
               .add("bw_gbs", [](const auto& of) { return of.spec().cube.sram_bw_gbs; })
               .at_least(0)
               .add("bytes", [](const auto& of) {
                 return topology::mebibytes(of.spec().cube.memory_map.sram_mb);
               }));
  add_kind(
      all, NodeKind::HbmCtrl,
      attributes()
          .add("channels",
               [](const auto& of) { return of.spec().cube.memory_map.channels_per_slice; })
          .at_least(1)
          .add("interleave",
               [](const auto& of) { return of.spec().cube.memory_map.hbm_interleave; })
          .add("mapping", [](const auto& of) { return of.spec().cube.memory_map.hbm_mapping_mode; })
          .add("stripe_bytes",
               [](const auto& of) { return of.spec().cube.memory_map.hbm_stripe_bytes; })
          .at_least(1)
          .add("slice_bw_gbs",
               [](const auto& of) { return of.spec().cube.memory_map.slice_bw_gbs(); })
          .at_least(0)
          .add("slice_bytes",
               [](const auto& of) { return of.spec().cube.memory_map.hbm_slice_bytes(); }));
  add_kind(all, NodeKind::Maze,
           attributes()
               .add("flit_bits", [](const auto& of) { return of.spec().sip.maze.flit_bits; })
               .within(1, 32)
               .add("clock_ns", [](const auto& of) { return of.spec().sip.maze.clock_ns; })
               .above(0)
               .add("order", [](const auto& of) { return of.spec().sip.maze.order; })
               .add("failed_node", [](const auto& of) { return of.spec().sip.maze.failed_node; })
               .absent_unless("one has failed"));
  add_kind(all, NodeKind::NocPort,
           attributes()
               .add("cubes", [](const auto& of) { return topology::noc_attributes(of, false); })
               .absent_unless("the cubes are joined by a network")
               .add("sips", [](const auto& of) { return topology::noc_attributes(of, true); })
               .absent_unless("the SIPs are joined by a network"));
  add_kind(
      all, NodeKind::PeGemm,
      attributes()
          .add("macs_per_cycle", [](const auto& of) { return of.spec().pe.pe_gemm_macs_per_cycle; })
          .add("accumulator_bytes",
               [](const auto& of) { return of.spec().pe.pe_gemm_accumulator_bytes(); })
          .add("clock_ghz", [](const auto& of) { return of.spec().pe.clock_ghz; })
          .at_least(0));
  add_kind(all, NodeKind::PeMath,
           attributes()
               .add("elements_per_cycle",
                    [](const auto& of) { return of.spec().pe.pe_math_elements_per_cycle; })
               .add("clock_ghz", [](const auto& of) { return of.spec().pe.clock_ghz; })
               .at_least(0));
  add_kind(all, NodeKind::PeTcm,
           attributes()
               .add("read_bw_gbs", [](const auto& of) { return of.spec().pe.pe_tcm_read_bw_gbs; })
               .at_least(0)
               .add("write_bw_gbs", [](const auto& of) { return of.spec().pe.pe_tcm_write_bw_gbs; })
               .at_least(0)
               .add("bytes", [](const auto& of) {
                 return topology::mebibytes(of.spec().cube.memory_map.tcm_mb);
               }));
  add_kind(
      all, NodeKind::PeMmu,
      attributes()
          .add("tlb_overhead_ps",
               [](const auto& of) { return SimTime::from_ns(of.spec().pe.pe_mmu_tlb_overhead_ns); })
          .add("page_bytes", [](const auto& of) { return of.spec().cube.memory_map.page_bytes; })
          .at_least(1));
  add_kind(all, NodeKind::PeIpcq,
           attributes()
               .add("slots", [](const auto& of) { return of.spec().pe.pe_ipcq_slots; })
               .add("slot_bytes", [](const auto& of) { return of.spec().pe.pe_ipcq_slot_bytes; })
               .add("backing", [](const auto& of) { return of.spec().pe.pe_ipcq_backing; }));
  return all;
}

}  // namespace

template <>
const Description<NocAttributes>& description_of() {
  static const auto kAll =
      Description<NocAttributes>()
          .add("topology", &NocAttributes::topology)
          .add("flit_bits", [](const auto& of) { return of.noc.flit_bits; })
          .at_least(1)
          .add("clock_ns", [](const auto& of) { return of.noc.clock_ns; })
          .above(0)
          .add("lanes", [](const auto& of) { return of.noc.lanes; })
          .at_least(1)
          .add("slots", [](const auto& of) { return of.noc.slots; })
          .at_least(1)
          .add("stages", [](const auto& of) { return of.noc.stages; })
          .add("packet_flits", [](const auto& of) { return of.noc.packet_flits; })
          .at_least(1);
  return kAll;
}

template <>
const Description<Components>& description_of() {
  static const auto kAll = describe_components();
  return kAll;
}

template <>
const Description<NodeRow>& description_of() {
  static const auto kAll =
      Description<NodeRow>()
          .add("name", [](const auto& row) { return row.graph.name(row.id); })
          .add("kind", [](const auto& row) { return topology::name(row.node().kind); })
          .add("x_mm", [](const auto& row) { return row.node().position.x; })
          .add("y_mm", [](const auto& row) { return row.node().position.y; })
          .add(
              "overhead_ns", [](const auto& row) { return row.node().overhead.ns(); },
              "of each flit")
          .at_least(0)
          .add("overhead_ps", [](const auto& row) { return row.node().overhead; })
          .add("sip", [](const auto& row) { return row.node().sip; })
          .absent_unless("the node is in a SIP", topology::has_index(&topology::Node::sip))
          .add("cube", [](const auto& row) { return row.node().cube; })
          .absent_unless("the node is in a cube", topology::has_index(&topology::Node::cube))
          .add("pe", [](const auto& row) { return row.node().pe; })
          .absent_unless("the node belongs to a PE", topology::has_index(&topology::Node::pe))
          .add(
              "lane", [](const auto& row) { return row.node().lane; }, "of its PHY")
          .absent_unless("the node is a UCIe connection", topology::is_connection);
  return kAll;
}

template <>
const Description<EdgeRow>& description_of() {
  static const auto kAll =
      Description<EdgeRow>()
          .add("from", [](const auto& row) { return row.graph.name(row.edge.from); })
          .add("to", [](const auto& row) { return row.graph.name(row.edge.to); })
          .add("kind", [](const auto& row) { return topology::name(row.edge.kind); })
          .one_of(topology::names_of_edges())
          .add("bw_gbs", [](const auto& row) { return row.edge.bw_gbs; })
          .at_least(0)
          .add("length_mm", [](const auto& row) { return topology::mm_of(row.edge.length_nm); })
          .at_least(0)
          .add(
              "weight_mm", [](const auto& row) { return topology::mm_of(row.edge.weight_nm()); },
              "length for the search of routes")
          .at_least(0)
          .add("propagation_ps", topology::propagation)
          .add("vertical", [](const auto& row) { return row.edge.vertical; })
          .absent_unless("the edge runs along a column",
                         [](const auto& row) { return row.edge.vertical; })
          .add(
              "maze_port", [](const auto& row) { return row.edge.maze_port; },
              "output port of the sender")
          .absent_unless("the edge is a link of a MAZE", topology::is_maze_link)
          .add(
              "maze_depth", [](const auto& row) { return row.edge.maze_depth; }, "IRS stages")
          .absent_unless("the edge is a link of a MAZE", topology::is_maze_link);
  return kAll;
}

template <>
const Description<GraphReport>& description_of() {
  static const auto kAll =
      Description<GraphReport>()
          .add_section(
              "system",
              Description<GraphReport>()
                  .add("flit_bytes", [](const auto& of) { return of.system().flit_bytes; })
                  .at_least(1)
                  .add("request_bytes", [](const auto& of) { return of.system().request_bytes; })
                  .at_least(1)
                  .add("target_bytes", [](const auto& of) { return of.system().target_bytes; })
                  .add("region_bytes", [](const auto& of) { return of.system().region_bytes; })
                  .add("placement_bytes",
                       [](const auto& of) { return of.system().placement_bytes; })
                  .add_section("wire",
                               Description<GraphReport>()
                                   .add("ns_per_mm",
                                        [](const auto& of) { return of.system().wire_ns_per_mm; })
                                   .at_least(0)))
          .add(
              "components", [](const auto& report) { return Components{report.graph}; },
              "attributes of all nodes of a kind")
          .add("nodes", topology::nodes)
          .add("edges", topology::edges, "directed");
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::topology {

const plot::ReportKind kTopologyReport = {
    .name = "topology",
    .command = "topology export --json",
    .about = "Nodes and edges of a system, with all that enters a latency",
    .envelope = {.grade = false},
    .form = common::form_of<GraphReport>};

void to_json(const TopologyGraph& graph, const common::ReportEnvelope& frame, std::ostream& out) {
  common::ReportEnvelope envelope = frame;
  envelope.kind = kTopologyReport.name;
  common::write_report(envelope, GraphReport{graph}, out);
}

nlohmann::json component_attributes(const TopologyGraph& graph) {
  return common::to_json(Components{graph});
}

}  // namespace kernbench::topology
