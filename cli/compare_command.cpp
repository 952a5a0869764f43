// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/report_kinds.hpp"
#include "common/atomic_file.hpp"
#include "common/band.hpp"
#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "common/numbers.hpp"
#include "common/report_envelope.hpp"
#include "common/text_distance.hpp"
#include "plot/compared_page.hpp"
#include "plot/report_differences.hpp"

namespace kernbench::cli {
namespace {

using common::BadInput;
using common::Outcome;
using plot::ValuePair;

// Columns of the terminal: the place of a value, and each of the values.
constexpr std::size_t kWidestPath = 46;
constexpr std::size_t kWidestValue = 22;
constexpr std::size_t kShownReasons = 6;

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

/// Returns a number with the unit of its member: "2.951 us".
std::string number_text(const std::string& name, const nlohmann::json& value) {
  const common::ShownUnit* const unit = common::unit_of(name);
  const std::string text = common::text_of_member(name, value);
  return unit == nullptr ? text : fmt::format("{} {}", text, unit->name);
}

std::string text_of(const ValuePair& pair, const nlohmann::json* value) {
  if (value == nullptr) return "(none)";
  if (value->is_null()) return "null";
  if (value->is_number()) return number_text(pair.form->name, *value);
  if (value->is_array()) return fmt::format("{} items", value->size());
  if (value->is_object()) return "(there)";
  return value->is_string() ? value->get<std::string>() : value->dump();
}

/// A report and the file that it was read from.
struct Read {
  std::string file;
  common::ReportEnvelope report;
};

/// The comparison of two reports of a kind.
class Comparison {
 public:
  Comparison(const plot::ReportKind& kind, const Read& a, const Read& b,
             const CompareReportsOptions& options)
      : kind_(kind), a_(a), b_(b), options_(options) {
    for (const std::string& text : options.fail_if) conditions_.push_back(parse_condition(text));
    plot::for_each_pair(common::form_of<common::ReportEnvelope>(), frame_of(a.report),
                        frame_of(b.report), [this](const ValuePair& pair) { add(pair, ""); });
    plot::for_each_pair(kind.form(), a.report.data, b.report.data,
                        [this](const ValuePair& pair) { add(pair, std::string(kind_.reasons)); });
    check_conditions();
  }

  Outcome run() {
    print("A  {}\nB  {}\n", a_.file, b_.file);
    print_rows("inputs", inputs_);
    for (const auto& [name, words] :
         {std::pair("A", commands_.first), std::pair("B", commands_.second)}) {
      if (!words.empty()) print("  only the command of {}: {}\n", name, words);
    }
    print_rows("results", results_);
    print_reasons();
    if (compared_ == 0) {
      print("\nVACUOUS  the reports have no value to compare\n");
      return Outcome::Vacuous;
    }
    print("\n");
    const std::string counts = differing_ == 0
                                   ? fmt::format("all {} values are equal", compared_)
                                   : fmt::format("{} of {} values differ", differing_, compared_);
    if (conditions_.empty()) {
      print("{}  {}\n", differing_ == 0 ? "PASS" : "MISMATCH", counts);
      return differing_ == 0 ? Outcome::Pass : Outcome::Mismatch;
    }
    for (const std::string& line : broken_) print("FAIL  {}\n", line);
    if (broken_.empty()) {
      print("PASS  none of {} holds; {}\n",
            conditions_.size() == 1 ? "1 condition"
                                    : fmt::format("{} conditions", conditions_.size()),
            counts);
    }
    return broken_.empty() ? Outcome::Pass : Outcome::Mismatch;
  }

 private:
  /// Returns the envelope of a report without its data.
  static nlohmann::json frame_of(const common::ReportEnvelope& report) {
    common::ReportEnvelope frame = report;
    frame.data = nullptr;
    nlohmann::json object = nlohmann::json::parse(common::render_report(frame));
    object.erase("data");
    return object;
  }

  [[nodiscard]] bool is_input(const std::string& path) const {
    static const std::set<std::string, std::less<>> kFrame = {"seed", "config_hash", "revision",
                                                              "command", "plugins"};
    const std::string first = path.substr(0, path.find_first_of(".["));
    return kFrame.contains(first) ||
           std::find(kind_.inputs.begin(), kind_.inputs.end(), first) != kind_.inputs.end();
  }

