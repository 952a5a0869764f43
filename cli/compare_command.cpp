// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/report_kinds.hpp"
#include "cli/base/text_table.hpp"
#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/numbers.hpp"
#include "common/report_envelope.hpp"
#include "common/text_distance.hpp"
#include "plot/compared_page.hpp"
#include "plot/report_comparison.hpp"
#include "plot/report_differences.hpp"

namespace kernbench::cli {
namespace {

using common::BadInput;
using common::Outcome;
using plot::ValuePair;

// Columns of the terminal: the place of a value, and each of the values.
constexpr std::size_t kNarrowestPlace = 24;
constexpr std::size_t kWidestValue = 16;

struct CompareReportsOptions {
  std::string a, b;
  std::size_t rows = 40;
  std::vector<std::string> fail_if;
  std::string html;
};

/// A condition of --fail-if.
struct Condition {
  std::string text;
  std::string path;
  std::string comparison;
  double limit = 0;
  bool of_change = false;  ///< the limit is a change from A to B, in percent

  [[nodiscard]] bool holds(double value) const {
    if (comparison == "<") return value < limit;
    if (comparison == "<=") return value <= limit;
    if (comparison == ">") return value > limit;
    return value >= limit;
  }
};

Condition parse_condition(const std::string& text) {
  static const std::regex kForm(
      R"(^\s*(.+?)\s*(<=|>=|<|>)\s*([-+]?[0-9.]+(?:[eE][-+]?\d+)?)\s*(%?)\s*$)");
  std::smatch found;
  std::optional<double> limit;
  if (std::regex_match(text, found, kForm)) limit = common::parse_double(found[3].str());
  if (!limit) {
    throw BadInput(fmt::format(
        "--fail-if: '{}' is not a condition, such as 'regions.gemm.time_ps > 2%'", text));
  }
  return {text, found[1].str(), found[2].str(), *limit, found[4].length() != 0};
}

/// Returns text that fits a column; the middle of a longer one is left out.
std::string fitted(const std::string& text, std::size_t width) {
  if (text.size() <= width) return text;
  const std::size_t head = (width - 2) / 2;
  return text.substr(0, head) + ".." + text.substr(text.size() - (width - 2 - head));
}

/// A report and the file that it was read from.
struct Read {
  std::string file;
  common::ReportEnvelope report;
};

/// The conditions of --fail-if, judged while the values of two reports are compared.
class Conditions {
 public:
  explicit Conditions(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) all_.push_back(parse_condition(text));
  }

  [[nodiscard]] std::size_t count() const { return all_.size(); }
  /// Lines about the conditions that hold.
  [[nodiscard]] const std::vector<std::string>& broken() const { return broken_; }

  void judge(const ValuePair& pair) {
    for (const Condition& condition : all_) {
      if (condition.path == pair.path) judge(condition, pair);
    }
    if (!all_.empty()) paths_.insert(pair.path);
  }
  /// Throws BadInput for a condition on a value that no pair had.
  void require_known_values() const {
    for (const Condition& condition : all_) {
      if (paths_.contains(condition.path)) continue;
      const std::vector<std::string_view> known(paths_.begin(), paths_.end());
      throw BadInput(fmt::format("--fail-if: the reports have no value '{}'{}", condition.path,
                                 common::did_you_mean(condition.path, known)));
    }
  }

 private:
  void judge(const Condition& condition, const ValuePair& pair) {
    if (pair.a == nullptr || pair.b == nullptr || !pair.a->is_number() || !pair.b->is_number()) {
      throw BadInput(fmt::format("--fail-if: '{}' is not a number in both reports", pair.path));
    }
    const double before = pair.a->get<double>();
    const double after = pair.b->get<double>();
    if (!condition.of_change) {
      if (condition.holds(after)) {
        broken_.push_back(fmt::format("{}: it is {}", condition.text, plot::text_of(pair, pair.b)));
      }
      return;
    }
    const double change = before == after ? 0 : 100.0 * (after - before) / std::abs(before);
    if (condition.holds(change)) {
      broken_.push_back(fmt::format("{}: it changed by {}", condition.text, plot::change_of(pair)));
    }
  }

