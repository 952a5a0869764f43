// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/described.hpp"
#include "common/input_kind.hpp"
#include "maze/link_frame.hpp"
#include "sim/regression/fault_case.hpp"
#include "sim/regression/suite_script.hpp"
#include "sim/stimulus/reset_plan.hpp"
#include "sim/stimulus/traffic_spec.hpp"

namespace kernbench::sim {

enum class SuiteKind { Traffic, Connectivity };

/// A suite of a regression: the same stimulus with `seeds` different seeds.
struct SuiteSpec {
  std::string name;
  SuiteKind kind = SuiteKind::Traffic;
  TrafficSpec traffic;
  BackPressureSpec back_pressure;
  std::optional<SuiteScript> script;  ///< in place of both
  std::uint64_t cycles = 10'000;
  bool shortened = false;  ///< `cycles` is less than the configuration asks for
  unsigned seeds = 1;
  std::vector<std::uint64_t> reset_at;  ///< resets of four clocks
  ResetSpec resets;                     ///< resets that each seed draws; not with reset_at
  std::uint64_t watchdog_cycles = 2'000;
  std::uint64_t after_failure = 8;
  Checks checks;
  std::vector<FaultCase> faults;

  /// Returns the traffic and the back-pressure as reports name them.
  [[nodiscard]] std::string traffic_name() const;
  [[nodiscard]] std::string back_pressure_name() const;
};

/// Configuration of a regression, already checked.
struct RegressionSpec {
  std::string path;
  std::string text;  ///< the file, which may be a pipe and is read once
  std::string name;
  std::string dut = "topo";  ///< the design that the file is for
  maze::Shape shape;
  double clock_ns = 1.0;
  std::uint64_t seed = 1;
  std::uint64_t packets_per_link = 0;  ///< goal per link and class of back-pressure
  bool full_coverage = false;          ///< a missed functional bin fails the regression
  bool deep_coverage = false;          ///< DeepBins are collected
  std::vector<SuiteSpec> suites;
};

extern const common::InputKind kRegressionFile;

/// Checks the text of a regression file. Paths in it are relative to the file. Throws
/// common::BadInput with all errors of the file.
[[nodiscard]] RegressionSpec parse_regression(std::string text, const std::string& path);
/// Reads a regression file and checks it.
[[nodiscard]] RegressionSpec load_regression(const std::string& path);

/// A suite, or a part of one, that a change left out of a regression, and why.
struct LeftOut {
  std::string suite;
  std::string reason;
  bool whole = true;  ///< the suite itself; else the part of it that `reason` names
};

/// Returns the design of a regression file, the value of `dut`; empty without one. Throws
/// common::BadInput if it is not a map in YAML.
[[nodiscard]] std::string dut_of_regression(const std::string& text, const std::string& path);

/// Moves a regression to a fabric of another size. Removes the suites that this size cannot run:
/// those whose pattern does not exist there, traces, and faults on a given link. Returns them.
std::vector<LeftOut> move_to_fabric(RegressionSpec& spec, const maze::Shape& shape);

}  // namespace kernbench::sim

template <>
const kernbench::common::Description<kernbench::sim::RegressionSpec>&
kernbench::common::description_of();
template <>
const kernbench::common::Description<kernbench::sim::BackPressureSpec>&
kernbench::common::description_of();
