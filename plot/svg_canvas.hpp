// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plot/svg_style.hpp"

namespace kernbench::plot {

/// The part of a text that stands at its point.
enum class TextAnchor { Start, Middle, End };

/// Style and tooltip of a shape.
struct SvgStyle {
  std::string_view css_class;     ///< names from the style sheet of the canvas
  std::string_view tooltip = {};  ///< becomes a <title>; empty for none
  std::string_view id = {};       ///< becomes data-id, for scripts and tests
};

/// Writes an SVG document that needs no other file. Units are CSS pixels. Texts are <text>
/// elements, so readers can search them. Numbers have at most two decimals, independent of the
/// locale.
class SvgCanvas {
 public:
  /// The rules of `style_sheet`, see SvgStyleSheet, become attributes of all shapes. Without any,
  /// the document is a part of a page that has rules for its classes.
  SvgCanvas(double width, double height, std::string_view title, std::string_view style_sheet);

  void rect(double x, double y, double w, double h, const SvgStyle& style, double radius = 0);
  void circle(double cx, double cy, double r, const SvgStyle& style);
  void line(double x1, double y1, double x2, double y2, const SvgStyle& style);
  /// Draws an SVG path, for example "M0 0 Q5 5 10 0".
  void path(std::string_view d, const SvgStyle& style);
  /// Writes `text`, escaped, on the baseline `y`.
  void text(double x, double y, std::string_view text, const SvgStyle& style,
            TextAnchor anchor = TextAnchor::Middle);
  void begin_group(const SvgStyle& style);
  void end_group();

  /// Returns the document with a newline at the end.
  [[nodiscard]] std::string finish() &&;

 private:
  /// Returns class, identifier and style of an element.
  [[nodiscard]] std::string attributes(const char* element, const SvgStyle& style) const;
  void shape_end(const SvgStyle& style, std::string_view element);

  std::optional<SvgStyleSheet> sheet_;
  std::vector<SvgStyleSheet::Element> groups_;  ///< that are open, with the document itself
  std::string out_;
};

/// Returns true for a file that begins like the documents of a canvas.
[[nodiscard]] bool is_own_svg(const std::filesystem::path& file);

/// Returns a number as the canvas prints it: "12.5", "3", "-0.25".
[[nodiscard]] std::string svg_number(double value);

}  // namespace kernbench::plot