  std::vector<Condition> all_;
  std::set<std::string> paths_;
  std::vector<std::string> broken_;
};

/// Prints a table of values that differ. Places of inputs are shown whole: they are pasted into
/// --set.
void print_values(const std::string& heading, const std::vector<plot::DifferingValue>& values,
                  std::size_t most, bool whole_places = false) {
  if (values.empty()) return;
  std::size_t a = 1, b = 1, change = 5, place = heading.size() - 2;
  const std::vector<plot::DifferingValue> shown(
      values.begin(), values.begin() + static_cast<std::ptrdiff_t>(std::min(values.size(), most)));
  for (const plot::DifferingValue& value : shown) {
    a = std::max(a, std::min(kWidestValue, value.a.size()));
    b = std::max(b, std::min(kWidestValue, value.b.size()));
    change = std::max(change, value.change.size());
    place = std::max(place, value.place.size());
  }
  const std::size_t others = a + b + change + 8;  // with blanks
  if (!whole_places) {
    place = std::min(place,
                     std::max(kNarrowestPlace, text_columns() - std::min(text_columns(), others)));
  }
  print("\n");
  print_heading(fmt::format("{:<{}}  {:>{}}  {:>{}}  B - A", heading, place + 2, "A", a, "B", b));
  for (const plot::DifferingValue& value : shown) {
    std::string line =
        fmt::format("  {:<{}}  {:>{}}  {:>{}}  {}", fitted(value.place, place), place,
                    fitted(value.a, a), a, fitted(value.b, b), b, value.change);
    while (line.back() == ' ') line.pop_back();
    print("{}\n", line);
  }
  if (values.size() > most) {
    print("  and {} more; --rows shows them\n", common::grouped(values.size() - most));
  }
}

void print_comparison(const plot::ReportComparison& comparison, std::size_t most) {
  print_values("inputs", comparison.inputs, most, true);
  for (const auto& [name, words] :
       {std::pair("A", comparison.commands.first), std::pair("B", comparison.commands.second)}) {
    if (!words.empty()) print("  only the command of {}: {}\n", name, words);
  }
  print_values("results", comparison.results, most);
  if (!comparison.missing_reasons.empty()) print("\nwhy: {}\n", comparison.missing_reasons);
  for (const plot::ChangedParts& changed : comparison.reasons) {
    print_values(fmt::format("critical path of {}, {}", changed.of, changed.by), changed.parts,
                 changed.parts.size());
  }
}

Outcome print_verdict(const plot::ReportComparison& comparison, const Conditions& conditions) {
  if (comparison.compared == 0) {
    print("\nVACUOUS  the reports have no value to compare\n");
    return Outcome::Vacuous;
  }
  print("\n");
  if (conditions.count() == 0) {
    const bool are_equal = comparison.differing == 0;
    print("{}  {}\n", are_equal ? "PASS" : "MISMATCH", comparison.counts());
    return are_equal ? Outcome::Pass : Outcome::Mismatch;
  }
  for (const std::string& line : conditions.broken()) print("FAIL  {}\n", line);
  if (!conditions.broken().empty()) return Outcome::Mismatch;
  print("PASS  none of {} holds; {}\n",
        conditions.count() == 1 ? "1 condition" : fmt::format("{} conditions", conditions.count()),
        comparison.counts());
  return Outcome::Pass;
}

Read read(const std::string& file) {
  return {file, common::read_report(file, plot::names_of(report_kinds()))};
}

Outcome compare_files(const CompareReportsOptions& options) {
  const Read a = read(options.a);
  const Read b = read(options.b);
  if (a.report.kind != b.report.kind) {
    throw BadInput(fmt::format("{} is a report of kind '{}', and {} of kind '{}'", a.file,
                               a.report.kind, b.file, b.report.kind));
  }
  const plot::ReportKind& kind = *plot::find_kind(report_kinds(), a.report.kind);
  for (const Read* one : {&a, &b}) {
    common::require_form(kind.form(), one->report.data, one->file, "data");
  }
  Conditions conditions(options.fail_if);
  const plot::ReportComparison comparison = plot::compare_reports(
      kind, a.report, b.report, [&](const ValuePair& pair) { conditions.judge(pair); });
  conditions.require_known_values();
  if (!options.html.empty()) {
    common::write_file_atomically(
        options.html,
        plot::compared_page(kind, {a.file, a.report}, {b.file, b.report}, comparison));
  }
  print("A  {}\nB  {}\n", a.file, b.file);
  print_comparison(comparison, options.rows);
  return print_verdict(comparison, conditions);
}

}  // namespace

void add_compare_command(Command& program, const Invocation& /*invocation*/) {
  const auto options = std::make_shared<CompareReportsOptions>();
  Command& compare = program.add_command(
      "compare", "Compare two reports: what differs in their inputs and results, and why");
  compare.add_option("a", options->a, "A report (JSON)").check(input_file()).required();
  compare.add_option("b", options->b, "Another report of the same kind")
      .check(input_file())
      .required();
  compare.add_option("--rows", options->rows, "Rows of each table to print")
      .check(whole_number(1, 1'000'000));
  compare
      .add_option("--fail-if", options->fail_if,
                  "Condition that decides the exit code in place of any difference (repeatable): a "
                  "value of B, or with % its change from A, and a limit")
      .one_each();
  compare.add_option("--html", options->html, "Page with both reports side by side")
      .check(output_file());
  compare.footer =
      "Exit code 1 if a value differs, or if a condition holds. Host times are not compared. A\n"
      "report that lacks a value of the other differs from it.\n\n"
      "Examples:\n"
      "  kernbench compare before.json after.json\n"
      "  kernbench compare before.json after.json --fail-if "
      "'regions.gemm.time_ps > 2%'";
  compare.run = [options] { return compare_files(*options); };
}

}  // namespace kernbench::cli
