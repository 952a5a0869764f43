// SPDX-License-Identifier: Apache-2.0
#include "plot/style.hpp"

#include <fmt/format.h>

namespace kernbench::plot {

namespace {

constexpr std::string_view kBase = R"css(
svg { --ground: #ffffff; --ink: #1c2733; --soft: #52606d; --grid: #e1e6eb; background: var(--ground);
  max-width: 100%; height: auto;
  font-family: "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif; }
.ground { fill: var(--ground); }
text { fill: var(--ink); font-size: 12px; }
text.title { font-size: 17px; font-weight: 600; }
text.heading { font-weight: 600; }
text.soft { fill: var(--soft); }
@media (prefers-color-scheme: dark) {
  svg { --ground: #11161c; --ink: #e8edf2; --soft: #a9b4bf; --grid: #2a333d; }
}
)css";

constexpr std::string_view kChartRules = R"css(
.grid { stroke: var(--grid); stroke-width: 1; }
.axis { stroke: var(--soft); stroke-width: 1.2; fill: none; }
text.guide { stroke: var(--ground); stroke-width: 4px; paint-order: stroke; }
path.guide { stroke: var(--ink); stroke-width: 2; fill: none; stroke-linejoin: round; }
path.guide.dashed { stroke-width: 1.4; }
.curve { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
.dashed { stroke-dasharray: 6 4; }
.marker { stroke-width: 1.6; stroke-linejoin: round; }
path.marker.hollow { fill: var(--ground); }
g.case:hover .curve { stroke-width: 4; }
)css";

constexpr std::string_view kPageRules = R"css(
svg { --ground: var(--card); --ink: var(--text); --soft: var(--dim); --grid: var(--line);
      background: none; font-family: inherit; font-variant-numeric: tabular-nums; }
.charts { display: flex; flex-wrap: wrap; gap: 8px 16px; margin: 10px 0; }
)css";

std::string colour_rule(const std::string& css_class, std::uint32_t colour) {
  return fmt::format(".{0} {{ stroke: #{1:06x}; }}\n.marker.{0} {{ fill: #{1:06x}; }}\n", css_class,
                     colour);
}

}  // namespace

std::string_view base_style() {
  return kBase.substr(1);
}

std::string_view chart_rules() {
  return kChartRules.substr(1);
}

std::string page_chart_style() {
  return fmt::format("{}{}{}", base_style(), chart_rules(), kPageRules.substr(1));
}

std::string colour_rules(const std::vector<SeriesColour>& colours) {
  std::string light;
  std::string dark;
  for (const SeriesColour& colour : colours) {
    light += colour_rule(colour.css_class, colour.light);
    dark += colour_rule(colour.css_class, colour.dark);
  }
  return fmt::format("{}@media (prefers-color-scheme: dark) {{\n{}}}\n", light, dark);
}

std::string chart_style_sheet(const std::vector<SeriesColour>& colours) {
  return fmt::format("{}{}{}", base_style(), chart_rules(), colour_rules(colours));
}

}  // namespace kernbench::plot
