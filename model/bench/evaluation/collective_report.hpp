// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/archive.hpp"
#include "common/described.hpp"
#include "common/outcome.hpp"
#include "model/bench/evaluation/collective_sweep.hpp"
#include "model/bench/fastest.hpp"
#include "plot/report_kind.hpp"

namespace kernbench::model::bench {

/// A point with what is wrong with it.
struct JudgedPoint {
  CollectivePoint point;
  std::string fault{};  ///< "WRONG", ...; empty if nothing is wrong
};

/// The deviations of the points of an algorithm from its formula, in percent.
struct Deviation {
  std::string collective;
  std::string algorithm;
  std::uint64_t points = 0;
  double least = 0.0;
  double most = 0.0;
};

/// The centre root compared with the corner root.
struct RootComparison {
  std::uint32_t sips = 0;
  std::uint64_t bytes = 0;
  double time_percent = 0.0;
  double flit_hops_percent = 0.0;
  std::string medians{};  ///< difference_text() of both spreads, if they were measured
};

/// The cost of a step in the formulas: alpha + beta b for b bytes.
struct StepRow {
  std::string name;
  double alpha_ns = 0.0;
  double beta_ns_per_kib = 0.0;
};

/// The results of a sweep of collectives.
struct CollectiveEvaluation {
  std::vector<JudgedPoint> points{};
  std::size_t not_run = 0;       ///< cases left out after a fault
  std::vector<StepRow> steps{};  ///< times of the system; empty unless formulas were asked for

  /// Returns Mismatch for points with a fault, Vacuous without points, else Pass.
  [[nodiscard]] common::Outcome outcome() const;
  [[nodiscard]] std::size_t faults() const;
  [[nodiscard]] std::vector<CollectivePoint> all() const;
  /// Returns a row for each collective and algorithm with a formula.
  [[nodiscard]] std::vector<Deviation> deviations() const;
  /// Returns a row for each number of SIPs and size with both roots, of points without formulas.
  [[nodiscard]] std::vector<RootComparison> roots() const;
  /// Returns the points with a spread.
  [[nodiscard]] std::vector<Contender> contenders() const;
  [[nodiscard]] std::vector<Fastest> fastest() const { return fastest_of(contenders()); }
};

/// Judges the points of a sweep. A point between SIPs has a fault if numbers are wrong, if it is
/// faster than its bound, if it is off its formula by more than 20 %, and, chosen as `auto`, if it
/// is slower than the best algorithm by more than 10 % and by more than the band.
[[nodiscard]] CollectiveEvaluation judged(const std::vector<CollectivePoint>& points,
                                          std::size_t cases);

/// An evaluation of collectives.
struct CollectiveStudy {
  std::string_view name;  ///< as `kernbench evaluate` takes it
  const plot::ReportKind& kind;
  const char* bench;
  std::vector<CollectiveCase> (*cases)(const topology::TopologySpec& spec, bool quick,
                                       const std::vector<const ccl::Algorithm*>& of_files);
  std::string (*plot)(const std::vector<CollectivePoint>& points);
  bool has_formulas;  ///< latencies are compared with formulas, not with bounds alone
};
extern const CollectiveStudy kAllReduceStudy;
extern const CollectiveStudy kCollectivesStudy;

/// How a study runs.
struct StudyOptions {
  bool quick = false;  ///< some cases, else all
  unsigned jobs = 1;
  std::string ccl{};  ///< a ccl.yaml, whose algorithms that are files run too; "" for none
  bool fail_fast = false;
  common::Parts* parts = nullptr;
  SpreadChoice spread{};
};
/// Runs the cases of a study, as sweep_collectives() does, and judges them. Throws common::BadInput
/// for the file of `ccl`.
[[nodiscard]] CollectiveEvaluation evaluate(const CollectiveStudy& study,
                                            const topology::TopologySpec& spec,
                                            const StudyOptions& options);

/// Returns the steps in the formulas of a system, with the root in the middle.
[[nodiscard]] std::vector<StepRow> steps_of(const topology::TopologySpec& spec);

/// Returns "4 of 2x2", with the ranks of a group.
[[nodiscard]] std::string group_text(const CollectiveCase& which);

/// The reports of `evaluate all-reduce` and `evaluate collectives`.
extern const plot::ReportKind kAllReduceReport;
extern const plot::ReportKind kCollectivesReport;

}  // namespace kernbench::model::bench

template <>
const kernbench::common::Description<kernbench::model::bench::CollectivePoint>&
kernbench::common::description_of();
template <>
const kernbench::common::Description<kernbench::model::bench::CollectiveEvaluation>&
kernbench::common::description_of();
template <>
inline constexpr bool
    kernbench::common::kArchivedByDescription<kernbench::model::bench::CollectivePoint> = true;
