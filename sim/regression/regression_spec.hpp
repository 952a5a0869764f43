#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "maze/link_frame.hpp"
#include "sim/fault/fault_spec.hpp"
#include "sim/stimulus/traffic_spec.hpp"

namespace kernbench::sim {

/// Which checkers a suite attaches. The harness' own drain limit is always there.
struct Checks {
  bool lockstep = true;
  bool scoreboard = true;
  bool watchdog = true;
  bool assertions = true;
  bool delivery = false;  ///< every link that the pattern uses must have delivered a packet
};

enum class SuiteKind { Traffic, Connectivity };

/// A fault that a suite injects, in a case of its own for every seed.
struct FaultCase {
  FaultSpec fault;
  std::vector<std::string> caught_by;  ///< checkers that must notice; empty: any
  std::vector<std::string> missed_by;  ///< checkers that must not
};

/// One suite of a regression: the same stimulus with `seeds` different seeds.
struct SuiteSpec {
  std::string name;
  SuiteKind kind = SuiteKind::Traffic;
  TrafficSpec traffic;
  BackPressureSpec back_pressure;
  std::uint64_t cycles = 10'000;
  unsigned seeds = 1;
  std::vector<std::uint64_t> reset_at;
  std::uint64_t watchdog_cycles = 2'000;
  std::uint64_t after_failure = 8;
  Checks checks;
  std::vector<FaultCase> faults;
};

/// A regression as configured: data only, valid by construction.
struct RegressionSpec {
  std::string path;
  std::string name;
  maze::Shape shape;
  double clock_ns = 1.0;
  std::uint64_t seed = 1;
  std::uint64_t packets_per_link = 0;  ///< goal on every link under every class of back-pressure
  bool full_coverage = false;          ///< a missed functional bin fails the regression
  std::vector<SuiteSpec> suites;
};

/// Reads and checks a regression file; paths in it are relative to the file.
/// Throws common::BadInput with every error of the file at once.
[[nodiscard]] RegressionSpec load_regression(const std::string& path);

}  // namespace kernbench::sim
