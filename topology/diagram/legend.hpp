// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plot/geometry.hpp"
#include "plot/svg_canvas.hpp"
#include "topology/graph/view.hpp"

namespace kernbench::topology {

/// The legend of a view. It shows a swatch and a name for each kind of node; a sample, a name,
/// bandwidths and lengths for each kind of edge; and a sample for each depth of MAZE links.
class Legend {
 public:
  explicit Legend(const View& view);

  [[nodiscard]] plot::SizePx size() const;
  void draw(plot::SvgCanvas& canvas, plot::PointPx top_left) const;

 private:
  struct Entry {
    std::string css_class;  ///< empty for a heading or a note
    bool is_line = false;
    std::string text;
  };

  void add_nodes(const View& view);
  void add_edges(const View& view);
  void add_maze_depths(const View& view);

  std::vector<Entry> entries_;
};

/// Draws a bar of a round length in mm with its label, about a tenth of `extent_px` long.
void draw_scale_bar(plot::SvgCanvas& canvas, plot::PointPx left_end, double px_per_mm,
                    double extent_px);

/// Returns the size of what draw_scale_bar() draws.
[[nodiscard]] plot::SizePx scale_bar_size(double px_per_mm, double extent_px);

}  // namespace kernbench::topology
