// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/outcome.hpp"
#include "farm/job.hpp"
#include "farm/plan.hpp"

struct sqlite3;

namespace kernbench::farm {

/// Version of the database; docs/sweeps.md describes its tables.
inline constexpr int kStoreSchema = 3;

/// Returns the names of the columns that every table of points has.
[[nodiscard]] std::vector<std::string> fixed_columns();

/// A row of the table of points.
struct Row {
  std::string key;
  std::vector<std::string> parameters;  ///< as the command line had them
  common::Outcome outcome = common::Outcome::Pass;
  std::string message;
  std::string grade;                    ///< as PointResult has it
  std::vector<nlohmann::json> targets;  ///< null where the report had no such field
  bool is_allowed = true;               ///< the targets satisfy all constraints of the plan
};

/// The plan and the rows of a database, in the order of the plan.
struct Table {
  std::vector<std::string> command;  ///< words after `kernbench` that all points share
  std::vector<std::string> parameters;
  std::vector<Target> targets;
  std::vector<std::string> limits;          ///< constraints of targets
  std::vector<std::string> log_parameters;  ///< parameters whose range has `scale: log`
  bool is_search = false;                   ///< not all points of the plan run
  std::string plan;                         ///< text of the plan
  std::size_t planned = 0;  ///< points of the plan; those without a row have not run
  std::size_t former = 0;   ///< rows of points that the plan does not have now
  std::vector<Row> rows;
};

class FolderVfs;

/// The result database of a sweep, an SQLite file. One process at a time writes to it.
class Store {
 public:
  /// Opens the database of a plan, or makes it. `keys` has the key of each point. Throws BadInput
  /// for a file that is not such a database, has another version, or has other columns.
  Store(const std::filesystem::path& path, const Plan& plan, const std::vector<std::string>& keys);
  /// Opens an existing database. Throws BadInput for a file that is not one.
  explicit Store(const std::filesystem::path& path);
  /// Opens an existing database of an open folder only for reading; follows no symbolic link. The
  /// last part of `path` is its name there. Throws BadInput also for a database that is just being
  /// created, and for one that a killed program has left in the middle of a transaction.
  Store(int folder, const std::string& path);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /// Returns the outcomes of the points of the plan that have a row.
  [[nodiscard]] std::map<std::string, common::Outcome> finished() const;
  /// Returns the numbers of the points of the plan that have a row, by outcome.
  [[nodiscard]] std::map<common::Outcome, std::size_t> outcomes() const;
  /// Returns the number of points of the plan.
  [[nodiscard]] std::size_t planned() const;
  /// Returns how often points were started.
  [[nodiscard]] std::map<std::string, std::uint32_t> attempts() const;
  /// Adds results, whose targets are those of the plan, in one transaction. A point that has a row
  /// keeps it, and points that the plan does not have are left out.
  void add(const std::vector<PointResult>& results);
  /// Removes the rows of these keys and returns how many there were.
  std::size_t remove(const std::vector<std::string>& keys);
  /// Reads all rows of the plan.
  [[nodiscard]] Table table() const;
  /// Returns the report of a point, empty if the database has none.
  [[nodiscard]] std::string report(const std::string& key) const;

 private:
  void create(const Plan& plan);
  [[nodiscard]] bool is_empty() const;
  void check_version() const;
  void check_columns(const Plan& plan) const;
  void set_plan(const Plan& plan, const std::vector<std::string>& keys);
  void run(const std::string& sql) const;
  void check_tables() const;
  [[nodiscard]] std::string meta(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> meta_list(const std::string& name,
                                                   bool may_be_empty = false) const;
  [[nodiscard]] std::vector<Target> meta_targets() const;
  [[noreturn]] void refuse_damaged(const std::string& what) const;
  void set_meta(const std::string& name, const std::string& value) const;

  std::filesystem::path path_;
  std::unique_ptr<FolderVfs> vfs_;  ///< null for SQLite's own
  sqlite3* database_ = nullptr;
  std::map<std::string, std::pair<std::size_t, PlanPoint>> points_;  ///< by key
};

}  // namespace kernbench::farm
