// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kernbench::plot {

inline constexpr double kTextPx = 12;   ///< font size that base_style() gives to texts
inline constexpr double kTitlePx = 17;  ///< font size of the text class title

/// Returns the rules that all pictures share: the ground, fonts, and the text classes title,
/// heading and soft. Sets the CSS variables --ground, --ink, --soft and --grid for the viewer's
/// light or dark scheme. A picture that is wider than its page shrinks.
[[nodiscard]] std::string_view base_style();

/// Returns the rules for what draw_panel() and draw_sample() write. They need the variables of
/// base_style(); a page that embeds charts may set these itself.
[[nodiscard]] std::string_view chart_rules();

/// Returns both for the charts of a report page, in the page's colours and font. Charts in an
/// element of the class `charts` stand side by side.
[[nodiscard]] std::string page_chart_style();

/// The colour of a curve on a light and on a dark ground, as 0xRRGGBB.
struct SeriesColour {
  std::string css_class;
  std::uint32_t light = 0;
  std::uint32_t dark = 0;
};

/// Returns the rules that give curves and markers their colours, on screens of both schemes.
[[nodiscard]] std::string colour_rules(const std::vector<SeriesColour>& colours);

/// Returns the style sheet of a chart of its own, see SvgStyleSheet.
[[nodiscard]] std::string chart_style_sheet(const std::vector<SeriesColour>& colours);

}  // namespace kernbench::plot
