// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cli/bench_choice.hpp"
#include "cli/command.hpp"
#include "cli/console.hpp"
#include "cli/envelope.hpp"
#include "cli/options.hpp"
#include "cli/part_options.hpp"
#include "cli/paths.hpp"
#include "cli/run_end.hpp"
#include "cli/spread.hpp"
#include "common/atomic_file.hpp"
#include "common/band.hpp"
#include "common/report_envelope.hpp"
#include "model/bench/evaluation/collective_sweep.hpp"
#include "model/bench/grade.hpp"
#include "model/ccl/measure_costs.hpp"
#include "topology/spec/spec_reader.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::cli {
namespace {

using common::Outcome;
using model::bench::CollectivePoint;
using model::bench::outcome_of;

struct SweepOptions {
  std::string spec;
  std::vector<std::string> set{};
  bool quick = false;
  bool fail_fast = false;
  model::bench::SpreadChoice spread;
  std::string json;
  std::string plot;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  PartOptions parts;

  /// Returns the file beside which the files of a cluster are.
  [[nodiscard]] std::string job_output() const { return json.empty() ? "evaluate" : json; }
};

void print_points(const std::vector<CollectivePoint>& points) {
  print_heading(fmt::format("{:<18} {:<10} {:<5} {:>5} {:>10} {:>12} {:>12} {:>7}", "algorithm",
                            "sips by", "slots", "sips", "bytes", "us", "bound us", "bound"));
  for (const CollectivePoint& point : points) {
    print("{:<18} {:<10} {:<5} {:>5} {:>10} {:>12.3f} {:>12.3f} {:>6.1f}%{}\n",
          point.which.algorithm, point.which.sip_topology, point.which.slot_memory,
          point.which.sips, point.which.bytes, point.latency.ns() / 1000.0,
          point.bound.ns() / 1000.0, 100.0 * point.bound.ns() / point.latency.ns(),
          point.right() ? "" : "  " + red("WRONG"));
  }
}

/// Prints the time and the flit-hops of the centre root relative to the corner root for each size.
void print_roots(const std::vector<CollectivePoint>& points) {
  print("\n");
  for (const CollectivePoint& corner : points) {
    if (corner.which.algorithm != "intercube-corner") continue;
    model::bench::CollectiveCase same = corner.which;
    same.algorithm = "intercube-center";
    for (const CollectivePoint& center : points) {
      if (center.which != same) continue;
      print(
          "{} SIPs, {} bytes: the centre root takes {:.1f}% of the time and {:.1f}% of the "
          "flit-hops of the corner root{}\n",
          corner.which.sips, corner.which.bytes, 100.0 * center.latency.ns() / corner.latency.ns(),
          100.0 * static_cast<double>(center.flit_hops) / static_cast<double>(corner.flit_hops),
          corner.spread && center.spread
              ? fmt::format("; medians: {}",
                            difference_text(corner.spread->band(), center.spread->band()))
              : "");
    }
  }
}

void write_json(const char* kind, const SweepOptions& options, const Invocation& invocation,
                const std::vector<CollectivePoint>& points, std::size_t not_run,
                const common::Grade& grade, Outcome outcome) {
  common::ReportEnvelope report =
      topology_envelope(kind, outcome, options.spec, invocation, topology_settings(options.set));
  report.grade = grade;
  nlohmann::json rows = nlohmann::json::array();
  for (const CollectivePoint& point : points) {
    nlohmann::json row = {{"algorithm", point.which.algorithm},
                          {"sip_topology", point.which.sip_topology},
                          {"slot_memory", point.which.slot_memory},
                          {"sips", point.which.sips},
                          {"bytes", point.which.bytes},
                          {"latency_ps", point.latency.ps()},
                          {"bound_ps", point.bound.ps()},
                          {"flit_hops", point.flit_hops},
                          {"elements", point.elements},
                          {"wrong", point.wrong}};
    if (point.predicted.ps() != 0) {
      row["collective"] = point.which.collective;
      row["rank"] = point.which.rank;
      row["cubes"] = {{"w", point.which.cubes.w}, {"h", point.which.cubes.h}};
      row["ranks"] = point.which.ranks;
      row["ran"] = point.algorithm;
      row["ran_neighbors"] = point.neighbors;
      row["predicted_ps"] = point.predicted.ps();
    }
    if (point.spread) row["spread"] = common::json_of(*point.spread);
    rows.push_back(std::move(row));
  }
  report.data["points"] = std::move(rows);
  if (not_run != 0) report.data["not_run"] = not_run;
  common::write_report(options.json, report);
}

Outcome evaluate_all_reduce(const SweepOptions& options, const Invocation& invocation) {
  const topology::ResolvedTopology resolved = simulated_topology(options.spec, options.set);
  const common::Grade grade = model::bench::grade_of_system(resolved.graph.spec());
  const topology::SipSpec& sip = resolved.graph.spec().sip;
  const std::vector<model::bench::CollectiveCase> cases =
      model::bench::all_reduce_cases({sip.cube_mesh_w, sip.cube_mesh_h}, options.quick);
  const auto parts = parts_of(options.parts, invocation, options.job_output());
  const std::vector<CollectivePoint> points =
      sweep_collectives(resolved.graph.spec(), cases, "all-reduce", options.jobs, options.fail_fast,
                        parts.get(), options.spread);
  const std::size_t not_run = cases.size() - points.size();
  const bool right = std::all_of(points.begin(), points.end(),
                                 [](const CollectivePoint& point) { return point.right(); });
  const Outcome outcome = outcome_of(points, right);
  if (!options.json.empty())
    write_json("all-reduce-evaluation", options, invocation, points, not_run, grade, outcome);
  if (!options.plot.empty()) {
    common::write_file_atomically(options.plot, all_reduce_plot(points));
  }
  print("simulated times: {}\n", grade.text());
  print_points(points);
  print_roots(points);
  std::vector<Contender> contenders;
  for (const CollectivePoint& point : points) {
    if (!point.spread) continue;
    const model::bench::CollectiveCase& which = point.which;
    contenders.push_back(
        {fmt::format("{} SIPs, {} bytes", which.sips, which.bytes),
         fmt::format("{}, {}, {}", which.algorithm, which.sip_topology, which.slot_memory),
         &*point.spread});
  }
  print_fastest(contenders);
  print("\n{}  {} points: results compared, latencies checked against the lower bound{}\n",
        outcome == Outcome::Pass ? "PASS" : "FAIL", points.size(),
        not_run == 0 ? "" : fmt::format("; {} not run after the first failure", not_run));
  return outcome;
}

constexpr double kMostDeviation = 0.2;  ///< difference of a point from its formula
constexpr double kMostOverBest = 0.1;   ///< time of `auto` above that of the best algorithm

/// Returns the fault of a point; empty if there is none.
std::string fault_of(const CollectivePoint& point, const std::vector<CollectivePoint>& points) {
  if (point.which.rank != "sip") return point.wrong == 0 ? "" : "WRONG";
  if (!point.right()) return point.latency < point.bound ? "BEATS ITS BOUND" : "WRONG";
  if (std::abs(point.deviation()) > kMostDeviation) return "OFF ITS FORMULA";
  if (point.which.algorithm != "auto") return {};
  for (const CollectivePoint& other : points) {
    if (!other.which.compares_with(point.which)) continue;
    const bool slower = point.latency.ns() > (1.0 + kMostOverBest) * other.latency.ns();
    const bool differs =
        !point.spread || !other.spread || differ(other.spread->band(), point.spread->band());
    if (slower && differs) {
      return fmt::format("SLOWER THAN {}", other.which.algorithm);
    }
  }
  return {};
}

std::string group_text(const model::bench::CollectiveCase& which) {
  std::string text = fmt::format("{} of {}x{}", which.sips, which.cubes.w, which.cubes.h);
  if (!which.ranks.empty()) text += fmt::format(" [{}]", fmt::join(which.ranks, ","));
  return which.rank == "sip" ? text : text + " " + which.rank;
}

void print_collectives(const std::vector<CollectivePoint>& points,
                       const std::vector<std::string>& faults) {
  print_heading(fmt::format("{:<14} {:<21} {:<9} {:<14} {:<5} {:>8} {:>10} {:>10} {:>7} {:>10}",
                            "collective", "algorithm", "sips by", "group", "slots", "bytes", "us",
                            "formula us", "off", "bound us"));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const CollectivePoint& point = points[i];
    const bool chosen = point.which.algorithm == "auto";
    print("{:<14} {:<21} {:<9} {:<14} {:<5} {:>8} {:>10.3f} {:>10.3f} {:>+6.1f}% {:>10.3f}{}\n",
          point.which.collective, (chosen ? "*" : "") + point.algorithm, point.neighbors,
          group_text(point.which), point.which.slot_memory, point.which.bytes,
          point.latency.ns() / 1000.0, point.predicted.ns() / 1000.0, 100.0 * point.deviation(),
          point.bound.ns() / 1000.0, faults[i].empty() ? "" : "  " + red(faults[i]));
  }
}