  /// Shows the words of the two commands that only one has, in place of the whole commands.
  void add_commands(const ValuePair& pair) {
    const auto only = [](std::istringstream words, const std::string& other) {
      std::istringstream others(other);
      std::multiset<std::string> taken{std::istream_iterator<std::string>(others), {}};
      std::string text;
      for (std::string word; words >> word;) {
        if (const auto same = taken.find(word); same != taken.end()) {
          taken.erase(same);
        } else {
          text += (text.empty() ? "" : " ") + word;
        }
      }
      return text;
    };
    const std::string& a = pair.a->get_ref<const std::string&>();
    const std::string& b = pair.b->get_ref<const std::string&>();
    commands_ = {only(std::istringstream(a), b), only(std::istringstream(b), a)};
  }

  void add(const ValuePair& pair, const std::string& reasons) {
    ++compared_;
    for (const Condition& condition : conditions_) {
      if (condition.path == pair.path) judge(condition, pair);
    }
    if (!conditions_.empty()) paths_.insert(pair.path);
    if (pair.is_equal()) return;
    ++differing_;
    if (pair.path == "command") return add_commands(pair);
    if (!reasons.empty() && pair.path.starts_with(reasons + ".")) return;  // see print_reasons()
    Row row{pair.path, text_of(pair, pair.a), text_of(pair, pair.b), ""};
    if (pair.a != nullptr && pair.b != nullptr && pair.a->is_number() && pair.b->is_number()) {
      row.change = plot::difference_of(*pair.form, *pair.a, *pair.b);
    }
    if (const std::string text = within_band(pair.path); !text.empty()) row.change = text;
    (is_input(pair.path) ? inputs_ : results_).push_back(std::move(row));
  }

  /// Returns "within the band" for the time of a region that differs by less than repeated runs of
  /// both reports do; else nothing.
  [[nodiscard]] std::string within_band(const std::string& path) const {
    constexpr std::string_view kBegin = "regions.";
    constexpr std::string_view kEnd = ".time_ps";
    if (!path.starts_with(kBegin) || !path.ends_with(kEnd)) return {};
    const std::string name = path.substr(kBegin.size(), path.size() - kBegin.size() - kEnd.size());
    const auto before = band_of(a_.report.data, name);
    const auto after = band_of(b_.report.data, name);
    if (!before || !after || common::differ(*before, *after)) return {};
    return "within the band of runs";
  }
  static std::optional<common::Band> band_of(const nlohmann::json& data, const std::string& name) {
    const nlohmann::json::json_pointer times("/spread/times");
    if (!data.contains(times)) return std::nullopt;
    for (const nlohmann::json& one : data.at(times)) {
      if (one.value("name", "") != name) continue;
      return common::Band{one.value("least_ps", 0.0), one.value("median_ps", 0.0),
                          one.value("most_ps", 0.0)};
    }
    return std::nullopt;
  }

  void judge(const Condition& condition, const ValuePair& pair) {
    if (pair.a == nullptr || pair.b == nullptr || !pair.a->is_number() || !pair.b->is_number()) {
      throw BadInput(fmt::format("--fail-if: '{}' is not a number in both reports", pair.path));
    }
    const double before = pair.a->get<double>();
    const double after = pair.b->get<double>();
    if (!condition.of_change) {
      if (condition.holds(after)) {
        broken_.push_back(fmt::format("{}: it is {}", condition.text, text_of(pair, pair.b)));
      }
      return;
    }
    const double change = before == after ? 0 : 100.0 * (after - before) / std::abs(before);
    if (condition.holds(change)) {
      broken_.push_back(fmt::format("{}: it changed by {}", condition.text,
                                    plot::difference_of(*pair.form, *pair.a, *pair.b)));
    }
  }
  void check_conditions() const {
    for (const Condition& condition : conditions_) {
      if (paths_.contains(condition.path)) continue;
      const std::vector<std::string_view> known(paths_.begin(), paths_.end());
      throw BadInput(fmt::format("--fail-if: the reports have no value '{}'{}", condition.path,
                                 common::did_you_mean(condition.path, known)));
    }
  }

