// SPDX-License-Identifier: Apache-2.0
#include "docs/generator/figure.hpp"

#include <fmt/format.h>

#include <utility>

#include "plot/path_data.hpp"

namespace kernbench::docs {

using plot::PointPx;

namespace {

constexpr double kHeadLength = 8;
constexpr double kHeadWidth = 7;
constexpr const char* kStyle = R"(svg{background:#fff;max-width:100%;height:auto}
text{font-family:"DejaVu Sans",Arial,sans-serif;font-size:12px;fill:#222}
.title{font-size:16px;font-weight:bold}
.strong{font-size:13px;font-weight:bold}
.note{fill:#555}
.small{font-size:11px;fill:#555}
.ground{fill:#fff}
.box{fill:#eef3f8;stroke:#666}
.faint{fill:#fafafa;stroke:#ccc}
.wire{fill:none;stroke:#444;stroke-width:1.5}
.bus{fill:none;stroke:#444;stroke-width:3}
.grid{stroke:#ccc;stroke-dasharray:3 3}
path.head{stroke:none;fill:#444}
)";
constexpr const char* kDarkStyle = R"(svg{background:#11161c}
text{fill:#e8edf2}
.note,.small{fill:#a9b4bf}
.ground{fill:#11161c}
.box{fill:#1d2733;stroke:#8b98a6}
.faint{fill:#171d25;stroke:#46525f}
.wire,.bus{stroke:#b4bec9}
.grid{stroke:#46525f}
path.head{fill:#b4bec9}
)";

}  // namespace

Figure::Figure(double width, double height, std::string_view title, std::string_view extra_style,
               std::string_view extra_dark_style)
    : canvas_(width, height, title,
              fmt::format("{}{}@media (prefers-color-scheme:dark){{\n{}{}}}\n", kStyle, extra_style,
                          kDarkStyle, extra_dark_style)) {
  text(20, 28, title, "title");
}

void Figure::text(double x, double y, std::string_view text, std::string_view css_class,
                  plot::TextAnchor anchor) {
  canvas_.text(x, y, text, {css_class}, anchor);
}

void Figure::arrow(const std::vector<PointPx>& points, std::string_view css_class) {
  canvas_.path(plot::polyline_path(points), {css_class});
  head(points.back(), points[points.size() - 2], css_class);
}

void Figure::head(PointPx tip, PointPx from, std::string_view css_class) {
  const double length = plot::distance(from, tip);
  const PointPx along{(tip.x - from.x) / length, (tip.y - from.y) / length};
  const PointPx base{tip.x - along.x * kHeadLength, tip.y - along.y * kHeadLength};
  const double half = kHeadWidth / 2;
  canvas_.path(plot::polyline_path({tip,
                                    {base.x - along.y * half, base.y + along.x * half},
                                    {base.x + along.y * half, base.y - along.x * half}}) +
                   "Z",
               {fmt::format("head {}", css_class)});
}

std::string Figure::finish() && {
  return std::move(canvas_).finish();
}

}  // namespace kernbench::docs
