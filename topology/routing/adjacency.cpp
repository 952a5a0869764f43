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

std::array<ArcTable, kAdjacencies> build_adjacencies(const TopologyGraph& graph) {
  std::array<ArcTable, kAdjacencies> tables;
  const std::size_t nodes = graph.nodes().size();
  for (ArcTable& table : tables) table.first_.assign(nodes + 1, 0);
  // Count the arcs of each node, compute where each node's arcs begin, then sort the edges in.
  for (const Edge& edge : graph.edges()) {
    for (std::size_t a = 0; a < kAdjacencies; ++a) {
      const auto adjacency = static_cast<Adjacency>(a);
      tables.at(a).first_[edge.from.value() + 1] += contains(adjacency, edge.kind) ? 1U : 0U;
    }
  }
  for (ArcTable& table : tables) {
    for (std::size_t node = 0; node < nodes; ++node) table.first_[node + 1] += table.first_[node];
    table.arcs_.resize(table.first_[nodes]);
  }
  std::array<std::vector<std::uint32_t>, kAdjacencies> next;
  for (std::size_t a = 0; a < kAdjacencies; ++a) next.at(a) = tables.at(a).first_;
  for (std::uint32_t e = 0; e < graph.edges().size(); ++e) {
    const Edge& edge = graph.edges()[e];
    for (std::size_t a = 0; a < kAdjacencies; ++a) {
      if (!contains(static_cast<Adjacency>(a), edge.kind)) continue;
      tables.at(a).arcs_[next.at(a)[edge.from.value()]++] = {edge.to.value(), EdgeId(e),
                                                             edge.weight_nm()};
    }
  }
  return tables;
}

}  // namespace kernbench::topology
