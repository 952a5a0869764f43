// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace kernbench::farm {

/// Throws common::BadInput with the last error of `database`, the file `path`.
[[noreturn]] void throw_sqlite_error(sqlite3* database, const std::string& path);

/// A compiled statement of SQL. Its errors are thrown as common::BadInput that names the file.
class SqliteStatement {
 public:
  SqliteStatement(sqlite3* database, const std::string& sql);
  ~SqliteStatement() { sqlite3_finalize(statement_); }
  SqliteStatement(const SqliteStatement&) = delete;
  SqliteStatement& operator=(const SqliteStatement&) = delete;

  // Each bind() sets the next parameter.
  SqliteStatement& bind(std::string_view text);
  SqliteStatement& bind_blob(std::string_view bytes);
  SqliteStatement& bind(std::int64_t number);
  SqliteStatement& bind(double number);
  SqliteStatement& bind_null();
  /// Binds a number, a text, or a truth value as text.
  SqliteStatement& bind_json(const nlohmann::json& value);

  /// Moves to the next row. Returns false after the last one.
  bool step();
  /// Makes the statement ready to be bound and run again.
  void reset();

  // Columns of the row, counted from 0.
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const {
    return sqlite3_column_int64(statement_, column);
  }
  [[nodiscard]] bool is_null(int column) const {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL;
  }
  [[nodiscard]] nlohmann::json json(int column) const;

 private:
  void check(int code) const;

  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

}  // namespace kernbench::farm
