// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "topology/graph/view.hpp"

namespace kernbench::topology {

// The look of views: a style sheet, and the CSS classes of nodes and edges.

inline constexpr double kLabelPx = 11;  ///< font size of nodes and legend
inline constexpr double kSmallPx = 10;  ///< font size of nodes in a crowded view
inline constexpr double kBlockPx = 12;  ///< font size of blocks

/// Returns the style sheet of views; they have a light ground.
[[nodiscard]] std::string view_style_sheet();

/// Returns true for a block that is drawn at its size in mm, behind all other nodes. Other nodes
/// are small boxes of the size of their labels.
[[nodiscard]] bool is_area(const ViewNode& node);

/// Returns the name of the node's kind in the legend: "router", "PE", "HBM zone".
[[nodiscard]] std::string_view role(const ViewNode& node);

/// Returns the font size of the node's label.
[[nodiscard]] double label_font(const ViewNode& node, bool crowded);

/// Returns the lines below the label of an area of this size, in px: its first details if they fit.
[[nodiscard]] std::vector<std::string> detail_lines(const ViewNode& node, double w_px, double h_px);
inline constexpr double kDetailRowPx = 15;

/// Returns, for example, "node router" or "area cube".
[[nodiscard]] std::string css_class(const ViewNode& node);

/// Returns, for example, "edge router_mesh" or "edge maze_link depth2".
[[nodiscard]] std::string css_class(const ViewEdge& edge);

/// Deeper MAZE links all have the same style.
inline constexpr unsigned kDeepestStyle = 7;

/// Returns a tooltip with a line for each of name, kind, place and parameters.
[[nodiscard]] std::string tooltip(const ViewNode& node);
[[nodiscard]] std::string tooltip(const View& view, const ViewEdge& edge);

/// Returns, for example, "256 GB/s" or "0.5 mm", without trailing zeros.
[[nodiscard]] std::string bandwidth_text(double gbs);
[[nodiscard]] std::string length_text(double mm);

}  // namespace kernbench::topology
