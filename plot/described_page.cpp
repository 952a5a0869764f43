// SPDX-License-Identifier: Apache-2.0
#include "plot/described_page.hpp"

#include <fmt/format.h>

#include "common/markup.hpp"
#include "plot/html_text.hpp"
#include "plot/member_html.hpp"
#include "plot/palette.hpp"
#include "plot/style.hpp"

namespace kernbench::plot {

using common::escape_markup;
using Kind = common::ValueForm::Kind;

bool is_text_map(const common::ValueForm& form) {
  return form.kind == Kind::Map && form.items().kind == Kind::Text;
}

std::string capitalized(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text;
}

ReportPage described_page(const common::ReportEnvelope& report, const PageSubject& subject,
                          const common::ValueForm& form,
                          const std::function<bool(const std::string&)>& is_drawn,
                          const std::vector<ReportSection>& parts) {
  // Charts are light where no rules of the page say otherwise.
  const std::string charts = parts.empty() ? "" : page_chart_style() + colour_rules(palette());
  ReportPage page(fmt::format("{}: {}", common::name(report.outcome), subject.name),
                  charts + std::string(subject.extra_style));
  for (const ReportSection& part : parts) page.add(part);
  std::string header = fmt::format(
      "<div class=\"title\">{}<h1>{}</h1></div>\n<p>{}</p>\n<dl class=\"facts\">\n",
      outcome_badge(report.outcome), escape_markup(subject.name), escape_markup(subject.text));
  for (const common::ValueForm& member : form.parts) {
    const auto value = report.data.find(member.name);
    if (value == report.data.end() || value->is_null()) continue;
    if (is_drawn && is_drawn(member.name)) continue;
    if (is_text_map(member)) continue;
    if (value->is_structured()) {
      page.add({capitalized(common::title_of_member(member.name)),
                html_of_value(member, *value, subject.rows)});
    } else {
      print_fact(header, common::heading_of_member(member.name),
                 common::text_of_member(member.name, *value));
    }
  }
  if (report.grade) print_fact(header, "times", report.grade->text());
  if (report.seed) print_fact(header, "seed", fmt::format("{}", *report.seed));
  print_fact(header, "revision", report.revision);
  for (const common::ReportedPlugin& plugin : report.plugins) {
    print_fact(header, "plugin", fmt::format("{} {}", plugin.name, plugin.version));
  }
  print_fact(header, "hash of the inputs", report.config_hash);
  print(header, "</dl>\n<code class=\"command\">{}</code>\n", escape_markup(report.command));
  page.header(header, report.outcome == common::Outcome::Pass);
  return page;
}

ReportSection folded_section(const std::string& heading, const common::ValueForm& form,
                             const nlohmann::json& value) {
  return {heading, fmt::format("<details><summary>{} values</summary>\n{}</details>\n",
                               value.size(), html_of_value(form, value))};
}

}  // namespace kernbench::plot
