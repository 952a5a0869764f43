// SPDX-License-Identifier: Apache-2.0
#include "plot/svg_canvas.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <utility>

#include "common/markup.hpp"

namespace kernbench::plot {

namespace {

constexpr std::string_view kSvgBegin =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"";

}  // namespace

using common::escape_content;
using common::escape_markup;

std::string SvgCanvas::attributes(const char* element, const SvgStyle& style) const {
  std::string out;
  if (sheet_) {
    std::vector<SvgStyleSheet::Element> elements = groups_;
    elements.emplace_back(element, style.css_class);
    out = sheet_->attributes(elements);
  }
  if (!style.css_class.empty()) out += fmt::format(" class=\"{}\"", escape_markup(style.css_class));
  if (!style.id.empty()) out += fmt::format(" data-id=\"{}\"", escape_markup(style.id));
  return out;
}

std::string svg_number(double value) {
  // An integer of hundredths avoids -0, trailing zeros and the locale.
  const auto hundredths = static_cast<long long>(std::floor(value * 100.0 + 0.5));
  const long long magnitude = hundredths < 0 ? -hundredths : hundredths;
  std::string text = fmt::format("{}{}", hundredths < 0 ? "-" : "", magnitude / 100);
  if (magnitude % 100 != 0) text += fmt::format(".{:02}", magnitude % 100);
  if (magnitude % 100 != 0 && text.back() == '0') text.pop_back();
  return text;
}

SvgCanvas::SvgCanvas(double width, double height, std::string_view title,
                     std::string_view style_sheet) {
  // Renderers round other sizes in their own ways.
  const std::string w = svg_number(std::ceil(width));
  const std::string h = svg_number(std::ceil(height));
  if (!style_sheet.empty()) sheet_.emplace(style_sheet);
  out_ = fmt::format("{3}{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\"{4}>\n<title>{2}</title>\n", w,
                     h, escape_markup(title), kSvgBegin, attributes("svg", {}));
  groups_.emplace_back("svg", "");
  if (!sheet_) return;
  out_ += fmt::format("<style>\n{}</style>\n", sheet_->rest());
  if (sheet_->has_ground()) rect(0, 0, std::ceil(width), std::ceil(height), {"ground"});
}

bool is_own_svg(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string begin(kSvgBegin.size(), '\0');
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return in.good() && begin == kSvgBegin;
}

void SvgCanvas::shape_end(const SvgStyle& style, std::string_view element) {
  if (style.tooltip.empty()) {
    out_ += "/>\n";
  } else {
    out_ += fmt::format("><title>{}</title></{}>\n", escape_content(style.tooltip), element);
  }
}

void SvgCanvas::rect(double x, double y, double w, double h, const SvgStyle& style, double radius) {
  out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", svg_number(x),
                      svg_number(y), svg_number(w), svg_number(h));
  if (radius > 0) out_ += fmt::format(" rx=\"{}\"", svg_number(radius));
  out_ += attributes("rect", style);
  shape_end(style, "rect");
}

void SvgCanvas::circle(double cx, double cy, double r, const SvgStyle& style) {
  out_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}", svg_number(cx), svg_number(cy),
                      svg_number(r), attributes("circle", style));
  shape_end(style, "circle");
}

void SvgCanvas::line(double x1, double y1, double x2, double y2, const SvgStyle& style) {
  out_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}", svg_number(x1),
                      svg_number(y1), svg_number(x2), svg_number(y2), attributes("line", style));
  shape_end(style, "line");
}

void SvgCanvas::path(std::string_view d, const SvgStyle& style) {
  out_ += fmt::format("<path d=\"{}\"{}", escape_markup(d), attributes("path", style));
  shape_end(style, "path");
}

void SvgCanvas::text(double x, double y, std::string_view text, const SvgStyle& style,
                     TextAnchor anchor) {
  const std::string_view where = anchor == TextAnchor::Start    ? "start"
                                 : anchor == TextAnchor::Middle ? "middle"
                                                                : "end";
  out_ += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\"{}>{}</text>\n", svg_number(x),
                      svg_number(y), where, attributes("text", style), escape_markup(text));
}

void SvgCanvas::begin_group(const SvgStyle& style) {
  out_ += fmt::format("<g{}>\n", attributes("g", style));
  groups_.emplace_back("g", style.css_class);
  if (!style.tooltip.empty()) {
    out_ += fmt::format("<title>{}</title>\n", escape_content(style.tooltip));
  }
}

void SvgCanvas::end_group() {
  groups_.pop_back();
  out_ += "</g>\n";
}

std::string SvgCanvas::finish() && {
  out_ += "</svg>\n";
  return std::move(out_);
}

}  // namespace kernbench::plot
