// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kernbench::plot::sample {

/// A box of a drawing in px, with a name.
struct SvgBox {
  std::string what;
  double x = 0;
  double y = 0;
  double w = 0;
  double h = 0;
};

struct SvgPoint {
  double x = 0;
  double y = 0;
};

/// The parts of a drawing that are checked. They are read from its text, independently of the code
/// that drew it.
struct SvgDrawing {
  double w = 0;
  double h = 0;
  std::vector<SvgBox> texts;  ///< texts, 0.62 em a character in the font of their class
  std::vector<SvgBox> boxes;  ///< rectangles of nodes, by data-id
  std::map<std::string, SvgPoint> places;   ///< places of nodes and areas, by data-id
  std::vector<std::string> link_tooltips;   ///< tooltips of edges
  std::vector<std::string> arrow_tooltips;  ///< tooltips of edges with an arrow
};

/// Reads a drawing. Throws std::runtime_error for text that the canvas cannot have written.
[[nodiscard]] SvgDrawing read_svg(std::string_view svg);

/// Returns a drawing without the attributes that are only looks, such as fill and font-size.
[[nodiscard]] std::string without_looks(const std::string& svg);

/// Returns a line for every two texts that overlap, every text that leaves the drawing, and every
/// text that touches the box of another node; none for a legible drawing.
[[nodiscard]] std::vector<std::string> find_illegible(const SvgDrawing& drawing);

}  // namespace kernbench::plot::sample
