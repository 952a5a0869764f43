// SPDX-License-Identifier: Apache-2.0
#include "plot/report_page.hpp"

#include <fmt/format.h>

#include "common/markup.hpp"
#include "plot/report_assets.hpp"

namespace kernbench::plot {

using common::escape_markup;

ReportPage::ReportPage(std::string title, std::string_view extra_style)
    : title_(std::move(title)), style_(fmt::format("{}{}", report_style(), extra_style)) {}

/// Returns the heading in lower case with dashes, with a number when it has been used.
std::string ReportPage::id_of(const std::string& heading) {
  std::string base;
  for (const char c : heading) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (is_upper || is_plain) {
      base += is_upper ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!base.empty() && base.back() != '-') {
      base += '-';
    }
  }
  if (base.empty()) base = "section";
  std::string id = base;
  for (unsigned number = 2; !ids_.insert(id).second; ++number) {
    id = fmt::format("{}-{}", base, number);
  }
  return id;
}

void ReportPage::add(const ReportSection& section) {
  if (section.body.empty()) return;
  const std::string id = id_of(section.heading);
  const std::string heading = escape_markup(section.heading);
  main_ += fmt::format(
      "<section class=\"card{}\" id=\"{}\" aria-label=\"{}\">\n<h2>{}</h2>\n{}</section>\n",
      section.is_big ? " big" : "", id, heading, heading, section.body);
  contents_.emplace_back(id, heading);
}

void ReportPage::add_columns(const std::vector<ReportSection>& left,
                             const std::vector<ReportSection>& right) {
  main_ += "<div class=\"columns\">\n<div>\n";
  for (const ReportSection& section : left) add(section);
  main_ += "</div>\n<div>\n";
  for (const ReportSection& section : right) add(section);
  main_ += "</div>\n</div>\n";
}

std::string ReportPage::finish() && {
  // The empty icon stops browsers from requesting one.
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<link rel=\"icon\" href=\"data:,\"/>\n<title>{}</title>\n<style>{}</style>\n</head>\n"
      "<body>\n<header class=\"card{}\">\n{}</header>\n",
      escape_markup(title_), style_, passed_ ? "" : " failed", header_);
  out += "<nav class=\"contents\" aria-label=\"Contents\">\n<ul>\n";
  for (const auto& [id, heading] : contents_) {
    out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", id, heading);
  }
  out += fmt::format("</ul>\n</nav>\n<main>\n{}</main>\n<footer>{}</footer>\n", main_, footer_);
  if (has_script_) {
    out += fmt::format("<script>\n{}{}</script>\n", report_script(), script_);
  }
  return out + "</body>\n</html>\n";
}

std::string scroll_box(std::string_view label, std::string_view html) {
  return fmt::format(
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">\n{}</div>\n",
      escape_markup(label), html);
}

std::string path_to_href(std::string_view path) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  std::string out;
  for (const char c : path) {
    if (kPlain.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

}  // namespace kernbench::plot
