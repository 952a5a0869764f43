// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/report_envelope.hpp"
#include "common/value_form.hpp"
#include "plot/member_html.hpp"
#include "plot/report_page.hpp"

namespace kernbench::plot {

/// Returns whether a form is that of texts by name.
[[nodiscard]] bool is_text_map(const common::ValueForm& form);
/// Returns a text that begins a heading, with a capital letter.
[[nodiscard]] std::string capitalized(std::string text);

/// The subject of a page.
struct PageSubject {
  std::string name;
  std::string text;              ///< a sentence about it
  std::string_view extra_style;  ///< CSS for the parts that the page adds itself
  std::size_t rows = kMostRows;  ///< rows of a table
};

/// Returns a page of a report whose `data` are set and have a form, without its end: the outcome,
/// the envelope and single values in the header, then a section for each object and list. Leaves
/// out the members for which `is_drawn` holds, and texts by name, which only the page itself can
/// place. `parts` are the first sections.
[[nodiscard]] ReportPage described_page(const common::ReportEnvelope& report,
                                        const PageSubject& subject, const common::ValueForm& form,
                                        const std::function<bool(const std::string&)>& is_drawn,
                                        const std::vector<ReportSection>& parts = {});

/// Returns the section of texts by name, folded.
[[nodiscard]] ReportSection folded_section(const std::string& heading,
                                           const common::ValueForm& form,
                                           const nlohmann::json& value);

}  // namespace kernbench::plot
