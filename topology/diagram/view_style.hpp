#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "topology/graph/view.hpp"

namespace kernbench::topology {

// How the views look: one style sheet, and the class names by which shapes find their colours.

inline constexpr double kLabelPx = 11;  ///< font size of nodes and legend
inline constexpr double kSmallPx = 10;  ///< font size of nodes where they crowd
inline constexpr double kBlockPx = 12;  ///< font size of blocks

[[nodiscard]] std::string view_style_sheet();

/// A block that is drawn at its size in mm, behind everything else. All other nodes are small
/// boxes as large as their label needs.
[[nodiscard]] bool is_area(const ViewNode& node);

/// What the node is, as the legend says it: "router", "PE", "HBM zone".
[[nodiscard]] std::string_view role(const ViewNode& node);

/// Font size of the node's label.
[[nodiscard]] double label_font(const ViewNode& node, bool crowded);

/// What stands below the label of an area of this size, in px: its first details, if they fit.
[[nodiscard]] std::vector<std::string> detail_lines(const ViewNode& node, double w_px, double h_px);
inline constexpr double kDetailRowPx = 15;

/// "node router", "area cube".
[[nodiscard]] std::string css_class(const ViewNode& node);

/// "edge router_mesh", "edge maze_link depth2".
[[nodiscard]] std::string css_class(const ViewEdge& edge);

/// MAZE links deeper than this look alike.
inline constexpr unsigned kDeepestStyle = 7;

/// Tooltips, with a line for each of name, kind, place and parameters.
[[nodiscard]] std::string tooltip(const ViewNode& node);
[[nodiscard]] std::string tooltip(const View& view, const ViewEdge& edge);

/// "256 GB/s", "0.5 mm": numbers as short as they are exact.
[[nodiscard]] std::string bandwidth_text(double gbs);
[[nodiscard]] std::string length_text(double mm);

}  // namespace kernbench::topology
