// SPDX-License-Identifier: Apache-2.0
#include "cli/farm/sweep_results.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/base/console.hpp"
#include "cli/base/options.hpp"
#include "cli/base/text_table.hpp"
#include "cli/farm/sweep_page.hpp"
#include "common/atomic_file.hpp"
#include "common/band.hpp"
#include "common/diagnostics.hpp"
#include "farm/charts.hpp"
#include "farm/csv.hpp"
#include "farm/local_engine.hpp"
#include "farm/quantity.hpp"
#include "farm/store.hpp"
#include "farm/summary.hpp"
#include "farm/target.hpp"
#include "sim/report/number_text.hpp"

namespace kernbench::cli {
namespace {

using common::BadInput;
using common::Outcome;

struct ShowOptions {
  std::string database;
  std::string csv;
  std::string html;
  std::string plots;
  std::size_t rows = 20;
};

struct CompareOptions {
  std::string before;
  std::string after;
  std::size_t rows = 20;
};

struct RemoveOptions {
  std::string database;
  std::vector<std::string> keys;
  bool failed = false;
};

/// Prints rows without their keys, with short names of parameters; names that are shorter than
/// their keys are told above. `--csv` has the keys.
void print_rows(const farm::Table& table, const std::vector<std::size_t>& places,
                std::size_t most) {
  std::vector<std::string> headings = farm::short_names(table.parameters);
  for (const farm::Target& target : table.targets) {
    headings.push_back(target.name +
                       (target.unit.empty() ? "" : fmt::format(" ({})", target.unit)));
  }
  const auto differs = [&](const auto& value) {
    return std::any_of(table.rows.begin(), table.rows.end(), [&](const farm::Row& row) {
      return value(row) != value(table.rows.front());
    });
  };
  const auto outcome = [](const farm::Row& row) { return std::string(common::name(row.outcome)); };
  const auto grade = [](const farm::Row& row) { return row.grade; };
  const bool has_outcome = differs(outcome);
  const bool has_grade = differs(grade);
  if (has_outcome) headings.emplace_back("outcome");
  if (has_grade) headings.emplace_back("grade");
  if (!table.limits.empty()) headings.emplace_back("allowed");
  TextTable text(std::move(headings));
  for (std::size_t i = 0; i < std::min(most, places.size()); ++i) {
    const farm::Row& row = table.rows[places[i]];
    std::vector<std::string> cells = row.parameters;
    for (const nlohmann::json& value : row.targets) {
      cells.push_back(value.is_number_float() ? farm::plain_number(value.get<double>())
                      : value.is_number()     ? fixed_text(value.get<double>(), 0)
                                              : farm::text_of(value));
    }
    if (has_outcome) cells.push_back(outcome(row));
    if (has_grade) cells.push_back(grade(row));
    if (!table.limits.empty()) cells.emplace_back(row.is_allowed ? "yes" : "no");
    text.add(std::move(cells));
  }
  print_table(text);
  if (places.size() > most) print("and {} more; --rows shows them\n", places.size() - most);
}

void print_effects(const farm::Table& table) {
  TextTable text({"target", "parameter", "least mean", "largest mean", "effect"});
  const std::vector<std::string> names = farm::short_names(table.parameters);
  for (const farm::Effect& effect : farm::main_effects(table)) {
    if (farm::is_constant(table, effect.target)) continue;
    const auto ends = std::minmax_element(effect.means.begin(), effect.means.end());
    text.add({table.targets[effect.target].name, names[effect.parameter],
              fmt::format("{:.6g}", *ends.first), fmt::format("{:.6g}", *ends.second),
              fmt::format("{:.6g}", effect.range)});
  }
  if (text.empty()) return;
  print("\n");
  print_table(text);
}

void write_charts(const farm::Table& table, const std::vector<std::size_t>& front,
                  const std::filesystem::path& folder) {
  common::ensure_directory(folder);
  for (const farm::Chart& chart :
       farm::charts_of(table, front, farm::main_effects(table), farm::ChartUse::File)) {
    common::write_file_atomically(folder / (chart.name + ".svg"), chart.svg);
  }
}

Outcome show_results(const ShowOptions& options) {
  const farm::Table table = farm::Store(options.database).table();
  if (!options.csv.empty()) common::write_file_atomically(options.csv, csv_of(table));
  if (!options.html.empty()) common::write_file_atomically(options.html, sweep_page(table));
  const std::vector<std::size_t> front = farm::pareto_front(table);
  if (!options.plots.empty()) write_charts(table, front, options.plots);
  const auto failed = static_cast<std::size_t>(
      std::count_if(table.rows.begin(), table.rows.end(),
                    [](const farm::Row& row) { return row.outcome != Outcome::Pass; }));
  print("{}\n{} of {} points have a row, {} failed",
        wrapped(fmt::format("kernbench {}", fmt::join(table.command, " ")), 2), table.rows.size(),
        table.planned, failed);
  if (table.former > 0) print("; {} rows of points that the plan does not have", table.former);
  print("\n");
  for (const std::string& answer : farm::answers_of(table)) print("{}\n", wrapped(answer, 2));
  print("\n");
  std::vector<std::size_t> all(table.rows.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  print_rows(table, all, options.rows);
  if (!front.empty()) {
    print("\nPareto front: {} of {} rows\n", front.size(), table.rows.size());
    print_rows(table, front, options.rows);
  }
  print_effects(table);
  return Outcome::Pass;
}

/// Returns a change as "+12.5 %", or as both values if they are not numbers above 0.
std::string change_text(const nlohmann::json& before, const nlohmann::json& after) {
  const auto from = farm::number_of(before);
  const auto to = farm::number_of(after);
  std::string texts = fmt::format("{} -> {}", before.is_null() ? "none" : farm::text_of(before),
                                  after.is_null() ? "none" : farm::text_of(after));
  if (!from || !to || *from == 0) return texts;
  return fmt::format("{} ({:+.2f} %)", texts, 100.0 * (*to / *from - 1.0));
}

/// A database to compare.
struct Results {
  explicit Results(const std::string& database) : store(database), table(store.table()) {}

  /// Returns the band of a target that is the median of one, such as
  /// "data.spread.times[0].median_ps" with "least_ps" and "most_ps" beside it in the report.
  [[nodiscard]] std::optional<common::Band> band(const farm::Row& row,
                                                 const std::string& path) const {
    constexpr std::string_view kMedian = "median_ps";
    if (!path.ends_with(kMedian)) return std::nullopt;
    const auto report = nlohmann::json::parse(store.report(row.key), nullptr, false);
    const std::string beside = path.substr(0, path.size() - kMedian.size());
    const auto least = farm::number_of(farm::field_of(report, beside + "least_ps"));
    const auto median = farm::number_of(farm::field_of(report, path));
    const auto most = farm::number_of(farm::field_of(report, beside + "most_ps"));
    if (!least || !median || !most) return std::nullopt;
    return common::Band{*least, *median, *most};
  }

  farm::Store store;
  farm::Table table;
};

/// The differences between two rows with the same parameters.
struct Differences {
  std::vector<std::string> texts;
  bool any = false;  ///< more than medians within their bands
};

Differences differences_of(const Results& before, const farm::Row& row, const Results& after,
                           const farm::Row& other,
                           const std::vector<std::pair<std::size_t, std::size_t>>& same) {
  Differences found;
  if (row.outcome != other.outcome) {
    found.any = true;
    found.texts.push_back(
        fmt::format("outcome {} -> {}", common::name(row.outcome), common::name(other.outcome)));
  }
  for (const auto& places : same) {
    const nlohmann::json& a = row.targets[places.first];
    const nlohmann::json& b = other.targets[places.second];
    if (a == b) continue;
    const std::string& path = before.table.targets[places.first].name;
    std::string text = fmt::format("{} {}", path, change_text(a, b));
    const auto from = before.band(row, path);
    const auto to = after.band(other, path);
    if (from && to) {
      text = fmt::format("{} {} -> {}: {}", path, farm::text_of(a), farm::text_of(b),
                         difference_text(*from, *to));
    }
    found.any = found.any || !from || !to || differ(*from, *to);
    found.texts.push_back(std::move(text));
  }
  return found;
}

Outcome compare_results(const CompareOptions& options) {
  const Results first(options.before);
  const Results second(options.after);
  const farm::Table& before = first.table;
  const farm::Table& after = second.table;
  if (before.parameters != after.parameters) {
    throw BadInput(fmt::format("'{}' has the parameters {}, but '{}' has {}", options.before,
                               fmt::join(before.parameters, ", "), options.after,
                               fmt::join(after.parameters, ", ")));
  }
  std::vector<std::pair<std::size_t, std::size_t>> same;  // places of targets that both have
  for (std::size_t i = 0; i < before.targets.size(); ++i) {
    for (std::size_t k = 0; k < after.targets.size(); ++k) {
      if (before.targets[i].name == after.targets[k].name) same.emplace_back(i, k);
    }
  }
  if (same.empty()) {
    throw BadInput(
        fmt::format("'{}' and '{}' have no target in common", options.before, options.after));
  }
  std::map<std::vector<std::string>, const farm::Row*> rows;
  for (const farm::Row& row : after.rows) rows.emplace(row.parameters, &row);
  std::size_t both = 0;
  std::size_t different = 0;
  std::size_t printed = 0;
  std::size_t within = 0;  // points that differ within their bands only
  for (const farm::Row& row : before.rows) {
    const auto other = rows.find(row.parameters);
    if (other == rows.end()) continue;
    ++both;
    const auto [texts, any] = differences_of(first, row, second, *other->second, same);
    if (texts.empty()) continue;
    ++(any ? different : within);
    if (++printed > options.rows) continue;
    print("{}\n", fmt::format("{}: {}", farm::text_of_point(before.parameters, row.parameters),
                              fmt::join(texts, "; ")));
  }
  if (printed > options.rows) print("and {} more; --rows shows them\n", printed - options.rows);
  const std::size_t alone = before.rows.size() + after.rows.size() - 2 * both;
  if (alone > 0) print("{} points are in one of the databases only\n", alone);
  if (both == 0) {
    print("VACUOUS  the databases have no point in common\n");
    return Outcome::Vacuous;
  }
  if (different == 0) {
    print("PASS  {} points {}\n", both,
          within == 0
              ? "are equal"
              : fmt::format("have no difference: {} are equal, {} differ within their bands",
                            both - within, within));
    return Outcome::Pass;
  }
  print("MISMATCH  {} of {} points differ\n", different, both);
  return Outcome::Mismatch;
}

Outcome remove_results(const RemoveOptions& options) {
  if (options.keys.empty() == !options.failed) {
    throw BadInput("kernbench sweep rm needs either keys or --failed");
  }
  farm::Store store(options.database);
  const farm::JobFolder lock(options.database);
  const std::map<std::string, Outcome> finished = store.finished();
  std::vector<std::string> keys = options.keys;
  common::Diagnostics diagnostics;
  for (const std::string& key : keys) {
    if (!finished.contains(key)) {
      diagnostics.error(
          {}, fmt::format("'{}' has no row with the key '{}'", options.database, key),
          fmt::format("kernbench sweep show {} --csv FILE writes them", options.database));
    }
  }
  diagnostics.throw_if_any();
  for (const auto& [key, result] : finished) {
    if (options.failed && result != Outcome::Pass) keys.push_back(key);
  }
  const std::size_t removed = store.remove(keys);
  print("removed {} row{} from '{}'\n", removed, removed == 1 ? "" : "s", options.database);
  return Outcome::Pass;
}

void add_rows_option(Command& command, std::size_t& rows) {
  command.add_option("--rows", rows, "Number of rows to print at most")
      .check(whole_number(0, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

void add_sweep_results_commands(Command& sweep) {
  const auto showing = std::make_shared<ShowOptions>();
  Command& show_command =
      sweep.add_command("show", "Print the rows, the Pareto front and the main effects");
  show_command.add_option("database", showing->database, "Database of a sweep")
      .check(input_file())
      .required();
  show_command.add_option("--csv", showing->csv, "Also write the rows to this file (CSV)")
      .check(output_file());
  show_command
      .add_option("--html", showing->html,
                  "Also write a page with charts and the first 1,000 rows to this file (HTML)")
      .check(output_file());
  show_command.add_option("--plots", showing->plots, "Also write the charts to this folder (SVG)")
      .check(output_folder({"*.svg"}));
  add_rows_option(show_command, showing->rows);
  show_command.footer = "Example:\n  kernbench sweep show plan.db --rows 5 --html plan.html";
  show_command.run = [showing] { return show_results(*showing); };

  const auto comparing = std::make_shared<CompareOptions>();
  Command& compare_command =
      sweep.add_command("compare", "Compare the rows of two sweeps with the same parameters");
  compare_command.add_option("before", comparing->before, "Database of a sweep")
      .check(input_file())
      .required();
  compare_command.add_option("after", comparing->after, "Database of another sweep")
      .check(input_file())
      .required();
  add_rows_option(compare_command, comparing->rows);
  compare_command.footer =
      "Exit code 1 if points differ, or if no point is in both.\n"
      "Example:\n  kernbench sweep compare before.db after.db";
  compare_command.run = [comparing] { return compare_results(*comparing); };

  const auto removing = std::make_shared<RemoveOptions>();
  Command& remove_command = sweep.add_command("rm", "Remove rows, so that their points run again");
  remove_command.add_option("database", removing->database, "Database of a sweep")
      .check(input_file())
      .required();
  remove_command.add_option("keys", removing->keys, "Keys of the rows");
  remove_command.add_flag("--failed", removing->failed, "Remove all rows of failed points");
  remove_command.footer = "Example:\n  kernbench sweep rm plan.db --failed";
  remove_command.run = [removing] { return remove_results(*removing); };
}

}  // namespace kernbench::cli
