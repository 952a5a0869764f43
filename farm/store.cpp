// SPDX-License-Identifier: Apache-2.0
#include "farm/store.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "common/diagnostics.hpp"
#include "common/numbers.hpp"
#include "farm/constraint.hpp"
#include "farm/csv.hpp"
#include "farm/folder_vfs.hpp"
#include "farm/sqlite_statement.hpp"

namespace kernbench::farm {
namespace {

namespace fs = std::filesystem;
using common::BadInput;
using common::Outcome;
using Json = nlohmann::json;

constexpr std::int64_t kApplicationId = 0x4b425357;  // "KBSW"

/// Begins a transaction, which the destructor rolls back unless commit() ran.
class Transaction {
 public:
  explicit Transaction(sqlite3* database, const char* begin = "BEGIN IMMEDIATE")
      : database_(database) {
    SqliteStatement(database_, begin).step();
  }
  ~Transaction() {
    if (!done_) sqlite3_exec(database_, "ROLLBACK", nullptr, nullptr, nullptr);
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit() {
    SqliteStatement(database_, "COMMIT").step();
    done_ = true;
  }

 private:
  sqlite3* database_;
  bool done_ = false;
};

std::string quoted_name(const std::string& name) {
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string deflated(const std::string& text) {
  uLongf size = compressBound(static_cast<uLong>(text.size()));
  std::string bytes(size, '\0');
  if (compress(reinterpret_cast<Bytef*>(bytes.data()), &size,
               reinterpret_cast<const Bytef*>(text.data()),
               static_cast<uLong>(text.size())) != Z_OK) {
    throw std::runtime_error("cannot compress a report");
  }
  bytes.resize(size);
  return bytes;
}

/// Returns nothing if the bytes are not those of a deflated report.
std::optional<std::string> inflated(const std::string& bytes) {
  std::string text(2 * kKeptReportBytes, '\0');
  auto size = static_cast<uLongf>(text.size());
  if (uncompress(reinterpret_cast<Bytef*>(text.data()), &size,
                 reinterpret_cast<const Bytef*>(bytes.data()),
                 static_cast<uLong>(bytes.size())) != Z_OK) {
    return std::nullopt;
  }
  text.resize(size);
  return text;
}

std::vector<std::string> names_of(const std::vector<Target>& targets) {
  std::vector<std::string> names;
  names.reserve(targets.size());
  for (const Target& target : targets) names.push_back(target.name);
  return names;
}

constexpr const char* kDirectionNames[] = {"min", "max", "none"};

Json to_json(const std::vector<Target>& targets) {
  Json list = Json::array();
  for (const Target& target : targets) {
    list.push_back({{"name", target.name},
                    {"direction", kDirectionNames[static_cast<std::size_t>(target.direction)]},
                    {"of", target.of},
                    {"unit", target.unit}});
  }
  return list;
}

/// Returns nothing if `list` is not what to_json() wrote.
std::optional<std::vector<Target>> targets_of(const Json& list) {
  if (!list.is_array() || list.empty()) return std::nullopt;
  std::vector<Target> targets;
  for (const Json& json : list) {
    const auto is_text = [&](const char* name) {
      return json.contains(name) && json[name].is_string();
    };
    const bool is_target = json.is_object() && json.size() == 4 && is_text("name") &&
                           is_text("direction") && is_text("of") && is_text("unit");
    if (!is_target) return std::nullopt;
    const auto direction = std::ranges::find(kDirectionNames, json["direction"]);
    if (direction == std::end(kDirectionNames)) return std::nullopt;
    targets.push_back({json["name"],
                       static_cast<Direction>(direction - std::begin(kDirectionNames)), json["of"],
                       json["unit"]});
  }
  return targets;
}

Outcome outcome_of(const std::string& name) {
  return common::outcome_from_name(name).value_or(Outcome::InternalError);
}

std::string comma_list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += fmt::format(", {}", quoted_name(name));
  return text;
}

/// The tables and the columns that every database has; nullptr where there are no more.
constexpr std::array<std::pair<const char*, std::array<const char*, 5>>, 4> kTables = {{
    {"meta", {"name", "value"}},
    {"points", {"key", "position", "outcome", "message", "grade"}},
    {"reports", {"key", "text"}},
    {"host", {"key", "attempt", "worker", "seconds"}},
}};

constexpr int kWaitMs = 5000;
constexpr int kReaderWaitMs = 1000;

sqlite3* opened(const fs::path& path, int flags, const char* vfs = nullptr) {
  sqlite3* database = nullptr;
  if (sqlite3_open_v2(path.c_str(), &database, flags, vfs) != SQLITE_OK) {
    const std::string reason = database == nullptr ? "no memory" : sqlite3_errmsg(database);
    sqlite3_close(database);
    throw BadInput(fmt::format("cannot open database '{}': {}", path.string(), reason));
  }
  sqlite3_busy_timeout(database, vfs == nullptr ? kWaitMs : kReaderWaitMs);
  return database;
}

}  // namespace

std::vector<std::string> fixed_columns() {
  return {"key", "position", "outcome", "message", "grade"};
}

Store::Store(const fs::path& path, const Plan& plan, const std::vector<std::string>& keys)
    : path_(path) {
  std::error_code error;
  const bool fresh = !fs::exists(path, error) || fs::file_size(path, error) == 0;
  database_ = opened(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  try {
    Transaction transaction(database_);
    if (fresh) {
      create(plan);
    } else {
      check_version();
      check_tables();
      check_columns(plan);
    }
    set_plan(plan, keys);
    transaction.commit();
  } catch (...) {
    sqlite3_close(database_);
    if (fresh) fs::remove(path, error);
    throw;
  }
}

Store::Store(const fs::path& path) : path_(path) {
  database_ = opened(path, SQLITE_OPEN_READWRITE);
  try {
    check_version();
    check_tables();
  } catch (...) {
    sqlite3_close(database_);
    throw;
  }
}

Store::Store(int folder, const std::string& path)
    : path_(path), vfs_(std::make_unique<FolderVfs>(folder)) {
  database_ = opened(path_, SQLITE_OPEN_READONLY, vfs_->name());
  try {
    run("PRAGMA temp_store = memory");
    if (is_empty()) {
      throw BadInput(fmt::format("'{}' is empty: its sweep has not written to it yet", path));
    }
    check_version();
  } catch (...) {
    const bool in_wal_mode = sqlite3_errcode(database_) == SQLITE_CANTOPEN;
    sqlite3_close(database_);
    if (!in_wal_mode) throw;
    throw BadInput(fmt::format(
        "'{0}' is in WAL mode; sqlite3 '{0}' 'PRAGMA journal_mode = DELETE' changes that", path));
  }
}

Store::~Store() {
  sqlite3_close(database_);
}

void Store::run(const std::string& sql) const {
  SqliteStatement statement(database_, sql);
  while (statement.step()) {
  }
}

std::string Store::meta(const std::string& name) const {
  SqliteStatement statement(database_, "SELECT value FROM meta WHERE name = ?");
  return statement.bind(name).step() ? statement.text(0) : std::string();
}

void Store::set_meta(const std::string& name, const std::string& value) const {
  SqliteStatement statement(database_, "INSERT OR REPLACE INTO meta VALUES (?, ?)");
  statement.bind(name).bind(value).step();
}

void Store::create(const Plan& plan) {
  std::string columns;
  for (const std::string& name : plan.parameters) columns += fmt::format(", {}", quoted_name(name));
  for (const Target& target : plan.targets)
    columns += fmt::format(", {}", quoted_name(target.name));
  run(fmt::format("PRAGMA application_id = {}", kApplicationId));
  run(fmt::format("PRAGMA user_version = {}", kStoreSchema));
  run("CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
  run("CREATE TABLE points (key TEXT PRIMARY KEY, position INTEGER, outcome TEXT NOT NULL, "
      "message TEXT NOT NULL, grade TEXT NOT NULL" +
      columns + ") WITHOUT ROWID");
  run("CREATE TABLE reports (key TEXT PRIMARY KEY, text BLOB NOT NULL)");
  run("CREATE TABLE host (key TEXT PRIMARY KEY, attempt INTEGER NOT NULL, worker TEXT, "
      "seconds REAL) WITHOUT ROWID");
  set_meta("parameters", Json(plan.parameters).dump());
  set_meta("targets", to_json(plan.targets).dump());
}

bool Store::is_empty() const {
  SqliteStatement pages(database_, "PRAGMA page_count");
  return !pages.step() || pages.integer(0) == 0;
}

void Store::check_version() const {
  SqliteStatement application(database_, "PRAGMA application_id");
  SqliteStatement version(database_, "PRAGMA user_version");
  if (!application.step() || application.integer(0) != kApplicationId) {
    throw BadInput(fmt::format("'{}' is not the database of a sweep", path_.string()));
  }
  if (!version.step() || version.integer(0) != kStoreSchema) {
    throw BadInput(fmt::format("'{}' is a database of version {}; this program uses version {}",
                               path_.string(), version.integer(0), kStoreSchema));
  }
}

void Store::check_tables() const {
  for (const auto& [table, columns] : kTables) {
    SqliteStatement there(database_, "SELECT name FROM pragma_table_info(?)");
    there.bind(table);
    std::vector<std::string> names;
    while (there.step()) names.push_back(there.text(0));
    if (names.empty()) refuse_damaged(fmt::format("it has no table '{}'", table));
    for (const char* const column : columns) {
      if (column == nullptr || std::ranges::find(names, column) != names.end()) continue;
      refuse_damaged(fmt::format("its table '{}' has no column '{}'", table, column));
    }
  }
  SqliteStatement columns(database_, "SELECT name FROM pragma_table_info('points')");
  std::vector<std::string> names;
  while (columns.step()) names.push_back(columns.text(0));
  std::vector<std::string> wanted = meta_list("parameters");
  for (const std::string& path : names_of(meta_targets())) wanted.push_back(path);
  for (const std::string& column : wanted) {
    if (std::ranges::find(names, column) != names.end()) continue;
    refuse_damaged(fmt::format("its table 'points' has no column '{}'", column));
  }
  (void)meta_list("command");
  try {
    (void)constraints_of(meta_list("limits", true), meta_list("parameters"), meta_targets());
  } catch (const std::invalid_argument& error) {
    refuse_damaged(fmt::format("'limits' of its table 'meta': {}", error.what()));
  }
}

void Store::refuse_damaged(const std::string& what) const {
  throw BadInput(fmt::format("'{}' is damaged: {}", path_.string(), what));
}

std::vector<std::string> Store::meta_list(const std::string& name, bool may_be_empty) const {
  const Json list = Json::parse(meta(name), nullptr, false);
  const bool is_list = list.is_array() && (may_be_empty || !list.empty()) &&
                       std::ranges::all_of(list, [](const Json& json) { return json.is_string(); });
  if (!is_list) {
    refuse_damaged(fmt::format("'{}' of its table 'meta' is not a list of names", name));
  }
  return list.get<std::vector<std::string>>();
}

std::vector<Target> Store::meta_targets() const {
  std::optional<std::vector<Target>> targets =
      targets_of(Json::parse(meta("targets"), nullptr, false));
  if (!targets) refuse_damaged("'targets' of its table 'meta' is not a list of targets");
  return *std::move(targets);
}

void Store::check_columns(const Plan& plan) const {
  const std::vector<std::string> there = meta_list("parameters");
  const std::vector<std::string> targets = names_of(meta_targets());
  const auto refuse = [&](const char* what, const auto& has, const auto& wants) {
    throw BadInput(
        fmt::format("'{}' has the {} {}, but the plan has {}; name another file by --output",
                    path_.string(), what, fmt::join(has, ", "), fmt::join(wants, ", ")));
  };
  if (there != plan.parameters) refuse("parameters", there, plan.parameters);
  if (targets != names_of(plan.targets)) refuse("targets", targets, names_of(plan.targets));
}

void Store::set_plan(const Plan& plan, const std::vector<std::string>& keys) {
  set_meta("plan", plan.text);
  set_meta("command", Json(plan.command).dump());
  set_meta("targets", to_json(plan.targets).dump());  // a direction may have changed
  set_meta("limits", Json(plan.limits).dump());
  set_meta("log_parameters", Json(plan.log_parameters).dump());
  set_meta("sample", plan.search ? "search" : "points");
  set_meta("points", std::to_string(keys.size()));
  run("UPDATE points SET position = NULL");
  SqliteStatement update(database_, "UPDATE points SET position = ? WHERE key = ?");
  for (std::size_t i = 0; i < keys.size(); ++i) {
    points_.emplace(keys[i], std::pair(i, plan.points[i]));
    update.bind(static_cast<std::int64_t>(i)).bind(keys[i]).step();
    update.reset();
  }
}

std::map<std::string, Outcome> Store::finished() const {
  std::map<std::string, Outcome> outcomes;
  SqliteStatement rows(database_, "SELECT key, outcome FROM points WHERE position IS NOT NULL");
  while (rows.step()) {
    outcomes.emplace(rows.text(0), outcome_of(rows.text(1)));
  }
  return outcomes;
}

std::map<Outcome, std::size_t> Store::outcomes() const {
  std::map<Outcome, std::size_t> counts;
  SqliteStatement rows(database_, "SELECT outcome FROM points WHERE position IS NOT NULL");
  while (rows.step()) ++counts[outcome_of(rows.text(0))];
  return counts;
}

std::size_t Store::planned() const {
  return common::parse_u64(meta("points")).value_or(0);
}

std::map<std::string, std::uint32_t> Store::attempts() const {
  std::map<std::string, std::uint32_t> counts;
  SqliteStatement rows(database_, "SELECT key, attempt FROM host");
  while (rows.step()) counts.emplace(rows.text(0), static_cast<std::uint32_t>(rows.integer(1)));
  return counts;
}

void Store::add(const std::vector<PointResult>& results) {
  if (results.empty()) return;
  Transaction transaction(database_);
  SqliteStatement known(database_, "SELECT 1 FROM points WHERE key = ?");
  SqliteStatement attempt(database_,
                          "INSERT INTO host (key, attempt) VALUES (?, ?) ON CONFLICT (key) "
                          "DO UPDATE SET attempt = max(attempt, excluded.attempt)");
  SqliteStatement host(database_, "UPDATE host SET worker = ?, seconds = ? WHERE key = ?");
  SqliteStatement report(database_, "INSERT OR REPLACE INTO reports VALUES (?, ?)");
  for (const PointResult& result : results) {
    const auto point = points_.find(result.key);
    if (point == points_.end()) continue;
    const auto& [position, values] = point->second;
    attempt.bind(result.key).bind(std::int64_t{result.attempt}).step();
    attempt.reset();
    const bool has_row = known.bind(result.key).step();
    known.reset();
    if (has_row || !result.outcome) continue;
    host.bind(result.worker).bind(result.seconds).bind(result.key).step();
    host.reset();
    std::string marks = "?, ?, ?, ?, ?";
    for (std::size_t i = 0; i < values.size() + result.targets.size(); ++i) marks += ", ?";
    SqliteStatement row(database_, fmt::format("INSERT INTO points VALUES ({})", marks));
    row.bind(result.key).bind(static_cast<std::int64_t>(position));
    row.bind(common::name(*result.outcome)).bind(result.message).bind(result.grade);
    for (const Value& value : values) {
      if (const auto whole = common::parse_i64(value.text)) {
        row.bind(*whole);
      } else if (value.number) {
        row.bind(*value.number);
      } else {
        row.bind(value.text);
      }
    }
    for (const Json& target : result.targets) row.bind_json(target);
    row.step();
    if (result.report.empty()) continue;
    report.bind(result.key).bind_blob(deflated(result.report)).step();
    report.reset();
  }
  transaction.commit();
}

std::size_t Store::remove(const std::vector<std::string>& keys) {
  Transaction transaction(database_);
  std::size_t removed = 0;
  for (const std::string& key : keys) {
    SqliteStatement(database_, "DELETE FROM points WHERE key = ?").bind(key).step();
    removed += static_cast<std::size_t>(sqlite3_changes(database_));
    for (const char* const table : {"host", "reports"}) {
      SqliteStatement(database_, fmt::format("DELETE FROM {} WHERE key = ?", table))
          .bind(key)
          .step();
    }
  }
  transaction.commit();
  return removed;
}

Table Store::table() const {
  const Transaction reading(database_, "BEGIN");
  check_tables();
  Table table;
  table.command = meta_list("command");
  table.parameters = meta_list("parameters");
  table.targets = meta_targets();
  table.limits = meta_list("limits", true);
  table.log_parameters = meta_list("log_parameters", true);
  table.is_search = meta("sample") == "search";
  table.plan = meta("plan");
  table.planned = planned();
  SqliteStatement former(database_, "SELECT count(*) FROM points WHERE position IS NULL");
  if (former.step()) table.former = static_cast<std::size_t>(former.integer(0));
  SqliteStatement rows(
      database_, fmt::format("SELECT key, outcome, message, grade{}{} FROM points "
                             "WHERE position IS NOT NULL ORDER BY position",
                             comma_list(table.parameters), comma_list(names_of(table.targets))));
  const std::vector<Constraint> limits =
      constraints_of(table.limits, table.parameters, table.targets);
  table.rows.reserve(std::min(table.planned, kMaxPoints));
  while (rows.step()) {
    Row& row = table.rows.emplace_back();
    row.key = rows.text(0);
    row.outcome = outcome_of(rows.text(1));
    row.message = rows.text(2);
    row.grade = rows.text(3);
    row.parameters.reserve(table.parameters.size());
    row.targets.reserve(table.targets.size());
    int column = 4;
    for (std::size_t i = 0; i < table.parameters.size(); ++i) {
      row.parameters.push_back(text_of(rows.json(column++)));
    }
    for (std::size_t i = 0; i < table.targets.size(); ++i) {
      row.targets.push_back(rows.json(column++));
    }
    if (limits.empty()) continue;
    PlanPoint point;
    for (const std::string& text : row.parameters) point.push_back(value_of_text(text));
    row.is_allowed = std::all_of(limits.begin(), limits.end(), [&](const Constraint& limit) {
      return limit.holds(point, row.targets);
    });
  }
  return table;
}

std::string Store::report(const std::string& key) const {
  SqliteStatement rows(database_, "SELECT text FROM reports WHERE key = ?");
  if (!rows.bind(key).step()) return {};
  std::optional<std::string> text = inflated(rows.text(0));
  if (!text) refuse_damaged(fmt::format("the report of point {} cannot be read", key));
  return *std::move(text);
}

}  // namespace kernbench::farm
