// SPDX-License-Identifier: Apache-2.0
#include "model/bench/evaluation/collective_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "common/band.hpp"
#include "common/description.hpp"
#include "model/ccl/algorithm_file.hpp"
#include "model/ccl/ccl_config.hpp"
#include "model/ccl/measure_costs.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::common {

using model::bench::CollectiveCase;
using model::bench::CollectiveEvaluation;
using model::bench::CollectivePoint;
using model::bench::Deviation;
using model::bench::JudgedPoint;
using model::bench::RootComparison;
using model::bench::StepRow;

template <>
const Description<CollectiveCase>& description_of() {
  static const auto kAll =
      Description<CollectiveCase>()
          .add("collective", &CollectiveCase::collective)
          .add("algorithm", &CollectiveCase::algorithm, "as in ccl.yaml: a name, or auto")
          .add("sip_topology", &CollectiveCase::sip_topology,
               "as in ccl.yaml; empty if it does not say")
          .add("slot_memory", &CollectiveCase::slot_memory)
          .one_of({"tcm", "sram", "hbm"})
          .add("sips", &CollectiveCase::sips)
          .at_least(1)
          .add("cubes", &CollectiveCase::cubes, "of a SIP")
          .add("rank", &CollectiveCase::rank, "kind of the ranks")
          .one_of({"sip", "cube", "pe"})
          .add("ranks", &CollectiveCase::ranks, "of the group, in its order; empty for all")
          .add("bytes", &CollectiveCase::bytes, "of a block in each cube")
          .at_least(1);
  return kAll;
}

constexpr const char* kFormulas = "formulas were asked for";

template <>
const Description<CollectivePoint>& description_of() {
  static const auto kAll =
      Description<CollectivePoint>()
          .add_members(&CollectivePoint::which)
          .add("ran", &CollectivePoint::algorithm, "the algorithm that ran")
          .absent_unless(kFormulas)
          .add("ran_neighbors", &CollectivePoint::neighbors, "the neighbour kind that it used")
          .absent_unless(kFormulas)
          .add("latency_ps", &CollectivePoint::latency,
               "from the first start of a launch to the last end, after a barrier")
          .add("predicted_ps", &CollectivePoint::predicted,
               "by the formula of the algorithm that ran")
          .absent_unless(kFormulas)
          .add("bound_ps", &CollectivePoint::bound, "the least time of the bytes of a SIP")
          .add("flit_hops", &CollectivePoint::flit_hops)
          .add("elements", &CollectivePoint::elements, "numbers computed and compared")
          .add("wrong", &CollectivePoint::wrong, "numbers that differ")
          .add("spread", &CollectivePoint::spread)
          .absent_unless("--spread was given");
  return kAll;
}

template <>
const Description<JudgedPoint>& description_of() {
  static const auto kAll = Description<JudgedPoint>()
                               .add_members(&JudgedPoint::point)
                               .add("fault", &JudgedPoint::fault, "what is wrong")
                               .absent_unless("something is wrong");
  return kAll;
}

template <>
const Description<Deviation>& description_of() {
  static const auto kAll = Description<Deviation>()
                               .add("collective", &Deviation::collective)
                               .add("algorithm", &Deviation::algorithm)
                               .add("points", &Deviation::points)
                               .at_least(1)
                               .add("least_percent", &Deviation::least)
                               .add("most_percent", &Deviation::most);
  return kAll;
}

template <>
const Description<RootComparison>& description_of() {
  static const auto kAll =
      Description<RootComparison>()
          .add("sips", &RootComparison::sips)
          .at_least(1)
          .add("bytes", &RootComparison::bytes)
          .at_least(1)
          .add("time_percent", &RootComparison::time_percent, "of that of the corner root")
          .add("flit_hops_percent", &RootComparison::flit_hops_percent,
               "of those of the corner root")
          .add("medians", &RootComparison::medians, "their difference")
          .absent_unless("--spread was given");
  return kAll;
}

template <>
const Description<StepRow>& description_of() {
  static const auto kAll = Description<StepRow>()
                               .add("name", &StepRow::name)
                               .not_empty()
                               .add("alpha_ns", &StepRow::alpha_ns)
                               .add("beta_ns_per_kib", &StepRow::beta_ns_per_kib);
  return kAll;
}

