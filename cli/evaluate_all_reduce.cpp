// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "cli/command.hpp"
#include "cli/console.hpp"
#include "cli/envelope.hpp"
#include "cli/options.hpp"
#include "cli/paths.hpp"
#include "cli/run_end.hpp"
#include "common/atomic_file.hpp"
#include "common/report_envelope.hpp"
#include "model/bench/evaluation/all_reduce_sweep.hpp"
#include "topology/resolve/resolve_topology.hpp"
#include "topology/spec/spec_reader.hpp"

namespace kernbench::cli {
namespace {

using common::Outcome;
using model::bench::AllReducePoint;

struct AllReduceOptions {
  std::string spec;
  bool quick = false;
  bool fail_fast = false;
  std::string json;
  std::string plot;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
};

void print_points(const std::vector<AllReducePoint>& points) {
  print_heading(fmt::format("{:<18} {:<10} {:<5} {:>5} {:>10} {:>12} {:>12} {:>7}", "algorithm",
                            "sips by", "slots", "sips", "bytes", "us", "bound us", "bound"));
  for (const AllReducePoint& point : points) {
    print("{:<18} {:<10} {:<5} {:>5} {:>10} {:>12.3f} {:>12.3f} {:>6.1f}%{}\n",
          point.which.algorithm, point.which.sip_topology, point.which.slot_memory,
          point.which.sips, point.which.bytes, point.latency.ns() / 1000.0,
          point.bound.ns() / 1000.0, 100.0 * point.bound.ns() / point.latency.ns(),
          point.right() ? "" : "  " + red("WRONG"));
  }
}

/// Prints the time and the flit-hops of the centre root relative to the corner root for each size.
void print_roots(const std::vector<AllReducePoint>& points) {
  print("\n");
  for (const AllReducePoint& corner : points) {
    if (corner.which.algorithm != "intercube-corner") continue;
    model::bench::AllReduceCase same = corner.which;
    same.algorithm = "intercube-center";
    for (const AllReducePoint& center : points) {
      if (center.which != same) continue;
      print(
          "{} SIPs, {} bytes: the centre root takes {:.1f}% of the time and {:.1f}% of the "
          "flit-hops of the corner root\n",
          corner.which.sips, corner.which.bytes, 100.0 * center.latency.ns() / corner.latency.ns(),
          100.0 * static_cast<double>(center.flit_hops) / static_cast<double>(corner.flit_hops));
    }
  }
}

void write_json(const AllReduceOptions& options, const Invocation& invocation,
                const std::vector<AllReducePoint>& points, std::size_t not_run, Outcome outcome) {
  common::ReportEnvelope report =
      topology_envelope("all-reduce-evaluation", outcome, options.spec, invocation);
  nlohmann::json rows = nlohmann::json::array();
  for (const AllReducePoint& point : points) {
    rows.push_back({{"algorithm", point.which.algorithm},
                    {"sip_topology", point.which.sip_topology},
                    {"slot_memory", point.which.slot_memory},
                    {"sips", point.which.sips},
                    {"bytes", point.which.bytes},
                    {"latency_ps", point.latency.ps()},
                    {"bound_ps", point.bound.ps()},
                    {"flit_hops", point.flit_hops},
                    {"elements", point.elements},
                    {"wrong", point.wrong}});
  }
  report.data["points"] = std::move(rows);
  if (not_run != 0) report.data["not_run"] = not_run;
  common::write_report(options.json, report);
}

Outcome run(const AllReduceOptions& options, const Invocation& invocation) {
  const topology::ResolvedTopology resolved = topology::resolve_topology(options.spec);
  for (const std::string& warning : resolved.warnings) print_warning(warning);
  const std::vector<model::bench::AllReduceCase> cases =
      model::bench::all_reduce_cases(options.quick);
  const std::vector<AllReducePoint> points =
      sweep_all_reduce(resolved.graph.spec(), cases, options.jobs, options.fail_fast);
  const std::size_t not_run = cases.size() - points.size();
  const bool right = std::all_of(points.begin(), points.end(),
                                 [](const AllReducePoint& point) { return point.right(); });
  const Outcome outcome = right ? Outcome::Pass : Outcome::Mismatch;
  if (!options.json.empty()) write_json(options, invocation, points, not_run, outcome);
  if (!options.plot.empty()) {
    common::write_file_atomically(options.plot, all_reduce_plot(points));
  }
  print_points(points);
  print_roots(points);
  print("\n{}  {} points: results compared, latencies checked against the lower bound{}\n",
        right ? "PASS" : "FAIL", points.size(),
        not_run == 0 ? "" : fmt::format("; {} not run after the first failure", not_run));
  return outcome;
}

}  // namespace

void add_evaluate_all_reduce(CLI::App& evaluate, const Invocation& invocation, Outcome& outcome) {
  CLI::App* command = evaluate.add_subcommand(
      "all-reduce", "Latency of all-reduce by size, slot memory, number and topology of SIPs");
  const auto options = std::make_shared<AllReduceOptions>();
  add_input_option(*command, "--topology", options->spec, invocation, "configs/topology.yaml",
                   "Topology file (YAML); its number of SIPs is varied");
  command->add_flag("--quick", options->quick, "Skip the largest size");
  command->add_flag("--fail-fast", options->fail_fast,
                    "Start no point after the first that is wrong");
  command->add_option("--json", options->json, "Write the results to this file (JSON)")
      ->check(output_file());
  command->add_option("--plot", options->plot, "Write a plot of latency by size to this file (SVG)")
      ->check(output_file());
  command->add_option("--jobs", options->jobs, "Number of parallel runs")
      ->check(whole_number(1, 1024))
      ->default_str("all processors");
  command->footer(
      "Exit code 1 if a result is wrong or a point is faster than the alpha-beta bound.\n"
      "Example:\n  kernbench evaluate all-reduce --quick --plot all-reduce.svg");
  command->callback([options, &invocation, &outcome] {
    outcome = outcome_of_benches({}, [&] { return run(*options, invocation); });
  });
}

}  // namespace kernbench::cli
