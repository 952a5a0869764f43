// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/outcome.hpp"
#include "sim/network/network_case.hpp"
#include "sim/network/network_run.hpp"

namespace kernbench::sim {

/// A case that ran.
struct NetworkCaseRun {
  NetworkCase spec;
  NetworkResult result;
  std::string command;  ///< shell command that runs exactly this case again
  std::string wave;     ///< FST, relative to the report folder; empty without waves, like the next
  std::string wave_setup;  ///< `.gtkw`, relative to the report folder
  std::string view;        ///< shell command that opens the waves from any folder
};

/// The cases of a suite, added up.
struct NetworkSuite {
  std::string name;
  std::size_t cases = 0;
  NetworkResult sum;
};

/// A regression of a network.
struct NetworkRegression {
  maze::Shape shape;
  std::uint64_t seed = 1;
  std::string model;       ///< path of its library
  std::string model_hash;  ///< NetworkInfo::build_hash
  bool checkers = false;   ///< SystemVerilog checkers are in the nodes
  RtlChecks rtl_checks;    ///< checks that the RTL has
  std::string config_hash;
  std::string revision;
  std::string command;
  bool full_coverage = false;  ///< a missed bin fails it
  std::size_t planned =
      0;  ///< cases to run; more than ran after an interruption or with --fail-fast
  std::vector<NetworkCaseRun> cases;
  common::Outcome outcome = common::Outcome::Vacuous;
  NetworkResult sum;     ///< sums over all cases
  double seconds = 0.0;  ///< host time

  /// Adds up the cases and sets the outcome.
  void conclude(bool interrupted);
  /// Returns the suites in the order of their first case.
  [[nodiscard]] std::vector<NetworkSuite> suites() const;
};

/// Returns the outcome of cases that were added up: that of the worst or, where all passed, a
/// mismatch if a missed bin fails them and one was missed.
[[nodiscard]] common::Outcome judged(const NetworkResult& sum, bool full_coverage);

}  // namespace kernbench::sim
