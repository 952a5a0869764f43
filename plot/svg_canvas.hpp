#pragma once

#include <string>
#include <string_view>

namespace kernbench::plot {

/// Where a text stands relative to its point.
enum class TextAnchor { Start, Middle, End };

/// Style of a shape: CSS class names that the canvas' style sheet defines, and a tooltip.
struct SvgStyle {
  std::string_view css_class;
  std::string_view tooltip = {};  ///< becomes a <title>; empty for none
  std::string_view id = {};       ///< becomes data-id, for scripts and tests
};

/// Writes one self-contained SVG document; units are CSS pixels. Texts are real <text> elements, so
/// they can be searched. Numbers are printed with at most two decimals, the same everywhere.
class SvgCanvas {
 public:
  /// `style_sheet` is CSS, put into the document as it is.
  SvgCanvas(double width, double height, std::string_view title, std::string_view style_sheet);

  void rect(double x, double y, double w, double h, const SvgStyle& style, double radius = 0);
  void circle(double cx, double cy, double r, const SvgStyle& style);
  void line(double x1, double y1, double x2, double y2, const SvgStyle& style);
  /// `d` is an SVG path: "M0 0 Q5 5 10 0".
  void path(std::string_view d, const SvgStyle& style);
  /// `y` is the baseline. `text` is escaped here.
  void text(double x, double y, std::string_view text, const SvgStyle& style,
            TextAnchor anchor = TextAnchor::Middle);
  void begin_group(const SvgStyle& style);
  void end_group();

  /// The document with a newline at the end.
  [[nodiscard]] std::string finish() &&;

 private:
  void shape_end(const SvgStyle& style, std::string_view element);

  std::string out_;
};

/// A number as the canvas prints it: "12.5", "3", "-0.25".
[[nodiscard]] std::string svg_number(double value);

}  // namespace kernbench::plot
