// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plot/geometry.hpp"
#include "plot/svg_canvas.hpp"

namespace kernbench::docs {

/// A drawing of the documents: a plot::SvgCanvas with the classes and the arrows that all of them
/// share, for light and dark screens. Classes: "title", "note", "small", "strong" for texts; "box",
/// "faint" for shapes; "wire", "bus", "grid" for lines. `extra_style` is CSS that one figure adds,
/// `extra_dark_style` what changes on a dark screen.
class Figure {
 public:
  Figure(double width, double height, std::string_view title, std::string_view extra_style = {},
         std::string_view extra_dark_style = {});

  [[nodiscard]] plot::SvgCanvas& canvas() { return canvas_; }

  void text(double x, double y, std::string_view text, std::string_view css_class,
            plot::TextAnchor anchor = plot::TextAnchor::Start);
  /// Draws a line along `points` and a head at the last one. `css_class` needs a stroke; the head
  /// has the class "head" besides.
  void arrow(const std::vector<plot::PointPx>& points, std::string_view css_class);
  /// Draws the head alone, with its tip at `tip` and pointing away from `from`.
  void head(plot::PointPx tip, plot::PointPx from, std::string_view css_class);

  /// Returns the document.
  [[nodiscard]] std::string finish() &&;

 private:
  plot::SvgCanvas canvas_;
};

}  // namespace kernbench::docs
