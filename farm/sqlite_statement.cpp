// SPDX-License-Identifier: Apache-2.0
#include "farm/sqlite_statement.hpp"

#include <fmt/format.h>

#include <limits>

#include "common/diagnostics.hpp"

namespace kernbench::farm {

void throw_sqlite_error(sqlite3* database, const std::string& path) {
  const int code = sqlite3_errcode(database);
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
    throw common::BadInput(
        fmt::format("'{}' is in use by another program; try again when that has ended", path));
  }
  if (sqlite3_extended_errcode(database) == SQLITE_READONLY_ROLLBACK) {
    throw common::BadInput(fmt::format(
        "'{0}' was left by a killed program while it wrote; kernbench sweep show '{0}' restores it",
        path));
  }
  if (code == SQLITE_NOTADB) {
    throw common::BadInput(fmt::format("'{}' is not the database of a sweep", path));
  }
  throw common::BadInput(
      fmt::format("'{}' cannot be used as a database: {}", path, sqlite3_errmsg(database)));
}

SqliteStatement::SqliteStatement(sqlite3* database, const std::string& sql) : database_(database) {
  check(sqlite3_prepare_v2(database, sql.c_str(), -1, &statement_, nullptr));
}

void SqliteStatement::check(int code) const {
  if (code == SQLITE_OK) return;
  const char* const path = sqlite3_db_filename(database_, "main");
  throw_sqlite_error(database_, path == nullptr ? "" : path);
}

SqliteStatement& SqliteStatement::bind(std::string_view text) {
  check(sqlite3_bind_text(statement_, ++bound_, text.data(), static_cast<int>(text.size()),
                          SQLITE_TRANSIENT));
  return *this;
}

SqliteStatement& SqliteStatement::bind_blob(std::string_view bytes) {
  check(sqlite3_bind_blob(statement_, ++bound_, bytes.data(), static_cast<int>(bytes.size()),
                          SQLITE_TRANSIENT));
  return *this;
}

SqliteStatement& SqliteStatement::bind(std::int64_t number) {
  check(sqlite3_bind_int64(statement_, ++bound_, number));
  return *this;
}

SqliteStatement& SqliteStatement::bind(double number) {
  check(sqlite3_bind_double(statement_, ++bound_, number));
  return *this;
}

SqliteStatement& SqliteStatement::bind_null() {
  check(sqlite3_bind_null(statement_, ++bound_));
  return *this;
}

SqliteStatement& SqliteStatement::bind_json(const nlohmann::json& value) {
  if (value.is_null()) return bind_null();
  if (value.is_string()) return bind(value.get_ref<const std::string&>());
  if (value.is_number_float()) return bind(value.get<double>());
  constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const bool fits =
      value.is_number() && (!value.is_number_unsigned() || value.get<std::uint64_t>() <= kLargest);
  return fits ? bind(value.get<std::int64_t>()) : bind(value.dump());
}

bool SqliteStatement::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) check(code);
  return false;
}

void SqliteStatement::reset() {
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
  bound_ = 0;
}

std::string SqliteStatement::text(int column) const {
  const auto* const bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return bytes == nullptr ? std::string() : std::string(bytes, size);
}

nlohmann::json SqliteStatement::json(int column) const {
  switch (sqlite3_column_type(statement_, column)) {
    case SQLITE_NULL:
      return nullptr;
    case SQLITE_INTEGER:
      return integer(column);
    case SQLITE_FLOAT:
      return sqlite3_column_double(statement_, column);
    default:
      return text(column);
  }
}

}  // namespace kernbench::farm
