#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "topology/graph/kinds.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {

/// What a box of a view stands for: one node of the graph, or a whole block of them.
enum class ViewShape : std::uint8_t {
  Node,       ///< `kind` says which
  SipBlock,   ///< a SIP, in the system view
  CubeBlock,  ///< a cube, in the SIP view
  PeBlock,    ///< a PE, in the cube view
  HbmZone,    ///< the HBM exclusion zone, in the cube view
  IoBlock,    ///< the outline of an IO chiplet, behind its nodes, in the SIP view
};

/// A box of a view at the coordinates that routing uses.
struct ViewNode {
  std::string id;     ///< the node's name, or that of the block ("sip0.cube3"); unique in the view
  std::string label;  ///< short: "r0c1", "PE 3", "m_cpu"
  ViewShape shape = ViewShape::Node;
  NodeKind kind = NodeKind::Router;  ///< only of shape Node
  PositionMm center;
  double w_mm = 0;  ///< size of blocks that have one; 0: the renderer chooses
  double h_mm = 0;
  std::vector<std::pair<std::string, std::string>> details;  ///< ("overhead", "1 ns"), for tooltips
};

/// A line of a view. Pairs of opposite edges with equal parameters are one line.
struct ViewEdge {
  std::size_t from = 0;  ///< index into View::nodes
  std::size_t to = 0;
  EdgeKind kind = EdgeKind::RouterMesh;
  double bw_gbs = 0;
  double length_mm = 0;
  bool both_ways = true;
  std::uint8_t maze_depth = 0;  ///< IRS stages, of maze links
};

/// One projection of the graph (ADR-0053 D6): system, SIP, cube or PE.
struct View {
  ViewLevel level = ViewLevel::System;
  std::string title;
  double w_mm = 0;  ///< extent of the drawing
  double h_mm = 0;
  std::vector<ViewNode> nodes;  ///< blocks before what stands in them
  std::vector<ViewEdge> edges;
};

}  // namespace kernbench::topology