/// Prints the largest deviations of each algorithm.
void print_deviations(const std::vector<CollectivePoint>& points) {
  print("\n");
  print_heading(fmt::format("{:<14} {:<21} {:>7} {:>9} {:>9}", "collective", "algorithm", "points",
                            "least", "most"));
  std::map<std::pair<std::string, std::string>, std::vector<double>> all;
  for (const CollectivePoint& point : points) {
    if (point.which.algorithm == "auto" || point.which.rank != "sip") continue;
    all[{point.which.collective, point.algorithm}].push_back(point.deviation());
  }
  for (const auto& [name, deviations] : all) {
    const auto [least, most] = std::minmax_element(deviations.begin(), deviations.end());
    print("{:<14} {:<21} {:>7} {:>+8.1f}% {:>+8.1f}%\n", name.first, name.second, deviations.size(),
          100.0 * *least, 100.0 * *most);
  }
}

/// Prints the parameters of the formulas for the system as it is, with the root in the middle.
void print_parameters(const topology::TopologySpec& spec) {
  const model::ccl::Grid cubes{spec.sip.cube_mesh_w, spec.sip.cube_mesh_h};
  const model::ccl::CostParameters& all =
      model::ccl::measured_costs(spec, model::ccl::center_of(cubes));
  print("\n");
  print_heading(fmt::format("{:<26} {:>10} {:>14}", "step", "alpha ns", "beta ns/KiB"));
  print("{:<26} {:>10.1f}\n", "launch", all.launch);
  for (std::size_t i = 0; i < model::ccl::kSteps; ++i) {
    if (all.steps[i].alpha == 0.0) continue;
    print("{:<26} {:>10.1f} {:>14.2f}\n", model::ccl::kStepNames[i], all.steps[i].alpha,
          1024.0 * all.steps[i].beta);
  }
}

