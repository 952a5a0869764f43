// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/farm/point_inputs.hpp"
#include "common/outcome.hpp"
#include "farm/cluster_engine.hpp"
#include "farm/local_engine.hpp"
#include "farm/plan.hpp"
#include "farm/store.hpp"
#include "farm/target_values.hpp"

namespace kernbench::cli {

/// Where the points of a sweep run.
struct PointEngine {
  std::optional<farm::ClusterSettings> cluster;  ///< absent: on this machine
  unsigned jobs = 1;
};

/// The points of a plan, their keys, and the database of their results.
class SweepRun {
 public:
  /// Checks the plan: that its points are commands which can run, read none of `outputs`, and that
  /// the keys of the topology in its targets exist. Throws common::BadInput. `plan` must outlive
  /// this object.
  SweepRun(const farm::Plan& plan, std::filesystem::path database,
           const std::vector<std::filesystem::path>& outputs, const Invocation& invocation);

  /// Prints what a cluster would be sent.
  void print_submit_text(const farm::ClusterSettings& cluster) const;

  /// Opens the database, or makes it, and takes what a killed sweep has left. Prints how many
  /// points are there already.
  void open();
  /// Runs those of the points, given by their places in the plan, that have no row. Throws
  /// common::BadInput if no report has a field that a target needs; a database without rows is
  /// removed then. `what` names the points of the progress line.
  [[nodiscard]] common::Outcome run(const std::vector<std::size_t>& points,
                                    const PointEngine& engine, const std::string& what);

  [[nodiscard]] const farm::Plan& plan() const { return plan_; }
  [[nodiscard]] const farm::TargetValues& values() const { return values_; }
  /// Returns the row of each point; nothing for those that have not run.
  [[nodiscard]] std::vector<std::optional<farm::Row>> rows() const;
  [[nodiscard]] farm::Table table() const { return store_->table(); }
  [[nodiscard]] const std::filesystem::path& database() const { return database_; }

 private:
  void find_keys(PointInputs& inputs, const std::vector<std::filesystem::path>& outputs);
  void check_settings(PointInputs& inputs) const;
  void read_topologies(PointInputs& inputs);
  void check_fields(const std::vector<farm::PointResult>& results);
  void take(std::vector<farm::PointResult> results);

  const farm::Plan& plan_;
  std::filesystem::path database_;
  farm::TargetValues values_;
  std::vector<std::string> keys_;                        ///< key of each point
  std::map<std::string, std::size_t> places_;            ///< place of each point, by its key
  std::vector<std::vector<nlohmann::json>> topologies_;  ///< keys of the topology of each point
  std::vector<bool> found_;                              ///< fields that some report has
  farm::Work work_;
  bool is_fresh_ = false;
  std::optional<farm::JobFolder> jobs_;
  std::optional<farm::Store> store_;
};

}  // namespace kernbench::cli
