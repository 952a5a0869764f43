// SPDX-License-Identifier: Apache-2.0
#include "topology/routing/adjacency.hpp"

namespace kernbench::topology {

namespace {

constexpr std::uint8_t bit(Adjacency adjacency) {
  return static_cast<std::uint8_t>(1U << static_cast<unsigned>(adjacency));
}

constexpr std::uint8_t kEverywhere =
    bit(Adjacency::All) | bit(Adjacency::Data) | bit(Adjacency::McpuDma) | bit(Adjacency::Local);
constexpr std::uint8_t kNotLocal =
    bit(Adjacency::All) | bit(Adjacency::Data) | bit(Adjacency::McpuDma);
constexpr std::uint8_t kNotMcpuDma =
    bit(Adjacency::All) | bit(Adjacency::Data) | bit(Adjacency::Local);
constexpr std::uint8_t kNotData =
    bit(Adjacency::All) | bit(Adjacency::McpuDma) | bit(Adjacency::Local);

/// No default: a new edge kind does not compile until it is listed here.
constexpr std::uint8_t adjacencies_of(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::Command:
      return kNotData;
    case EdgeKind::PeInternal:
    case EdgeKind::PeToRouter:
      return kNotMcpuDma;
    case EdgeKind::UcieInternal:
    case EdgeKind::UcieConnToRouter:
    case EdgeKind::RouterToUcieConn:
    case EdgeKind::UcieConnToNoc:
    case EdgeKind::NocToUcieConn:
    case EdgeKind::UcieMesh:
    case EdgeKind::IoToCube:
    case EdgeKind::CubeToIo:
    case EdgeKind::MazeLink:
    case EdgeKind::MazeAttach:
    case EdgeKind::NocLink:
    case EdgeKind::NocAttach:
      return kNotLocal;
    case EdgeKind::RouterMesh:
    case EdgeKind::RouterToHbm:
    case EdgeKind::HbmToRouter:
    case EdgeKind::RouterToMcpu:
    case EdgeKind::McpuToRouter:
    case EdgeKind::RouterToSram:
    case EdgeKind::SramToRouter:
    case EdgeKind::IoInternal:
    case EdgeKind::Pcie:
      return kEverywhere;
  }
  return 0;
}

}  // namespace

bool contains(Adjacency adjacency, EdgeKind kind) {
  return (adjacencies_of(kind) & bit(adjacency)) != 0;
}

std::array<ArcTable, kAdjacencies> build_adjacencies(const TopologyGraph& graph,
                                                     const Stops& stops) {
  std::array<ArcTable, kAdjacencies> tables;
  for (ArcTable& table : tables) table.first_.assign(stops.count() + 1, 0);
  // Count the arcs of each stop, compute where each stop's arcs begin, then sort the arcs in.
  for (const Edge& edge : graph.edges()) {
    stops.for_each_way(graph, edge, [&](std::uint32_t from, std::uint32_t) {
      for (std::size_t a = 0; a < kAdjacencies; ++a) {
        tables.at(a).first_[from + 1] += contains(static_cast<Adjacency>(a), edge.kind) ? 1U : 0U;
      }
    });
  }
  for (ArcTable& table : tables) {
    for (std::size_t i = 0; i < stops.count(); ++i) table.first_[i + 1] += table.first_[i];
    table.arcs_.resize(table.first_[stops.count()]);
  }
  std::array<std::vector<std::uint32_t>, kAdjacencies> next;
  for (std::size_t a = 0; a < kAdjacencies; ++a) next.at(a) = tables.at(a).first_;
  for (std::uint32_t e = 0; e < graph.edges().size(); ++e) {
    const Edge& edge = graph.edges()[e];
    stops.for_each_way(graph, edge, [&](std::uint32_t from, std::uint32_t to) {
      for (std::size_t a = 0; a < kAdjacencies; ++a) {
        if (!contains(static_cast<Adjacency>(a), edge.kind)) continue;
        tables.at(a).arcs_[next.at(a)[from]++] = {to, EdgeId(e), edge.weight_nm()};
      }
    });
  }
  return tables;
}

}  // namespace kernbench::topology
