// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "cli/bench_choice.hpp"
#include "cli/command.hpp"
#include "cli/console.hpp"
#include "cli/envelope.hpp"
#include "cli/options.hpp"
#include "cli/part_options.hpp"
#include "cli/report_files.hpp"
#include "cli/run_end.hpp"
#include "cli/spread.hpp"
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

struct SweepOptions {
  std::string spec;
  std::vector<std::string> set{};
  bool quick = false;
  bool fail_fast = false;
  model::bench::SpreadChoice spread;
  ReportFiles files;
  std::string plot;
  unsigned jobs = all_processors();
  PartOptions parts;

  /// Returns the file beside which the files of a cluster are.
  [[nodiscard]] std::string job_output() const {
    return files.json.empty() ? "evaluate" : files.json;
  }
};

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

/// A sweep of collectives: what differs between the two commands.
struct Sweep {
  const plot::ReportKind& kind;
  const char* bench;
  std::vector<model::bench::CollectiveCase> (*cases)(const topology::TopologySpec& spec,
                                                     bool quick);
  std::string (*plot)(const std::vector<CollectivePoint>& points);
  void (*print)(const CollectiveEvaluation& evaluation);
  bool has_formulas;
  const char* verdict;  ///< the checks, in words
};

const Sweep kAllReduce = {
    model::bench::kAllReduceReport,
    "all-reduce",
    [](const topology::TopologySpec& spec, bool quick) {
      return model::bench::all_reduce_cases({spec.sip.cube_mesh_w, spec.sip.cube_mesh_h}, quick);
    },
    model::bench::all_reduce_plot,
    print_all_reduce,
    false,
    "results compared, latencies checked against the lower bound"};
const Sweep kCollectives = {model::bench::kCollectivesReport,
                            "collective",
                            [](const topology::TopologySpec& /*spec*/, bool quick) {
                              return model::bench::collective_cases(quick);
                            },
                            model::bench::collectives_plot,
                            print_collectives,
                            true,
                            "contracts checked, latencies compared with formulas and bounds"};

Outcome run_sweep(const Sweep& sweep, const SweepOptions& options, const Invocation& invocation) {
  const topology::ResolvedTopology resolved = simulated_topology(options.spec, options.set);
  const topology::TopologySpec& spec = resolved.graph.spec();
  const common::Grade grade = model::bench::grade_of_system(spec);
  const std::vector<model::bench::CollectiveCase> cases = sweep.cases(spec, options.quick);
  const auto parts = parts_of(options.parts, invocation, options.job_output());
  CollectiveEvaluation evaluation =
      judged(sweep_collectives(spec, cases, sweep.bench, options.jobs, options.fail_fast,
                               parts.get(), options.spread),
             cases.size());
  if (sweep.has_formulas) evaluation.steps = model::bench::steps_of(spec);
  const Outcome outcome = evaluation.outcome();
  if (options.files.any()) {
    common::ReportEnvelope report = topology_envelope(sweep.kind.name, outcome, options.spec,
                                                      invocation, topology_settings(options.set));
    report.grade = grade;
    report.data = common::json_of(evaluation);
    options.files.write(sweep.kind, report);
  }
  if (!options.plot.empty()) {
    common::write_file_atomically(options.plot, sweep.plot(evaluation.all()));
  }
  print("simulated times: {}\n", grade.text());
  sweep.print(evaluation);
  print_fastest(evaluation.contenders());
  if (sweep.has_formulas) print_steps(evaluation.steps);
  print("\n{}  {} points: {}; {} wrong{}\n", outcome == Outcome::Pass ? "PASS" : "FAIL",
        evaluation.points.size(), sweep.verdict, evaluation.faults(),
        evaluation.not_run == 0
            ? ""
            : fmt::format("; {} not run after the first failure", evaluation.not_run));
  return outcome;
}

/// Adds the options of both commands.
std::shared_ptr<SweepOptions> add_options(Command& command, const Invocation& invocation) {
  auto options = std::make_shared<SweepOptions>();
  add_input_option(command, "--topology", options->spec, invocation, "configs/topology.yaml",
                   "Topology file (YAML); its number of SIPs is varied");
  add_topology_set_option(command, options->set);
  add_fabric_option(command, options->set);
  command.add_flag("--fail-fast", options->fail_fast,
                   "Start no point after the first that is wrong");
  add_report_files(command, options->files, "the results");
  command.add_option("--plot", options->plot, "Write a plot of latency by size to this file (SVG)")
      .check(output_file());
  add_jobs_option(command, options->jobs, "Number of parallel runs");
  add_evaluation_spread(command, options->spread);
  add_part_options(command, options->parts);
  command.exclude({"--fail-fast"}, {"--engine"});
  return options;
}

}  // namespace

void add_evaluate_all_reduce(Command& evaluate, const Invocation& invocation) {
  Command& command = evaluate.add_command(
      "all-reduce", "Latency of all-reduce by size, slot memory, number and topology of SIPs");
  const std::shared_ptr<SweepOptions> options = add_options(command, invocation);
  command.add_flag("--quick", options->quick, "Skip the largest size");
  command.footer =
      "Exit code 1 if a result is wrong or a point is faster than the alpha-beta bound.\n"
      "Example:\n  kernbench evaluate all-reduce --quick --plot all-reduce.svg";
  command.run = [options, &invocation] {
    return outcome_of_benches({}, [&] { return run_sweep(kAllReduce, *options, invocation); });
  };
}

void add_evaluate_collectives(Command& evaluate, const Invocation& invocation) {
  Command& command = evaluate.add_command(
      "collectives", "Latency of all collectives and algorithms, compared with their formulas");
  const std::shared_ptr<SweepOptions> options = add_options(command, invocation);
  command.add_flag("--quick", options->quick, "Run only two small systems");
  command.footer =
      "The number of cubes of a SIP is varied too. Exit code 1 if a result is wrong, a point is\n"
      "more than 20 % off its formula or faster than its bound, or `algorithm: auto` takes more\n"
      "than 10 % longer than the best algorithm.\n"
      "Example:\n  kernbench evaluate collectives --quick --plot collectives.svg";
  command.run = [options, &invocation] {
    return outcome_of_benches({}, [&] { return run_sweep(kCollectives, *options, invocation); });
  };
}

}  // namespace kernbench::cli
