// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "common/value_form.hpp"
#include "plot/report_comparison.hpp"
#include "plot/report_kind.hpp"

namespace kernbench::plot {

/// A report with the name that the page gives it.
struct NamedReport {
  std::string name;
  common::ReportEnvelope report;
};

/// Returns the differences of two objects of a form as HTML; empty if they are equal. Single values
/// stand in one table, and each list of objects in one of its own.
///
/// Rows of two lists belong together if their first columns agree: as many as tell the rows of each
/// list apart, at least one, but none from the first time on. Among rows that agree there, the
/// first belongs to the first, and so on. Equal rows and columns are counted, and not shown.
[[nodiscard]] std::string html_of_differences(const common::ValueForm& form,
                                              const nlohmann::json& a, const nlohmann::json& b,
                                              std::size_t most_rows = kMostRows);

/// Returns a page that compares two reports of a kind: their differences, and the parts of the kind
/// side by side. Throws common::BadInput with all that is wrong with data without the kind's form.
[[nodiscard]] std::string compared_page(const ReportKind& kind, const NamedReport& a,
                                        const NamedReport& b);
/// Returns the same page from the comparison of the reports, whose data have the kind's form.
[[nodiscard]] std::string compared_page(const ReportKind& kind, const NamedReport& a,
                                        const NamedReport& b, const ReportComparison& comparison);
/// Returns such a page of the reports in the texts of two files. Throws common::BadInput for an
/// unknown kind, and for different ones.
[[nodiscard]] std::string compared_page_of_texts(const ReportKinds& kinds,
                                                 const std::string& text_a,
                                                 const std::string& name_a,
                                                 const std::string& text_b,
                                                 const std::string& name_b);

}  // namespace kernbench::plot
