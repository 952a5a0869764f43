// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/input_kind.hpp"
#include "common/source_location.hpp"

namespace kernbench::farm {

/// A value of a parameter, as the command line gets it.
struct Value {
  std::string text;
  std::optional<double> number{};  ///< absent if the text is not a number

  friend bool operator==(const Value&, const Value&) = default;
};

/// Returns a text as a value.
[[nodiscard]] Value value_of_text(const std::string& text);

/// The values of all parameters of a plan, in their order.
using PlanPoint = std::vector<Value>;

enum class Direction { Min, Max, None };

/// A value that each row has.
struct Target {
  std::string name;  ///< name of the column; without `of`, also the field of the report that it is
  Direction direction = Direction::None;
  /// Expression of parameters, keys of the topology ("topology.KEY") and fields of the report, or a
  /// JSON pointer to a field; empty for the field that `name` is.
  std::string of{};
  std::string unit{};  ///< unit of the value; empty if none is given
  common::SourcePosition position{};

  /// Returns the unit of time of the value: the given one, or the end of a name such as "end_ps";
  /// empty if it is not a time.
  [[nodiscard]] std::string time_unit() const;
};

/// A search for the best point that satisfies all constraints.
struct Search {
  std::size_t most_points = 0;      ///< points that are run in full at most
  std::vector<std::string> screen;  ///< words that make a run of a point a cheap estimate
};

/// The plan of a sweep: one command, run at many points.
struct Plan {
  std::string file;
  std::string text;                  ///< the whole file
  std::vector<std::string> command;  ///< words after `kernbench` that all points share
  common::SourcePosition command_position{};
  std::vector<std::string> parameters;
  std::vector<common::SourcePosition> parameter_positions{};  ///< one for each parameter
  std::vector<PlanPoint> points{};
  std::vector<std::string> log_parameters{};  ///< parameters whose range has `scale: log`
  std::vector<Target> targets{};
  std::vector<std::string> limits{};  ///< constraints that hold or not when a point has run
  std::optional<Search> search{};     ///< absent: all points run
};

/// The number of points that a sweep runs without being asked twice.
inline constexpr std::size_t kManyPoints = 10'000;
/// The number of points that a plan may have at all, before its constraints.
inline constexpr std::size_t kMaxPoints = 1'000'000;

extern const common::InputKind kPlanFile;

/// Reads a plan. Throws common::BadInput with all errors of the file.
[[nodiscard]] Plan read_plan(const std::filesystem::path& path);
/// Reads the text of a plan in the same way; messages call it `file`.
[[nodiscard]] Plan parse_plan(std::string text, const std::string& file);

/// Returns the folder for the reports of a point of `sim`, which has no --json: below that of the
/// plan's name, such as "depth.reports/suite=links,seed=3". Empty for other commands.
[[nodiscard]] std::string report_folder(const Plan& plan, const PlanPoint& point);

/// Returns the words after `kernbench` that run a point.
[[nodiscard]] std::vector<std::string> words_of(const Plan& plan, const PlanPoint& point);

/// Returns the plan whose points are the cheap runs of a search. Throws std::logic_error for a plan
/// without one.
[[nodiscard]] Plan screening_of(const Plan& plan);

}  // namespace kernbench::farm