  struct Row {
    std::string path, a, b, change;
  };
  void print_rows(const char* heading, const std::vector<Row>& rows) const {
    if (rows.empty()) return;
    std::size_t path = 0, a = 1, b = 1;
    // Keys of inputs are pasted into --set.
    const bool is_whole = &rows == &inputs_;
    for (const Row& row : rows) {
      path = std::max(path, is_whole ? row.path.size() : std::min(kWidestPath, row.path.size()));
      a = std::max(a, std::min(kWidestValue, row.a.size()));
      b = std::max(b, std::min(kWidestValue, row.b.size()));
    }
    print("\n");
    print_heading(fmt::format("{:<{}}  {:>{}}  {:>{}}  B - A", heading, path + 2, "A", a, "B", b));
    for (std::size_t i = 0; i < std::min(rows.size(), options_.rows); ++i) {
      const Row& row = rows[i];
      std::string line = fmt::format("  {:<{}}  {:>{}}  {:>{}}  {}", fitted(row.path, path), path,
                                     fitted(row.a, a), a, fitted(row.b, b), b, row.change);
      while (line.back() == ' ') line.pop_back();
      print("{}\n", line);
    }
    if (rows.size() > options_.rows) {
      print("  and {} more; --rows shows them\n", rows.size() - options_.rows);
    }
  }

  /// Prints the parts of what a kind explains itself by, those that changed most first.
  void print_reasons() const {
    if (kind_.reasons.empty() || differing_ == 0) return;
    const std::string member(kind_.reasons);
    const nlohmann::json* of_a =
        a_.report.data.contains(member) ? &a_.report.data.at(member) : nullptr;
    const nlohmann::json* of_b =
        b_.report.data.contains(member) ? &b_.report.data.at(member) : nullptr;
    if (of_a == nullptr || of_b == nullptr) {
      print("\nwhy: {} no critical path; run with --explain\n", of_a == of_b ? "the reports have"
                                                                : of_a == nullptr ? "A has"
                                                                                  : "B has");
      return;
    }
    for (const nlohmann::json& after : *of_b) {
      const std::string name = after.value("of", "");
      const auto before = std::find_if(of_a->begin(), of_a->end(), [&](const nlohmann::json& one) {
        return one.value("of", "") == name;
      });
      if (before == of_a->end()) continue;
      for (const char* by : {"by_limit", "by_component"}) print_parts(name, *before, after, by);
    }
  }
  void print_parts(const std::string& name, const nlohmann::json& before,
                   const nlohmann::json& after, const std::string& by) const {
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> parts;
    for (const nlohmann::json& one : before.value(by, nlohmann::json::array())) {
      parts[one.value("name", "")].first += one.value("time_ps", std::int64_t{0});
    }
    for (const nlohmann::json& one : after.value(by, nlohmann::json::array())) {
      parts[one.value("name", "")].second += one.value("time_ps", std::int64_t{0});
    }
    std::vector<std::pair<std::string, std::pair<std::int64_t, std::int64_t>>> sorted;
    for (const auto& part : parts) {
      if (part.second.first != part.second.second) sorted.push_back(part);
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& x, const auto& y) {
      return std::abs(x.second.second - x.second.first) >
             std::abs(y.second.second - y.second.first);
    });
    if (sorted.empty()) return;
    std::vector<Row> rows;
    common::ValueForm time;
    time.name = "time_ps";
    for (const auto& [part, times] : sorted) {
      if (rows.size() == kShownReasons) break;
      const nlohmann::json a(times.first);
      const nlohmann::json b(times.second);
      rows.push_back({part, number_text(time.name, a), number_text(time.name, b),
                      plot::difference_of(time, a, b)});
    }
    print_rows(
        fmt::format("critical path of {}, {}", name, by == "by_limit" ? "by limit" : "by part")
            .c_str(),
        rows);
  }

  const plot::ReportKind& kind_;
  const Read& a_;
  const Read& b_;
  const CompareReportsOptions& options_;
  std::vector<Condition> conditions_;
  std::set<std::string> paths_;
  std::vector<std::string> broken_;
  std::vector<Row> inputs_, results_;
  std::pair<std::string, std::string> commands_;  ///< words that only one has
  std::size_t compared_ = 0, differing_ = 0;
};

Read read(const std::string& file) {
  return {file, common::read_report(file, plot::names_of(report_kinds()))};
}

Outcome compare_reports(const CompareReportsOptions& options) {
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
  Comparison comparison(kind, a, b, options);
  if (!options.html.empty()) {
    common::write_file_atomically(
        options.html, plot::compared_page(kind, {a.file, a.report}, {b.file, b.report}));
  }
  return comparison.run();
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
  compare.run = [options] { return compare_reports(*options); };
}

}  // namespace kernbench::cli
