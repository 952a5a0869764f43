#pragma once

#include <string>

#include "topology/graph/view.hpp"

namespace kernbench::topology {

/// Draws a view as a self-contained SVG document (ADR-0053 D7): nodes at their mm coordinates times
/// one scale, pairs of opposite edges as one line, a tooltip on everything, a legend and a scale
/// bar. Every node is a `<g class="node ..." data-id="its name">`; its place is the centre of the
/// rectangle in it, or, where something else stands there, of the circle of class "anchor" from
/// which a leader runs to the rectangle. The same view gives the same text.
[[nodiscard]] std::string render_view_svg(const View& view);

}  // namespace kernbench::topology
