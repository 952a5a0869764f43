// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/described.hpp"
#include "common/described_values.hpp"
#include "common/enum_names.hpp"
#include "farm/plan.hpp"

namespace kernbench::farm {

enum class SampleKind : std::uint8_t { Grid, Random, LatinHypercube, Search };
enum class Scale : std::uint8_t { Linear, Log };

inline constexpr std::array<common::EnumName<Direction>, 3> kDirectionNames = {
    {{"min", Direction::Min}, {"max", Direction::Max}, {"none", Direction::None}}};
constexpr const auto& name_table(Direction /*type*/) {
  return kDirectionNames;
}

/// How points are chosen.
struct SampleFile {
  SampleKind kind = SampleKind::Grid;
  std::size_t points = 0;
  std::uint64_t seed = 1;
  std::map<std::string, common::ScalarText> screen;
};

/// A range of numbers: `{from: 1, to: 8, step: 1}`.
struct SpanFile {
  double from = 0;
  double to = 0;
  std::optional<double> step;
  std::optional<std::size_t> count;
  Scale scale = Scale::Linear;
  bool whole = false;
};

/// A target that is more than a field.
struct TargetFile {
  std::string of;
  Direction goal = Direction::None;
  std::string unit;
};

/// The content of a plan's file.
struct PlanFile {
  std::vector<common::ScalarText> command;
  std::optional<std::map<std::string, std::variant<std::vector<common::ScalarText>, SpanFile>>>
      parameters;
  std::vector<std::map<std::string, common::ScalarText>> list;
  SampleFile sample;
  std::vector<std::string> constraints;
  std::map<std::string, std::variant<Direction, TargetFile>> targets;
};

}  // namespace kernbench::farm

template <>
const kernbench::common::Description<kernbench::farm::PlanFile>&
kernbench::common::description_of();
