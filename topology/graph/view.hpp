// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "topology/graph/kinds.hpp"
#include "topology/spec/spec_values.hpp"

namespace kernbench::topology {

/// Subject of a box: one node of the graph, or a block of several.
enum class ViewShape : std::uint8_t {
  Node,       ///< a single node of kind `kind`
  SipBlock,   ///< a SIP, in the system view
  CubeBlock,  ///< a cube, in the SIP view
  PeBlock,    ///< a PE, in the cube view
  HbmZone,    ///< the HBM exclusion zone, in the cube view
  IoBlock,    ///< the outline of an IO chiplet in the SIP view, drawn behind its nodes
};

/// A box of a view, at the coordinates that routing uses.
struct ViewNode {
  std::string id;     ///< name of the node or block ("sip0.cube3"); unique in the view
  std::string label;  ///< short text: "r0c1", "PE 3", "m_cpu"
  ViewShape shape = ViewShape::Node;
  NodeKind kind = NodeKind::Router;  ///< valid only for ViewShape::Node
  PositionMm center;
  double w_mm = 0;  ///< size of a block; 0 if the renderer chooses it
  double h_mm = 0;
  std::vector<std::pair<std::string, std::string>> details;  ///< for tooltips: ("overhead", "1 ns")
};

/// A line of a view. A pair of opposite edges with equal parameters is one line.
struct ViewEdge {
  std::size_t from = 0;  ///< index into View::nodes
  std::size_t to = 0;
  EdgeKind kind = EdgeKind::RouterMesh;
  double bw_gbs = 0;
  double length_mm = 0;
  bool both_ways = true;
  std::uint8_t maze_depth = 0;  ///< IRS stages of a maze link
};

/// One projection of the graph (ADR-0053 D6): system, SIP, cube or PE.
struct View {
  ViewLevel level = ViewLevel::System;
  std::string title;
  double w_mm = 0;  ///< extent of the drawing
  double h_mm = 0;
  std::vector<ViewNode> nodes;  ///< blocks before the nodes inside them
  std::vector<ViewEdge> edges;
};

}  // namespace kernbench::topology
