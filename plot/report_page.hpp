// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kernbench::plot {

/// A card of a report. Its heading, plain text, also stands in the list of contents.
struct ReportSection {
  std::string heading;
  std::string body;     ///< HTML; a section without one is left out
  bool is_big = false;  ///< begins a new page on paper
};

/// Writes one self-contained HTML page: header, list of contents, sections, footer. The page loads
/// nothing; its script sorts tables and copies commands, and the page is complete without it.
class ReportPage {
 public:
  /// `extra_style` is CSS that this kind of report adds.
  explicit ReportPage(std::string title, std::string_view extra_style = {});

  /// Sets the inside of the header, HTML with the only <h1>.
  void header(std::string html, bool passed) {
    header_ = std::move(html);
    passed_ = passed;
  }
  /// Adds HTML without a heading, such as a row of tiles.
  void add_html(std::string_view html) { main_ += html; }
  void add(const ReportSection& section);
  /// Adds two columns, which a narrow screen shows one below the other.
  void add_columns(const std::vector<ReportSection>& left, const std::vector<ReportSection>& right);
  /// Sets the inside of the footer, HTML.
  void footer(std::string html) { footer_ = std::move(html); }
  /// Adds a script of this kind of page, which uses neither "less than" nor "and".
  void add_script(std::string_view script) { script_ += script; }
  /// Makes the page one without a script.
  void leave_out_script() { has_script_ = false; }

  /// Returns the page, which is well-formed XML if all that was added is.
  [[nodiscard]] std::string finish() &&;

 private:
  std::string id_of(const std::string& heading);

  std::string title_, style_, script_, header_, main_, footer_;
  bool passed_ = true;
  bool has_script_ = true;
  std::vector<std::pair<std::string, std::string>> contents_;  ///< id and heading
  std::set<std::string> ids_;
};

/// Returns `html`, a wide table, in a box that scrolls. The keyboard can reach the box; `label` is
/// its name for screen readers.
[[nodiscard]] std::string scroll_box(std::string_view label, std::string_view html);

/// Returns a relative path as the target of a link. Percent-encodes all characters except letters,
/// digits and `-._~/`, so that no path can be read as a scheme, a query or a fragment.
[[nodiscard]] std::string path_to_href(std::string_view path);

}  // namespace kernbench::plot
