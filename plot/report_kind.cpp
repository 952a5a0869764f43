// SPDX-License-Identifier: Apache-2.0
#include "plot/report_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "plot/described_page.hpp"

namespace kernbench::plot {

const ReportKind* find_kind(const ReportKinds& kinds, std::string_view name) {
  const auto found = std::find_if(kinds.begin(), kinds.end(),
                                  [&](const ReportKind* kind) { return kind->name == name; });
  return found == kinds.end() ? nullptr : *found;
}

std::vector<std::string_view> names_of(const ReportKinds& kinds) {
  std::vector<std::string_view> names;
  for (const ReportKind* const kind : kinds) names.push_back(kind->name);
  return names;
}

std::string schema_of(const ReportKind& kind) {
  return common::report_schema(kind.name, fmt::format("The report of kernbench {}", kind.command),
                               kind.form(), kind.envelope);
}

std::string page_of(const ReportKind& kind, const common::ReportEnvelope& report,
                    const std::string& file) {
  if (kind.page != nullptr) return kind.page(report, file);
  const common::ValueForm& form = kind.form();
  common::require_form(form, report.data, file);
  const auto is_drawn = [&kind](const std::string& member) {
    return std::find(kind.drawn.begin(), kind.drawn.end(), member) != kind.drawn.end();
  };
  const PageSubject subject{std::string(kind.command), std::string(kind.about), {}, kind.rows};
  ReportPage page = described_page(
      report, subject, form, is_drawn,
      kind.parts == nullptr ? std::vector<ReportSection>() : kind.parts(report.data));
  for (const common::ValueForm& member : form.parts) {
    if (!is_text_map(member) || !report.data.contains(member.name)) continue;
    page.add(folded_section(capitalized(common::title_of_member(member.name)), member,
                            report.data[member.name]));
  }
  return std::move(page).finish();
}

std::string page_of_text(const ReportKinds& kinds, const std::string& text,
                         const std::string& file) {
  const common::ReportEnvelope report = common::parse_report(text, file, names_of(kinds));
  return page_of(*find_kind(kinds, report.kind), report, file);
}

}  // namespace kernbench::plot
