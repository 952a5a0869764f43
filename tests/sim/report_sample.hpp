// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/cover/coverage_summary.hpp"
#include "sim/regression/case_result.hpp"

namespace kernbench::sim::sample {

/// A 2x2 fabric has 8 links: nodes 0..3 with the ports x[0] and y[0].
inline RegressionResult empty_result() {
  RegressionResult r;
  r.config = "configs/small.yaml";
  r.config_hash = "00000000000000aa";
  r.revision = "r1";
  r.command = "kernbench sim configs/small.yaml --seed 7";
  r.seed = 7;
  r.shape = {2, 2, 8};
  r.model_hash = "00000000000000bb";
  r.checkers = true;
  r.full_coverage = true;
  r.seconds = 1.5;
  return r;
}

inline CaseResult passing_case(const std::string& suite, std::uint64_t seed) {
  CaseResult c;
  c.suite = suite;
  c.seed = seed;
  c.command = "kernbench sim --suite " + suite + " --seed " + std::to_string(seed);
  c.pattern = "all_links";
  c.back_pressure = "none";
  c.cycles = 1000;
  c.delivered = 4000;
  c.mean_latency = 1.0;
  c.output_hash = 0xfedcba9876543210U;
  c.checkers = {{"scoreboard", 4000, 0}, {"lockstep", 24000, 0}};
  c.seconds = 0.25;
  return c;
}

/// Fails on the link that leaves node 1 through x[0]; the message needs escaping.
inline CaseResult failing_case(const std::string& suite, std::uint64_t seed) {
  CaseResult c = passing_case(suite, seed);
  c.outcome = common::Outcome::Mismatch;
  c.reason = "expected <1> & got \"2\"";
  c.checkers[0].failures = 2;
  c.failures = {{"scoreboard", "corruption", 1234, LinkEnd{1, 0}, "data <0x5a> & 'more'"},
                {"scoreboard", "undelivered", 1300, std::nullopt, "one packet left"}};
  c.cause = {"first wrong: link <1>"};
  c.page = "failures/bursts-seed7/failure.html";
  c.wave = "waves/a b#1.fst";
  c.wave_setup = "waves/a b#1.gtkw";
  c.view = "gtkwave '/r/waves/a b#1.gtkw'";
  return c;
}

inline CaseResult fault_case(const std::string& kind, std::vector<std::string> caught_by) {
  CaseResult c = passing_case("faults", 1);
  FaultResult fault;
  fault.kind = kind;
  fault.link = {0, 1};
  fault.injected_at = 50;
  fault.caught_by = std::move(caught_by);
  c.fault = fault;
  return c;
}

/// The coverage goals of a run that missed a bin.
inline CaseResult coverage_case() {
  CaseResult c;
  c.suite = "coverage goals";
  c.pattern = kCoveragePattern;
  c.outcome = common::Outcome::Mismatch;
  c.reason = "1 functional bin was missed";
  c.checkers = {{"coverage", 16, 1}};
  c.failures = {{"coverage", "missed_bin", 0, std::nullopt, "stalled.[0,0].x[0] -> [0,1].x[0]"}};
  return c;
}

/// One suite of two seeds that passed, every link used.
inline RegressionResult passing_result() {
  RegressionResult r = empty_result();
  r.planned = 2;
  r.cases = {passing_case("saturation", 7), passing_case("saturation", 8)};
  r.cases[1].delivered = 12000;
  r.cases[1].mean_latency = 3.0;
  r.link_packets.assign(8, 2000);
  r.link_stalls = {0, 1, 2, 3, 4, 5, 6, 7};
  r.link_longest_stalls = {0, 10, 20, 30, 40, 50, 60, 70};
  return r;
}

inline RegressionResult failing_result() {
  RegressionResult r = passing_result();
  r.planned = 3;
  r.cases.push_back(failing_case("bursts", 7));
  r.outcome = common::Outcome::Mismatch;
  r.link_packets[0] = 0;
  return r;
}

/// Proofs of the RTL of the regression. Two properties were refuted.
inline Proofs proofs() {
  Proofs p;
  p.proven = 184;
  p.refuted = 2;
  p.undecided = 1;
  p.report = "build/prove/proofs.html";
  p.link = "../prove/a b.html";
  return p;
}

inline CoverageSummary coverage() {
  return {{{"delivered", 8, 8, {}}, {"stalled", 7, 8, {"stalled.[0,0].x[0] -> [0,1].x[0]"}}}};
}

}  // namespace kernbench::sim::sample
