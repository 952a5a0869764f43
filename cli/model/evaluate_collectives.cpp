// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/options.hpp"
#include "cli/base/picture_file.hpp"
#include "cli/base/text_table.hpp"
#include "cli/model/bench_choice.hpp"
#include "cli/model/envelope.hpp"
#include "cli/model/evaluations.hpp"
#include "cli/model/run_end.hpp"
#include "cli/model/spread.hpp"
#include "common/atomic_file.hpp"
#include "common/description.hpp"
#include "common/report_envelope.hpp"
#include "model/bench/evaluation/collective_report.hpp"
#include "model/bench/evaluation/collective_sweep.hpp"
#include "model/bench/grade.hpp"
#include "sim/report/number_text.hpp"
#include "topology/spec/spec_reader.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::cli {
namespace {

using common::Outcome;
using model::bench::CollectiveEvaluation;
using model::bench::CollectivePoint;

void print_all_reduce(const CollectiveEvaluation& evaluation) {
  TextTable table(
      {"algorithm", "SIPs as", "slots", "SIPs", "bytes", "time (us)", "bound (us)", "bound (%)"});
  for (const auto& [point, fault] : evaluation.points) {
    table.add({point.which.algorithm, point.which.sip_topology, point.which.slot_memory,
               std::to_string(point.which.sips), sim::grouped(point.which.bytes),
               fixed_text(point.latency.ns() / 1000.0, 3), fixed_text(point.bound.ns() / 1000.0, 3),
               fixed_text(100.0 * point.bound.ns() / point.latency.ns(), 1)});
    if (!fault.empty()) table.add_line("  " + red(fault));
  }
  print_table(table);
  print("\n");
  for (const model::bench::RootComparison& row : evaluation.roots()) {
    print(
        "{}\n",
        wrapped(fmt::format(
                    "{}, {} bytes: the centre root takes {:.1f} % of the time and {:.1f} % of "
                    "the flit-hops of the corner root{}",
                    sim::counted(row.sips, "SIP"), sim::grouped(row.bytes), row.time_percent,
                    row.flit_hops_percent, row.medians.empty() ? "" : "; medians: " + row.medians),
                2));
  }
}

void print_collectives(const CollectiveEvaluation& evaluation) {
  TextTable table({"collective", "algorithm", "SIPs as", "group", "slots", "bytes", "time (us)",
                   "formula (us)", "off (%)", "bound (us)"});
  for (const auto& [point, fault] : evaluation.points) {
    const bool chosen = point.which.algorithm == "auto";
    table.add({point.which.collective, (chosen ? "*" : "") + point.algorithm, point.neighbors,
               group_text(point.which), point.which.slot_memory, sim::grouped(point.which.bytes),
               fixed_text(point.latency.ns() / 1000.0, 3),
               point.has_formula() ? fixed_text(point.predicted.ns() / 1000.0, 3) : "",
               point.has_formula() ? fmt::format("{:+.1f}", 100.0 * point.deviation()) : "",
               fixed_text(point.bound.ns() / 1000.0, 3)});
    if (!fault.empty()) table.add_line("  " + red(fault));
  }
  print_table(table);
  print("\n");
  TextTable deviations({"collective", "algorithm", "points", "least off (%)", "most off (%)"});
  for (const model::bench::Deviation& row : evaluation.deviations()) {
    deviations.add({row.collective, row.algorithm, std::to_string(row.points),
                    fmt::format("{:+.1f}", row.least), fmt::format("{:+.1f}", row.most)});
  }
  print_table(deviations);
}

/// Prints the parameters of the formulas. A launch moves no bytes.
void print_steps(const std::vector<model::bench::StepRow>& steps) {
  print("\n");
  TextTable table({"step", "alpha (ns)", "beta (ns/KiB)"});
  for (const model::bench::StepRow& step : steps) {
    const bool moves = &step != &steps.front();
    table.add({step.name, fixed_text(step.alpha_ns, 1),
               moves ? fixed_text(step.beta_ns_per_kib, 2) : ""});
  }
  print_table(table);
}

/// Prints an evaluation.
struct Printed {
  const model::bench::CollectiveStudy& study;
  void (*print)(const CollectiveEvaluation& evaluation);
  const char* verdict;  ///< the checks, in words
};
const Printed kAllReduce = {model::bench::kAllReduceStudy, print_all_reduce,
                            "results compared, latencies checked against the lower bound"};
const Printed kCollectives = {model::bench::kCollectivesStudy, print_collectives,
                              "contracts checked, latencies compared with formulas and bounds"};

Outcome run_study(const Printed& printed, const EvaluateOptions& options,
                  const Invocation& invocation) {
  const model::bench::CollectiveStudy& study = printed.study;
  const topology::ResolvedTopology resolved = simulated_topology(options.spec, options.set);
  const topology::TopologySpec& spec = resolved.graph.spec();
  const common::Grade grade = model::bench::grade_of_system(spec);
  const auto parts = parts_of(options.parts, invocation,
                              options.files.json.empty() ? "evaluate" : options.files.json);
  const CollectiveEvaluation evaluation = evaluate(
      study, spec,
      {options.quick, options.jobs, options.ccl, options.fail_fast, parts.get(), options.spread});
  const Outcome outcome = evaluation.outcome();
  if (options.files.any()) {
    common::ReportEnvelope report = topology_envelope(study.kind.name, outcome, options.spec,
                                                      invocation, topology_settings(options.set));
    report.grade = grade;
    report.data = common::to_json(evaluation);
    options.files.write(study.kind, report);
  }
  if (!options.plot.empty()) {
    write_picture(options.plot, study.plot(evaluation.all()));
    print("wrote {}\n", options.plot);
  }
  print_machine(resolved.graph.spec());
  print("simulated times: {}\n", grade.text());
  printed.print(evaluation);
  print_fastest(evaluation.contenders());
  if (study.has_formulas) print_steps(evaluation.steps);
  print("\n{}  {} points: {}; {} wrong{}\n", outcome == Outcome::Pass ? "PASS" : "FAIL",
        evaluation.points.size(), printed.verdict, evaluation.faults(),
        evaluation.not_run == 0
            ? ""
            : fmt::format("; {} not run after the first failure", evaluation.not_run));
  return outcome;
}

}  // namespace

Outcome evaluate_all_reduce(const EvaluateOptions& options, const Invocation& invocation) {
  return outcome_of_benches({}, [&] { return run_study(kAllReduce, options, invocation); });
}

Outcome evaluate_collectives(const EvaluateOptions& options, const Invocation& invocation) {
  return outcome_of_benches({}, [&] { return run_study(kCollectives, options, invocation); });
}

}  // namespace kernbench::cli
