#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kernbench::plot::sample {

/// A box of a drawing in px, and what it belongs to.
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

/// What the checks need of a drawing, read from its text as a browser would: no knowledge of how
/// it was made.
struct SvgDrawing {
  double w = 0;
  double h = 0;
  std::vector<SvgBox> texts;                ///< at 0.62 em a character, in the font of their class
  std::vector<SvgBox> boxes;                ///< rectangles of nodes, by data-id
  std::map<std::string, SvgPoint> places;   ///< of nodes and areas, by data-id
  std::vector<std::string> link_tooltips;   ///< of edges
  std::vector<std::string> arrow_tooltips;  ///< of edges with an arrow
};

/// Throws std::runtime_error when `svg` is not what the canvas writes.
[[nodiscard]] SvgDrawing read_svg(std::string_view svg);

/// Every two texts that overlap, every text that leaves the drawing, and every text that touches
/// the box of a node which is not its own; empty when the drawing is legible.
[[nodiscard]] std::vector<std::string> find_illegible(const SvgDrawing& drawing);

}  // namespace kernbench::plot::sample