Outcome evaluate_collectives(const SweepOptions& options, const Invocation& invocation) {
  const topology::ResolvedTopology resolved = simulated_topology(options.spec, options.set);
  const common::Grade grade = model::bench::grade_of_system(resolved.graph.spec());
  const std::vector<model::bench::CollectiveCase> cases =
      model::bench::collective_cases(options.quick);
  const auto parts = parts_of(options.parts, invocation, options.job_output());
  const std::vector<CollectivePoint> points =
      sweep_collectives(resolved.graph.spec(), cases, "collective", options.jobs, options.fail_fast,
                        parts.get(), options.spread);
  const std::size_t not_run = cases.size() - points.size();
  std::vector<std::string> faults;
  for (const CollectivePoint& point : points) faults.push_back(fault_of(point, points));
  const auto faulty = std::count_if(faults.begin(), faults.end(),
                                    [](const std::string& fault) { return !fault.empty(); });
  const Outcome outcome = outcome_of(points, faulty == 0);
  if (!options.json.empty()) {
    write_json("collectives-evaluation", options, invocation, points, not_run, grade, outcome);
  }
  if (!options.plot.empty()) {
    common::write_file_atomically(options.plot, collectives_plot(points));
  }
  print("simulated times: {}\n", grade.text());
  print_collectives(points, faults);
  print_deviations(points);
  std::vector<Contender> contenders;
  for (const CollectivePoint& point : points) {
    if (!point.spread || point.which.algorithm == "auto") continue;
    contenders.push_back(
        {fmt::format("{}, {}, slots in {}, {} bytes", point.which.collective,
                     group_text(point.which), point.which.slot_memory, point.which.bytes),
         fmt::format("{}, {}", point.algorithm, point.neighbors), &*point.spread});
  }
  print_fastest(contenders);
  print_parameters(resolved.graph.spec());
  print(
      "\n{}  {} points: contracts checked, latencies compared with formulas and bounds; {} "
      "wrong{}\n",
      outcome == Outcome::Pass ? "PASS" : "FAIL", points.size(), faulty,
      not_run == 0 ? "" : fmt::format("; {} not run after the first failure", not_run));
  return outcome;
}

