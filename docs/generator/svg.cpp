#include "docs/generator/svg.hpp"

#include <fmt/format.h>

#include "common/markup.hpp"

namespace kernbench::docs {

using common::escape_markup;

Svg::Svg(double width, double height, std::string_view title)
    : head_(fmt::format(
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" "
          "viewBox=\"0 0 {0:g} {1:g}\" font-family=\"DejaVu Sans, Arial, sans-serif\">\n"
          "<title>{2}</title>\n"
          "<defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" "
          "markerWidth=\"7\" "
          "markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L10 5L0 10z\" fill=\"#444444\"/>"
          "</marker></defs>\n"
          "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
          width, height, escape_markup(title))) {}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view colour, double width,
               bool dashed) {
  body_ += fmt::format(
      "<line x1=\"{:g}\" y1=\"{:g}\" x2=\"{:g}\" y2=\"{:g}\" stroke=\"{}\" "
      "stroke-width=\"{:g}\"{}/>\n",
      x1, y1, x2, y2, colour, width, dashed ? " stroke-dasharray=\"3 3\"" : "");
}

void Svg::rectangle(double x, double y, double width, double height, std::string_view fill,
                    std::string_view stroke, double corner) {
  body_ += fmt::format(
      "<rect x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\" rx=\"{:g}\" fill=\"{}\" "
      "stroke=\"{}\"/>\n",
      x, y, width, height, corner, fill, stroke);
}

void Svg::path(std::string_view path, std::string_view stroke, double width, std::string_view fill,
               bool arrow) {
  body_ += fmt::format("<path d=\"{}\" stroke=\"{}\" stroke-width=\"{:g}\" fill=\"{}\"{}/>\n", path,
                       stroke, width, fill, arrow ? " marker-end=\"url(#arrow)\"" : "");
}

void Svg::dot(double x, double y, double radius, std::string_view fill) {
  body_ +=
      fmt::format("<circle cx=\"{:g}\" cy=\"{:g}\" r=\"{:g}\" fill=\"{}\"/>\n", x, y, radius, fill);
}

void Svg::text(double x, double y, std::string_view text, Anchor anchor, double size,
               std::string_view fill, bool bold) {
  const char* where = anchor == Anchor::Start ? "start" : anchor == Anchor::End ? "end" : "middle";
  body_ += fmt::format(
      "<text x=\"{:g}\" y=\"{:g}\" text-anchor=\"{}\" font-size=\"{:g}\" fill=\"{}\"{}>{}</text>\n",
      x, y, where, size, fill, bold ? " font-weight=\"bold\"" : "", escape_markup(text));
}

std::string Svg::str() const {
  return head_ + body_ + "</svg>\n";
}

}  // namespace kernbench::docs
