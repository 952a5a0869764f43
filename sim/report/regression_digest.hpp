// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/cover/covered_run.hpp"
#include "sim/harness/ports.hpp"
#include "sim/regression/case_result.hpp"
#include "sim/report/kill_matrix.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

/// The cases of a suite with the same traffic, merged over their seeds.
struct SuiteRow {
  std::string suite;
  std::string pattern;
  std::string back_pressure;
  unsigned cases = 0;
  std::uint64_t cycles = 0;
  std::uint64_t delivered = 0;
  double mean_latency = 0.0;  ///< weighted by packets
  double seconds = 0.0;       ///< host time, over all cases
  common::Outcome outcome = common::Outcome::Pass;
};

/// One checker, over all cases that attached it.
struct CheckerRow {
  std::string name;
  unsigned cases = 0;
  std::uint64_t checks = 0;
  std::uint64_t failures = 0;  ///< failures in cases without an injected fault
};

/// Data that several reports of a regression share. Rows are in the order of their first case.
/// `failing` and `known` point into the result, which must outlive the digest.
struct RegressionDigest {
  explicit RegressionDigest(const RegressionResult& result);

  std::vector<SuiteRow> suites;
  std::vector<CheckerRow> checkers;
  std::vector<std::string> not_checked;  ///< "suite: ..." lines of passing cases, each once
  KillMatrix kills;
  std::vector<const CaseResult*> failing;  ///< cases that did not pass; the structure's first
  std::vector<const CaseResult*> known;    ///< cases whose failure is known
  std::size_t passed = 0;                  ///< all other cases
  std::uint64_t cycles = 0;
  std::uint64_t delivered = 0;
  std::uint64_t checks = 0;
  unsigned live_links = 0;   ///< links that delivered at least one packet
  bool only_faults = false;  ///< every case of traffic injected a fault, so no link was measured
};

/// Returns true for the case that stands for the structure check.
[[nodiscard]] bool is_structure(const CaseResult& c);
/// Returns true for the case that stands for the coverage goals.
[[nodiscard]] bool is_coverage(const CaseResult& c);

/// Returns, for example, "Mesh2D(4,3): 12 nodes, 34 channels, 1 virtual channel of 8 flits of 42
/// bits".
[[nodiscard]] std::string noc_text(const NocNames& noc);

/// Returns the design and its size: "TOPO 8x8", or the topology of a network.
[[nodiscard]] std::string design_text(const RegressionResult& result);

/// Returns the ports of the design of a result. `links`, those of its shape, must outlive them.
[[nodiscard]] Ports ports_of(const RegressionResult& result, const topology::MazeLinks& links);

/// Returns why a case did not pass, or "" when the first failure that a report shows has the same
/// text.
[[nodiscard]] std::string reason_text(const CaseResult& c);

/// Returns the message of a failure with its port in front, "[3,4].x[6] -> [3,3].x[6]: ready is 1".
[[nodiscard]] std::string failure_text(const Ports& ports, const Failure& failure);

/// Returns what the injected faults have shown: "every injected fault was found", "7 of 8 injected
/// faults were found as expected", or "" without an injected fault.
[[nodiscard]] std::string faults_text(const RegressionResult& result);

/// Returns the run as its coverage file names it. Missed bins do not make it fail: several runs
/// together may hit them.
[[nodiscard]] CoveredRun covered_run(const RegressionResult& result);

/// Returns "seed 7", or "failed-node-3, seed 7" for a case with a name. For an injected fault it is
/// "seed 7, fault drop at [3,4].x[6] -> [3,3].x[6]".
[[nodiscard]] std::string case_text(const Ports& ports, const CaseResult& c);

}  // namespace kernbench::sim