template <>
const Description<CollectiveEvaluation>& description_of() {
  static const auto kAll =
      Description<CollectiveEvaluation>()
          .add("points", &CollectiveEvaluation::points)
          .add("not_run", &CollectiveEvaluation::not_run, "points left out after a fault")
          .at_least(1)
          .absent_unless("--fail-fast left some out")
          .add("roots", &CollectiveEvaluation::roots,
               "the centre root compared with the corner root")
          .absent_unless("both were measured")
          .computed()
          .add("deviations", &CollectiveEvaluation::deviations,
               "from the formulas, by algorithm, between SIPs")
          .absent_unless(kFormulas)
          .computed()
          .add("fastest", &CollectiveEvaluation::fastest,
               "the algorithm that takes least for each size and group")
          .absent_unless("--spread was given")
          .computed()
          .add("steps", &CollectiveEvaluation::steps,
               "times of the steps in the formulas: alpha + beta b for b bytes")
          .absent_unless(kFormulas);
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::model::bench {

namespace {

constexpr std::size_t kMostPoints = 1000;  ///< points in the table of a page
constexpr double kMostDeviation = 0.2;     ///< difference of a point from its formula
constexpr double kMostOverBest = 0.1;      ///< time of `auto` above that of the best algorithm

/// Returns the fault of a point; empty if there is none.
std::string fault_of(const CollectivePoint& point, const std::vector<CollectivePoint>& points) {
  if (point.which.rank != "sip") return point.wrong == 0 ? "" : "WRONG";
  if (!point.right()) return point.latency < point.bound ? "BEATS ITS BOUND" : "WRONG";
  if (!point.has_formula()) return {};
  if (std::abs(point.deviation()) > kMostDeviation) return "OFF ITS FORMULA";
  if (point.which.algorithm != "auto") return {};
  for (const CollectivePoint& other : points) {
    if (!other.which.compares_with(point.which)) continue;
    const bool slower = point.latency.ns() > (1.0 + kMostOverBest) * other.latency.ns();
    const bool differs =
        !point.spread || !other.spread || differ(other.spread->band(), point.spread->band());
    if (slower && differs) return fmt::format("SLOWER THAN {}", other.which.algorithm);
  }
  return {};
}

std::vector<plot::ReportSection> all_reduce_charts(const nlohmann::json& data) {
  const auto evaluation = common::value_of<CollectiveEvaluation>(data, "the report");
  if (evaluation.points.empty()) return {};
  return {{"Latency by size", all_reduce_plot(evaluation.all())}};
}

/// Returns charts of a few collectives each, which are legible side by side.
std::vector<plot::ReportSection> collective_charts(const nlohmann::json& data) {
  constexpr std::size_t kSideBySide = 3;
  std::map<std::string, std::vector<CollectivePoint>> by_name;
  for (const auto& [point, fault] :
       common::value_of<CollectiveEvaluation>(data, "the report").points) {
    if (point.which.collective != "barrier") by_name[point.which.collective].push_back(point);
  }
  std::vector<std::vector<CollectivePoint>> charts;
  std::size_t number = 0;
  for (const auto& [name, points] : by_name) {
    if (number++ % kSideBySide == 0) charts.emplace_back();
    charts.back().insert(charts.back().end(), points.begin(), points.end());
  }
  std::string all;
  for (const std::vector<CollectivePoint>& points : charts) all += collectives_plot(points);
  return {{"Latency by size", all}};
}

}  // namespace

const plot::ReportKind kAllReduceReport = {
    .name = "all-reduce-evaluation",
    .command = "evaluate all-reduce",
    .about = "Latency of all-reduce by size, slot memory, number and topology of SIPs",
    .form = common::form_of<CollectiveEvaluation>,
    .parts = all_reduce_charts,
    .rows = kMostPoints};
const plot::ReportKind kCollectivesReport = {
    .name = "collectives-evaluation",
    .command = "evaluate collectives",
    .about = "Latency of each collective and algorithm, compared with its formula",
    .form = common::form_of<CollectiveEvaluation>,
    .parts = collective_charts,
    .rows = kMostPoints};

common::Outcome CollectiveEvaluation::outcome() const {
  if (faults() != 0) return common::Outcome::Mismatch;
  return points.empty() ? common::Outcome::Vacuous : common::Outcome::Pass;
}

std::size_t CollectiveEvaluation::faults() const {
  return static_cast<std::size_t>(std::count_if(
      points.begin(), points.end(), [](const JudgedPoint& point) { return !point.fault.empty(); }));
}

std::vector<CollectivePoint> CollectiveEvaluation::all() const {
  std::vector<CollectivePoint> plain;
  plain.reserve(points.size());
  for (const JudgedPoint& one : points) plain.push_back(one.point);
  return plain;
}

std::vector<Deviation> CollectiveEvaluation::deviations() const {
  std::map<std::pair<std::string, std::string>, Deviation> rows;
  for (const auto& [point, fault] : points) {
    if (point.which.algorithm == "auto" || point.which.rank != "sip" || !point.has_formula()) {
      continue;
    }
    const double percent = 100.0 * point.deviation();
    const auto [row, is_new] =
        rows.try_emplace({point.which.collective, point.algorithm},
                         Deviation{point.which.collective, point.algorithm, 0, percent, percent});
    Deviation& all = row->second;
    ++all.points;
    all.least = std::min(all.least, percent);
    all.most = std::max(all.most, percent);
  }
  std::vector<Deviation> all;
  all.reserve(rows.size());
  for (auto& [name, row] : rows) all.push_back(std::move(row));
  return all;
}

std::vector<RootComparison> CollectiveEvaluation::roots() const {
  std::vector<RootComparison> rows;
  for (const auto& [corner, corner_fault] : points) {
    if (corner.which.algorithm != "intercube-corner" || corner.has_formula()) continue;
    CollectiveCase same = corner.which;
    same.algorithm = "intercube-center";
    for (const auto& [center, center_fault] : points) {
      if (center.which != same) continue;
      rows.push_back(
          {corner.which.sips, corner.which.bytes, 100.0 * center.latency.ns() / corner.latency.ns(),
           100.0 * static_cast<double>(center.flit_hops) / static_cast<double>(corner.flit_hops),
           corner.spread && center.spread
               ? difference_text(corner.spread->band(), center.spread->band())
               : ""});
    }
  }
  return rows;
}

std::vector<Contender> CollectiveEvaluation::contenders() const {
  std::vector<Contender> all;
  for (const auto& [point, fault] : points) {
    if (!point.spread || point.which.algorithm == "auto") continue;
    const CollectiveCase& which = point.which;
    if (point.has_formula()) {
      all.push_back({fmt::format("{}, {}, slots in {}, {} bytes", which.collective,
                                 group_text(which), which.slot_memory, which.bytes),
                     fmt::format("{}, {}", point.algorithm, point.neighbors), &*point.spread});
    } else {
      all.push_back(
          {fmt::format("{} SIPs, {} bytes", which.sips, which.bytes),
           fmt::format("{}, {}, {}", which.algorithm, which.sip_topology, which.slot_memory),
           &*point.spread});
    }
  }
  return all;
}

CollectiveEvaluation judged(const std::vector<CollectivePoint>& points, std::size_t cases) {
  CollectiveEvaluation evaluation;
  evaluation.not_run = cases - points.size();
  for (const CollectivePoint& point : points) {
    evaluation.points.push_back({point, fault_of(point, points)});
  }
  return evaluation;
}

std::vector<StepRow> steps_of(const topology::TopologySpec& spec) {
  const ccl::Grid cubes{spec.sip.cube_mesh_w, spec.sip.cube_mesh_h};
  const ccl::CostParameters& costs = ccl::measured_costs(spec, ccl::center_of(cubes));
  std::vector<StepRow> rows = {{"launch", costs.launch, 0.0}};
  for (std::size_t i = 0; i < ccl::kSteps; ++i) {
    const ccl::StepCost& step = costs.steps[i];
    if (step.alpha != 0.0) rows.push_back({ccl::kStepNames[i], step.alpha, 1024.0 * step.beta});
  }
  return rows;
}

const CollectiveStudy kAllReduceStudy = {
    "all-reduce",
    kAllReduceReport,
    "all-reduce",
    [](const topology::TopologySpec& spec, bool quick, const auto& /*of_files*/) {
      return all_reduce_cases({spec.sip.cube_mesh_w, spec.sip.cube_mesh_h}, quick);
    },
    all_reduce_plot,
    false};
const CollectiveStudy kCollectivesStudy = {
    "collectives",
    kCollectivesReport,
    "collective",
    [](const topology::TopologySpec& /*spec*/, bool quick, const auto& of_files) {
      return collective_cases(quick, of_files);
    },
    collectives_plot,
    true};

CollectiveEvaluation evaluate(const CollectiveStudy& study, const topology::TopologySpec& spec,
                              const StudyOptions& options) {
  std::vector<const ccl::Algorithm*> of_files;
  if (!options.ccl.empty()) {
    for (const auto& [collective, algorithm] : ccl::read_ccl_config(options.ccl, spec).algorithms) {
      if (algorithm != nullptr && ccl::is_algorithm_file(algorithm->name)) {
        of_files.push_back(algorithm);
      }
    }
  }
  const std::vector<CollectiveCase> cases = study.cases(spec, options.quick, of_files);
  CollectiveEvaluation evaluation = judged(
      sweep_collectives(spec, cases, study.bench, options.jobs, options.fail_fast, options.parts,
                        options.spread, std::filesystem::path(options.ccl).parent_path()),
      cases.size());
  if (study.has_formulas) evaluation.steps = steps_of(spec);
  return evaluation;
}

std::string group_text(const CollectiveCase& which) {
  std::string text = fmt::format("{} of {}x{}", which.sips, which.cubes.nx, which.cubes.ny);
  if (!which.ranks.empty()) text += fmt::format(" [{}]", fmt::join(which.ranks, ","));
  return which.rank == "sip" ? text : text + " " + which.rank;
}

}  // namespace kernbench::model::bench
