// SPDX-License-Identifier: Apache-2.0
// Views of a cube and of a PE.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "topology/graph/node_names.hpp"
#include "topology/graph/stages.hpp"
#include "topology/graph/view_parts.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {

namespace {

constexpr double kPeBlockMm = 1.6;

ViewNode block(std::string id, std::string label, ViewShape shape, PositionMm center, double w_mm,
               double h_mm) {
  ViewNode node;
  node.id = std::move(id);
  node.label = std::move(label);
  node.shape = shape;
  node.center = center;
  node.w_mm = w_mm;
  node.h_mm = h_mm;
  return node;
}

/// Makes the box of the HBM zone. Its sides run halfway between the zone and the surrounding
/// routers.
ViewNode hbm_zone(const TopologySpec& spec, const CubeMesh& mesh) {
  const PositionMm first = mesh.position(mesh.hbm_first);
  const PositionMm last = mesh.position(mesh.hbm_last);
  const double margin = 0.9;
  ViewNode zone =
      block("hbm", "HBM", ViewShape::HbmZone, {(first.x + last.x) / 2, (first.y + last.y) / 2},
            last.x - first.x + 2 * margin, last.y - first.y + 2 * margin);
  const MemoryMapSpec& memory = spec.cube.memory_map;
  zone.details = {
      {"capacity", fmt::format("{} GiB", memory.hbm_total_gb)},
      {"bandwidth", fmt::format("{} GB/s", memory.hbm_total_bw_gbs)},
      {"slices", fmt::format("{}", memory.slices_per_cube)},
      {"mapping", std::string(common::name_of(kHbmMappingModeNames, memory.hbm_mapping_mode))}};
  return zone;
}

bool is_pe_part(NodeKind kind) {
  return std::find(kPeParts.begin(), kPeParts.end(), kind) != kPeParts.end();
}

/// Returns the place of a part in the view of its PE; parts are ordered along the flow of a tile.
PositionMm pe_part_position(NodeKind part) {
  switch (part) {
    case NodeKind::PeIpcq:
      return {2, 2};
    case NodeKind::PeCpu:
      return {7, 2};
    case NodeKind::PeScheduler:
      return {12, 2};
    case NodeKind::PeDma:
      return {4, 6};
    case NodeKind::PeFetchStore:
      return {10, 6};
    case NodeKind::PeMath:
      return {16, 6};
    case NodeKind::PeMmu:
      return {2, 10};
    case NodeKind::PeTcm:
      return {7, 10};
    case NodeKind::PeGemm:
      return {14, 10};
    default:
      return {};
  }
}

}  // namespace

View build_cube_view(const TopologySpec& spec, const CubeMesh& mesh) {
  // Compile cube 0 alone, with the cube's own corner as the origin.
  TopologySpec alone = spec;
  alone.sip.cube_mesh_w = 1;
  alone.sip.cube_mesh_h = 1;
  if (spec.sip.inter_cube == InterCube::UcieMesh) alone.sip.io_chiplets.clear();
  for (IoChipletSpec& io : alone.sip.io_chiplets) io.side = Side::North;
  GraphBuilder builder(alone, mesh);
  const SipFrame frame(builder.spec());
  instantiate_cube(builder, frame, 0, 0);
  const PositionMm origin = frame.cube_origin(0);
  const TopologyGraph cube = std::move(builder).finish({});

  View view;
  view.level = ViewLevel::Cube;
  view.title = fmt::format("Cube: {} PE{}, {} x {} router grid", spec.cube.pes(),
                           spec.cube.pes() == 1 ? "" : "s", mesh.rows(), mesh.columns());
  view.w_mm = spec.cube.w_mm;
  view.h_mm = spec.cube.h_mm;
  view.nodes.push_back(hbm_zone(spec, mesh));
  View whole;
  append_graph(cube, whole);

  // Merge the parts of a PE into one block.
  std::vector<std::size_t> place(whole.nodes.size());
  std::vector<std::optional<std::size_t>> pe_blocks(spec.cube.pes());
  for (std::uint32_t i = 0; i < whole.nodes.size(); ++i) {
    const Node& node = cube.node(NodeId(i));
    whole.nodes[i].center.x -= origin.x;
    whole.nodes[i].center.y -= origin.y;
    if (!is_pe_part(node.kind)) {
      place[i] = view.nodes.size();
      view.nodes.push_back(whole.nodes[i]);
      continue;
    }
    std::optional<std::size_t>& pe_block = pe_blocks[node.pe];
    if (!pe_block) {
      pe_block = view.nodes.size();
      view.nodes.push_back(block(node_names::pe(0, 0, node.pe), fmt::format("PE {}", node.pe),
                                 ViewShape::PeBlock, whole.nodes[i].center, kPeBlockMm,
                                 kPeBlockMm));
      view.nodes.back().details = {{"TCM", fmt::format("{} MiB", spec.cube.memory_map.tcm_mb)}};
    }
    place[i] = *pe_block;
  }
  for (ViewEdge edge : whole.edges) {
    edge.from = place[edge.from];
    edge.to = place[edge.to];
    if (edge.from != edge.to) view.edges.push_back(edge);
  }
  return view;
}

View build_pe_view(const TopologySpec& spec) {
  View view;
  view.level = ViewLevel::Pe;
  view.title = "PE: nine parts";
  view.w_mm = 18;
  view.h_mm = 12;
  const std::string prefix = node_names::pe(0, 0, 0);
  std::array<std::size_t, kNodeKinds> place{};
  for (const NodeKind part : kPeParts) {
    place.at(static_cast<std::size_t>(part)) = view.nodes.size();
    view.nodes.push_back(view_node(node_names::pe_part(prefix, part), std::string(name(part)), part,
                                   pe_part_position(part), pe_part_overhead_ns(spec.pe, part)));
  }
  for (const auto& [a, b] : kPeInternalPairs) {
    view.edges.push_back(view_line(place.at(static_cast<std::size_t>(a)),
                                   place.at(static_cast<std::size_t>(b)), EdgeKind::PeInternal,
                                   spec.pe.pe_internal));
  }
  return view;
}

}  // namespace kernbench::topology
