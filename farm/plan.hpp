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

/// The values of all parameters of a plan, in their order.
using PlanPoint = std::vector<Value>;

enum class Direction { Min, Max, None };

/// A field of the report whose value each row has.
struct Target {
  std::string path;  ///< dotted path such as "data.regions[0].time_ps", or a JSON pointer
  Direction direction = Direction::None;
  common::SourcePosition position{};
};

/// The plan of a sweep: one command, run at many points.
struct Plan {
  std::string file;
  std::string text;                  ///< the whole file
  std::vector<std::string> command;  ///< words after `kernbench` that all points share
  common::SourcePosition command_position{};
  std::vector<std::string> parameters;
  std::vector<common::SourcePosition> parameter_positions{};  ///< one for each parameter
  std::vector<PlanPoint> points;
  std::vector<Target> targets;
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

/// Returns the words after `kernbench` that run a point.
[[nodiscard]] std::vector<std::string> words_of(const Plan& plan, const PlanPoint& point);

}  // namespace kernbench::farm
