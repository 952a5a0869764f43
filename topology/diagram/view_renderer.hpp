// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "topology/graph/view.hpp"

namespace kernbench::topology {

/// Draws a view as an SVG document that needs no other file (ADR-0053 D7): nodes at their mm
/// coordinates times one scale, pairs of opposite edges as one line, tooltips, a legend and a scale
/// bar. Every node is a `<g class="node ..." data-id="its name">`. Its place is the centre of its
/// rectangle. If the rectangle is displaced, its place is the circle of class "anchor", and a
/// leader runs from there to the rectangle. The same view gives the same text.
[[nodiscard]] std::string render_view_svg(const View& view);

}  // namespace kernbench::topology
