// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/described.hpp"
#include "common/report_envelope.hpp"
#include "common/value_form.hpp"
#include "plot/member_html.hpp"
#include "plot/report_page.hpp"

namespace kernbench::plot {

/// All that is said of a kind of report: schema, page and the names by which both are found follow
/// from it.
struct ReportKind {
  std::string_view name;     ///< `kind` of its envelope
  std::string_view command;  ///< the program's command that writes it: "evaluate gemm"
  std::string_view about;    ///< a sentence for its page
  common::EnvelopeForm envelope{};
  const common::ValueForm& (*form)();  ///< form of its data, such as common::form_of<Data>
  /// Returns the parts of its page besides what its form describes, such as charts, from the data
  /// of a report that has this form.
  std::vector<ReportSection> (*parts)(const nlohmann::json& data) = nullptr;
  std::size_t rows = kMostRows;               ///< rows of a table on its page
  std::span<const std::string_view> drawn{};  ///< members that only these parts show
  /// Members of the data that say what ran; a comparison shows them apart.
  std::span<const std::string_view> inputs{};
  /// Member of the data, a list whose rows have parts of a time in lists `by_*`, which explain it.
  std::string_view reasons{};
  bool has_own_page = false;  ///< its command writes a page with more than page_of() does
  /// Makes the whole page from a report of this kind, for page_of(), where it does not follow from
  /// the form; null if it does.
  std::string (*page)(const common::ReportEnvelope& report, const std::string& file) = nullptr;
};

using ReportKinds = std::vector<const ReportKind*>;

/// Returns the kind with this name, or null.
[[nodiscard]] const ReportKind* find_kind(const ReportKinds& kinds, std::string_view name);

/// Returns the names of all kinds.
[[nodiscard]] std::vector<std::string_view> names_of(const ReportKinds& kinds);

/// Returns the JSON Schema of the reports of a kind.
[[nodiscard]] std::string schema_of(const ReportKind& kind);

/// Returns the page of a report of this kind, whose `data` are set: that of `kind.page`, or outcome
/// and single values, the parts of its kind, then each object and list, with texts by name folded.
/// Throws common::BadInput with all that is wrong with data without this form; `file` names them.
[[nodiscard]] std::string page_of(const ReportKind& kind, const common::ReportEnvelope& report,
                                  const std::string& file = "the report");
/// Returns the page of the report in the text of a file. Throws common::BadInput for another kind
/// of report, too.
[[nodiscard]] std::string page_of_text(const ReportKinds& kinds, const std::string& text,
                                       const std::string& file);

}  // namespace kernbench::plot
