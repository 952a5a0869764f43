// SPDX-License-Identifier: Apache-2.0
#include "model/report/tornado_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "common/markup.hpp"
#include "plot/html_text.hpp"
#include "plot/report_page.hpp"

namespace kernbench::model::report {

using bench::Change;
using bench::TornadoRow;
using common::escape_markup;

std::string_view tornado_style() {
  return R"css(
.swing { display: block; position: relative; height: 16px; min-width: 160px; }
.swing i { position: absolute; height: 7px; border-radius: 2px; }
.swing i.half { top: 0; background: var(--c1); } .swing i.twice { bottom: 0; background: var(--c0); }
.swing b { position: absolute; top: -6px; bottom: -6px; border-left: 1px solid var(--text); }
td.keys { white-space: normal; } td.within { color: var(--dim); }
)css";
}

namespace {

/// Returns keys as lines that may break behind their dots.
std::string html_of_keys(const std::vector<std::string>& keys) {
  std::string html;
  for (const std::string& key : keys) {
    if (!html.empty()) html += "<br>";
    for (const char letter : escape_markup(key)) {
      html += letter;
      if (letter == '.') html += "<wbr>";
    }
  }
  return html;
}

/// Returns a bar from no change to that of `change`, in percent of a scale.
std::string bar(const char* name, const std::optional<Change>& change, double least, double scale) {
  if (!change) return "";
  const double percent = change->whole.percent();
  const double from = (std::min(percent, 0.0) - least) / scale * 100.0;
  const double width = std::abs(percent) / scale * 100.0;
  return fmt::format(R"(<i class="{}" style="left:{:.2f}%;width:{:.2f}%"></i>)", name, from, width);
}

std::string cell(const std::optional<Change>& change, const std::string& reason) {
  if (!change) {
    return fmt::format(R"(<td class="n within" title="{}">not simulated</td>)",
                       escape_markup(reason));
  }
  const bool differs = change->whole.is_difference();
  return fmt::format(R"(<td class="n{}">{:+.1f}</td>)", differs ? "" : " within",
                     change->whole.percent());
}

}  // namespace

std::string tornado_section(const std::vector<TornadoRow>& rows) {
  const auto [least, most] = bench::range_of(rows);
  const double scale = std::max(most - least, 1e-9);
  std::string table =
      "<table class=\"rows sortable\">\n<thead><tr><th>key</th><th class=\"n\">value</th>"
      "<th class=\"n\">half, %</th><th class=\"n\">twice, %</th><th></th></tr></thead>\n<tbody>\n";
  std::string left_out;
  for (const TornadoRow& row : rows) {
    const std::string keys = html_of_keys(row.keys);
    if (row.reach() < 0.0) {
      plot::print(left_out, "<tr><td class=\"keys\">{}</td><td>{}</td></tr>\n", keys,
                  escape_markup(row.no_half == row.no_twice ? row.no_half
                                                            : row.no_half + "; " + row.no_twice));
      continue;
    }
    plot::print(
        table,
        "<tr><td class=\"keys\">{}</td><td class=\"n\">{}</td>{}{}<td><span class=\"swing\">{}{}"
        "<b style=\"left:{:.2f}%\"></b></span></td></tr>\n",
        keys, row.value.value(), cell(row.half, row.no_half), cell(row.twice, row.no_twice),
        bar("half", row.half, least, scale), bar("twice", row.twice, least, scale),
        -least / scale * 100.0);
  }
  std::string out =
      "<p>More or less time with <span class=\"key c1\"></span>half and "
      "<span class=\"key c0\"></span>twice each number, in percent of the median of all regions "
      "together. Pale numbers are within the band of the runs. Keys in one row are of parts that "
      "are equally fast in series.</p>\n";
  out += plot::scroll_box("Tornado", table + "</tbody>\n</table>\n");
  if (left_out.empty()) return out;
  return out + plot::scroll_box("Left out",
                                "<table class=\"rows\">\n<thead><tr><th>left out</th><th>why</th>"
                                "</tr></thead>\n<tbody>\n" +
                                    left_out + "</tbody>\n</table>\n");
}

}  // namespace kernbench::model::report
