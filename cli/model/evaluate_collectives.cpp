// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/options.hpp"
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
#include "topology/spec/spec_reader.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::cli {
namespace {

using common::Outcome;
using model::bench::CollectiveEvaluation;
using model::bench::CollectivePoint;

void print_all_reduce(const CollectiveEvaluation& evaluation) {
  print_heading(fmt::format("{:<18} {:<10} {:<5} {:>5} {:>10} {:>12} {:>12} {:>7}", "algorithm",
                            "sips by", "slots", "sips", "bytes", "us", "bound us", "bound"));
  for (const auto& [point, fault] : evaluation.points) {
    print("{:<18} {:<10} {:<5} {:>5} {:>10} {:>12.3f} {:>12.3f} {:>6.1f}%{}\n",
          point.which.algorithm, point.which.sip_topology, point.which.slot_memory,
          point.which.sips, point.which.bytes, point.latency.ns() / 1000.0,
          point.bound.ns() / 1000.0, 100.0 * point.bound.ns() / point.latency.ns(),
          fault.empty() ? "" : "  " + red(fault));
  }
  print("\n");
  for (const model::bench::RootComparison& row : evaluation.roots()) {
    print(
        "{} SIPs, {} bytes: the centre root takes {:.1f}% of the time and {:.1f}% of the "
        "flit-hops of the corner root{}\n",
        row.sips, row.bytes, row.time_percent, row.flit_hops_percent,
        row.medians.empty() ? "" : "; medians: " + row.medians);
  }
}

void print_collectives(const CollectiveEvaluation& evaluation) {
  print_heading(fmt::format("{:<14} {:<21} {:<9} {:<14} {:<5} {:>8} {:>10} {:>10} {:>7} {:>10}",
                            "collective", "algorithm", "sips by", "group", "slots", "bytes", "us",
                            "formula us", "off", "bound us"));
  for (const auto& [point, fault] : evaluation.points) {
    const bool chosen = point.which.algorithm == "auto";
    print("{:<14} {:<21} {:<9} {:<14} {:<5} {:>8} {:>10.3f} {:>10.3f} {:>+6.1f}% {:>10.3f}{}\n",
          point.which.collective, (chosen ? "*" : "") + point.algorithm, point.neighbors,
          group_text(point.which), point.which.slot_memory, point.which.bytes,
          point.latency.ns() / 1000.0, point.predicted.ns() / 1000.0, 100.0 * point.deviation(),
          point.bound.ns() / 1000.0, fault.empty() ? "" : "  " + red(fault));
  }
  print("\n");
  print_heading(fmt::format("{:<14} {:<21} {:>7} {:>9} {:>9}", "collective", "algorithm", "points",
                            "least", "most"));
  for (const model::bench::Deviation& row : evaluation.deviations()) {
    print("{:<14} {:<21} {:>7} {:>+8.1f}% {:>+8.1f}%\n", row.collective, row.algorithm, row.points,
          row.least, row.most);
  }
}

/// Prints the parameters of the formulas. A launch moves no bytes.
void print_steps(const std::vector<model::bench::StepRow>& steps) {
  print("\n");
  print_heading(fmt::format("{:<26} {:>10} {:>14}", "step", "alpha ns", "beta ns/KiB"));
  for (const model::bench::StepRow& step : steps) {
    const bool moves = &step != &steps.front();
    print("{:<26} {:>10.1f}{}\n", step.name, step.alpha_ns,
          moves ? fmt::format(" {:>14.2f}", step.beta_ns_per_kib) : "");
  }
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
  const CollectiveEvaluation evaluation = evaluate(study, spec, options.quick, options.jobs,
                                                   options.fail_fast, parts.get(), options.spread);
  const Outcome outcome = evaluation.outcome();
  if (options.files.any()) {
    common::ReportEnvelope report = topology_envelope(study.kind.name, outcome, options.spec,
                                                      invocation, topology_settings(options.set));
    report.grade = grade;
    report.data = common::to_json(evaluation);
    options.files.write(study.kind, report);
  }
  if (!options.plot.empty()) {
    common::write_file_atomically(options.plot, study.plot(evaluation.all()));
    print("wrote {}\n", options.plot);
  }
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