/// Adds the options of both commands.
std::shared_ptr<SweepOptions> add_options(CLI::App& command, const Invocation& invocation) {
  auto options = std::make_shared<SweepOptions>();
  add_input_option(command, "--topology", options->spec, invocation, "configs/topology.yaml",
                   "Topology file (YAML); its number of SIPs is varied");
  add_topology_set_option(command, options->set);
  add_fabric_option(command, options->set);
  command.add_flag("--fail-fast", options->fail_fast,
                   "Start no point after the first that is wrong");
  command.add_option("--json", options->json, "Write the results to this file (JSON)")
      ->check(output_file());
  command.add_option("--plot", options->plot, "Write a plot of latency by size to this file (SVG)")
      ->check(output_file());
  command.add_option("--jobs", options->jobs, "Number of parallel runs")
      ->check(whole_number(1, 1024))
      ->default_str("all processors");
  add_evaluation_spread(command, options->spread);
  add_part_options(command, options->parts);
  command.get_option("--fail-fast")->excludes("--engine");
  return options;
}

}  // namespace

void add_evaluate_all_reduce(CLI::App& evaluate, const Invocation& invocation, Outcome& outcome) {
  CLI::App* command = evaluate.add_subcommand(
      "all-reduce", "Latency of all-reduce by size, slot memory, number and topology of SIPs");
  const std::shared_ptr<SweepOptions> options = add_options(*command, invocation);
  command->add_flag("--quick", options->quick, "Skip the largest size");
  command->footer(
      "Exit code 1 if a result is wrong or a point is faster than the alpha-beta bound.\n"
      "Example:\n  kernbench evaluate all-reduce --quick --plot all-reduce.svg");
  command->callback([options, &invocation, &outcome] {
    outcome = outcome_of_benches({}, [&] { return evaluate_all_reduce(*options, invocation); });
  });
}

void add_evaluate_collectives(CLI::App& evaluate, const Invocation& invocation, Outcome& outcome) {
  CLI::App* command = evaluate.add_subcommand(
      "collectives", "Latency of all collectives and algorithms, compared with their formulas");
  const std::shared_ptr<SweepOptions> options = add_options(*command, invocation);
  command->add_flag("--quick", options->quick, "Run only two small systems");
  command->footer(
      "The number of cubes of a SIP is varied too. Exit code 1 if a result is wrong, a point is\n"
      "more than 20 % off its formula or faster than its bound, or `algorithm: auto` takes more\n"
      "than 10 % longer than the best algorithm.\n"
      "Example:\n  kernbench evaluate collectives --quick --plot collectives.svg");
  command->callback([options, &invocation, &outcome] {
    outcome = outcome_of_benches({}, [&] { return evaluate_collectives(*options, invocation); });
  });
}

}  // namespace kernbench::cli
