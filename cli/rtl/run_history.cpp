// SPDX-License-Identifier: Apache-2.0
#include "cli/rtl/run_history.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <ctime>
#include <filesystem>
#include <memory>
#include <numeric>

#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/markup.hpp"
#include "farm/sqlite_statement.hpp"
#include "plot/html_text.hpp"
#include "plot/report_page.hpp"
#include "sim/report/number_text.hpp"

namespace kernbench::cli {
namespace {

using common::BadInput;
using common::Outcome;
using farm::SqliteStatement;

constexpr int kApplicationId = 0x4b424853;  // "KBHS"
constexpr int kSchema = 1;
constexpr int kWaitMs = 20'000;
constexpr int kShownRuns = 50;

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;

int pragma(sqlite3* database, const char* name) {
  SqliteStatement statement(database, fmt::format("PRAGMA {}", name));
  return statement.step() ? static_cast<int>(statement.integer(0)) : 0;
}

void execute(sqlite3* database, const std::string& sql) {
  (void)SqliteStatement(database, sql).step();
}

/// Opens a history, and makes its tables in a new or empty file.
Database open_history(const std::string& path) {
  std::error_code error;
  const bool is_new =
      !std::filesystem::exists(path, error) || std::filesystem::file_size(path, error) == 0;
  sqlite3* opened = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  Database database(opened);
  if (code != SQLITE_OK) farm::throw_sqlite_error(opened, path);
  sqlite3_busy_timeout(opened, kWaitMs);
  if (is_new) {
    execute(opened, "BEGIN IMMEDIATE");
    execute(opened, fmt::format("PRAGMA application_id = {}", kApplicationId));
    execute(opened, fmt::format("PRAGMA user_version = {}", kSchema));
    execute(opened,
            "CREATE TABLE IF NOT EXISTS runs (id INTEGER PRIMARY KEY, seconds_since_1970 INTEGER, "
            "design TEXT, config TEXT, config_hash TEXT, seed INTEGER, revision TEXT, model TEXT, "
            "outcome TEXT, cases INTEGER, failed INTEGER, cycles INTEGER, packets INTEGER, "
            "host_seconds REAL, command TEXT)");
    execute(opened,
            "CREATE TABLE IF NOT EXISTS failures (run INTEGER, suite TEXT, seed INTEGER, outcome "
            "TEXT, checker TEXT, kind TEXT, cycle INTEGER, message TEXT)");
    execute(opened, "COMMIT");
  }
  if (pragma(opened, "application_id") != kApplicationId ||
      pragma(opened, "user_version") != kSchema) {
    throw BadInput(fmt::format("'{}' is not a history of runs", path));
  }
  return database;
}

void add_run(sqlite3* database, const sim::RegressionResult& result) {
  std::int64_t failed = 0;
  std::int64_t cycles = 0;
  std::int64_t packets = 0;
  for (const sim::CaseResult& one : result.cases) {
    failed += one.outcome == Outcome::Pass ? 0 : 1;
    cycles += static_cast<std::int64_t>(one.cycles);
    packets += static_cast<std::int64_t>(one.delivered);
  }
  execute(database, "BEGIN IMMEDIATE");
  SqliteStatement run(database,
                      "INSERT INTO runs (seconds_since_1970, design, config, config_hash, seed, "
                      "revision, model, outcome, cases, failed, cycles, packets, host_seconds, "
                      "command) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  run.bind(static_cast<std::int64_t>(std::time(nullptr)))
      .bind(fmt::format("{} {}x{}", result.dut, result.shape.nx, result.shape.ny))
      .bind(result.config)
      .bind(result.config_hash)
      .bind(static_cast<std::int64_t>(result.seed))
      .bind(result.revision)
      .bind(result.model_hash)
      .bind(common::name(result.outcome))
      .bind(static_cast<std::int64_t>(result.cases.size()))
      .bind(failed)
      .bind(cycles)
      .bind(packets)
      .bind(result.seconds)
      .bind(result.command);
  (void)run.step();
  const std::int64_t id = sqlite3_last_insert_rowid(database);
  SqliteStatement failure(database, "INSERT INTO failures VALUES (?,?,?,?,?,?,?,?)");
  for (const sim::CaseResult& one : result.cases) {
    if (one.outcome == Outcome::Pass) continue;
    const sim::Failure first =
        one.failures.empty() ? sim::Failure{"", "", 0, {}, one.reason, {}} : one.failures.front();
    failure.bind(id)
        .bind(one.title())
        .bind(static_cast<std::int64_t>(one.seed))
        .bind(common::name(one.outcome))
        .bind(first.checker)
        .bind(first.kind)
        .bind(static_cast<std::int64_t>(first.cycle))
        .bind(first.message);
    (void)failure.step();
    failure.reset();
  }
  execute(database, "COMMIT");
}

std::string date_text(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  gmtime_r(&time, &parts);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min);
}

/// Returns the kinds of failures of a run, each with the number of its cases.
std::string failures_of(sqlite3* database, std::int64_t run) {
  SqliteStatement kinds(database,
                        "SELECT checker, kind, count(*), min(suite) FROM failures WHERE run = ? "
                        "GROUP BY checker, kind ORDER BY count(*) DESC, checker, kind");
  kinds.bind(run);
  std::string text;
  while (kinds.step()) {
    if (!text.empty()) text += "; ";
    text += fmt::format("{} {} ({}, {})", kinds.text(0), kinds.text(1), kinds.text(3),
                        sim::counted(static_cast<std::uint64_t>(kinds.integer(2)), "case"));
  }
  return text;
}

std::string page_of(sqlite3* database) {
  SqliteStatement total(database, "SELECT count(*), sum(outcome = 'pass') FROM runs");
  (void)total.step();
  plot::ReportPage page("History of runs");
  page.header(
      fmt::format("<div class=\"title\"><h1>History of runs</h1></div>\n<p>{} of {} passed. "
                  "Times are UTC; the latest run is first.</p>\n",
                  total.integer(1),
                  sim::counted(static_cast<std::uint64_t>(total.integer(0)), "run")),
      total.integer(0) == total.integer(1));
  std::string table =
      "<table class=\"rows sortable\">\n<thead><tr><th>time</th><th>outcome</th><th>design</th>"
      "<th>configuration</th><th class=\"n\">seed</th><th>revision</th><th>model</th>"
      "<th class=\"n\">failed</th><th class=\"n\">cases</th><th>failures</th></tr></thead>\n"
      "<tbody>\n";
  SqliteStatement rows(
      database, fmt::format("SELECT id, seconds_since_1970, outcome, design, config, seed, "
                            "revision, model, failed, cases FROM runs ORDER BY id DESC LIMIT "
                            "{}",
                            kShownRuns));
  while (rows.step()) {
    const auto outcome = common::outcome_from_name(rows.text(2));
    plot::print(
        table,
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td><td>{}</td>"
        "<td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td></tr>\n",
        date_text(rows.integer(1)), plot::outcome_badge(outcome.value_or(Outcome::InternalError)),
        common::escape_markup(rows.text(3)), common::escape_markup(rows.text(4)), rows.integer(5),
        common::escape_markup(rows.text(6)), common::escape_markup(rows.text(7)), rows.integer(8),
        rows.integer(9), common::escape_markup(failures_of(database, rows.integer(0))));
  }
  page.add({fmt::format("The last {} runs", kShownRuns),
            plot::scroll_box("Runs", table + "</tbody>\n</table>\n")});
  return std::move(page).finish();
}

}  // namespace

void require_history(const std::string& path) {
  (void)open_history(path);
}

void add_to_history(const std::string& path, const sim::RegressionResult& result) {
  const Database database = open_history(path);
  add_run(database.get(), result);
  common::write_file_atomically(std::filesystem::path(path).replace_extension(".html"),
                                page_of(database.get()));
}

}  // namespace kernbench::cli
