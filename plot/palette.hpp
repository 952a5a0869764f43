// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "plot/chart_panel.hpp"
#include "plot/style.hpp"

namespace kernbench::plot {

inline constexpr unsigned kPaletteSize = 4;

/// Returns colours that readers with any colour vision tell apart; their classes are those of
/// palette_style().
[[nodiscard]] std::vector<SeriesColour> palette();

/// Returns the look of the curve with this index: colour and marker, repeating after kPaletteSize.
/// A variant has the same colour, but hollow markers and a dashed line.
[[nodiscard]] SeriesStyle palette_style(unsigned index, bool variant = false);

}  // namespace kernbench::plot
