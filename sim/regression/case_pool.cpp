// SPDX-License-Identifier: Apache-2.0
#include "sim/regression/case_pool.hpp"

#include <fmt/format.h>

#include <optional>

#include "common/diagnostics.hpp"

namespace kernbench::sim {

using common::Outcome;

namespace {

/// Failures that a case of missed bins keeps.
constexpr std::size_t kKeptBins = 20;

CaseResult coverage_case(const std::optional<CoverageGoal>& goal) {
  CaseResult result;
  result.suite = "coverage goals";
  result.pattern = kCoveragePattern;
  if (!goal || goal->bins == 0) {
    result.outcome = Outcome::Vacuous;
    result.reason = "full_coverage is required, but no case collected coverage";
    return result;
  }
  const std::vector<std::string>& missed = goal->missed;
  result.checkers.push_back({"coverage", goal->bins, missed.size()});
  for (std::size_t i = 0; i < std::min(missed.size(), kKeptBins); ++i) {
    result.failures.push_back({"coverage", "missed_bin", 0, std::nullopt, missed[i]});
  }
  if (!missed.empty()) {
    result.outcome = Outcome::Mismatch;
    result.reason = fmt::format("{} functional {} missed", missed.size(),
                                missed.size() == 1 ? "bin was" : "bins were");
  }
  return result;
}

}  // namespace

void add_counts(std::vector<std::uint64_t>& total, const std::vector<std::uint64_t>& part) {
  for (std::size_t i = 0; i < part.size(); ++i) total[i] += part[i];
}

void keep_largest(std::vector<std::uint64_t>& largest, const std::vector<std::uint64_t>& part) {
  for (std::size_t i = 0; i < part.size(); ++i) largest[i] = std::max(largest[i], part[i]);
}

void record_model(RegressionResult& result, const Model& model) {
  result.model_hash = model.model_info().build_hash;
  result.checkers = model.model_info().checkers;
  result.rtl_checks = model.rtl_checks();
}

void record_model(RegressionResult& result, const Dut& dut) {
  result.shape = dut.info().shape;
  record_model(result, static_cast<const Model&>(dut));
}

void require_same_outputs(const std::string& name, const CaseResult& first,
                          const CaseResult& again) {
  if (again.outcome == Outcome::Interrupted) throw common::BadInput("interrupted");
  if (again.output_hash == first.output_hash) return;
  throw common::BadInput(fmt::format(
      "{}: with the model of the waves, whose flops start with other bits, {}", name,
      again.outcome == Outcome::Pass ? "it passes" : "it fails otherwise: " + again.reason));
}

void conclude(RegressionResult& result, bool interrupted, const std::optional<CoverageGoal>& goal) {
  if (interrupted) {
    result.outcome = Outcome::Interrupted;
  } else if (result.full_coverage && result.not_run == 0) {
    result.cases.push_back(coverage_case(goal));
    result.outcome = common::worst(result.outcome, result.cases.back().outcome);
  } else if (result.cases.empty()) {
    result.outcome = Outcome::Vacuous;
  }
}

}  // namespace kernbench::sim
