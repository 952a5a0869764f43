// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>

#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/text_table.hpp"
#include "cli/model/bench_choice.hpp"
#include "cli/model/envelope.hpp"
#include "cli/model/evaluations.hpp"
#include "cli/model/run_end.hpp"
#include "common/description.hpp"
#include "common/report_envelope.hpp"
#include "model/bench/evaluation/topology_report.hpp"
#include "model/bench/evaluation/topology_sweep.hpp"
#include "sim/report/number_text.hpp"

namespace kernbench::cli {
namespace {

using common::Outcome;
using model::bench::EqualBudget;
using model::bench::TopologyEvaluation;
using model::bench::TopologyPoint;

void print_networks(const TopologyEvaluation& evaluation) {
  TextTable table({"network", "links", "bits", "bisection (bits)", "wire (bit m)", "buffers (kbit)",
                   "time (us)"});
  const TopologyPoint* before = nullptr;
  for (const TopologyPoint& point : evaluation.points) {
    if (before == nullptr || before->which.equal != point.which.equal ||
        before->which.workload != point.which.workload) {
      table.add_line(fmt::format(
          "equal {}: {}", common::name_of(model::bench::kEqualBudgetNames, point.which.equal),
          point.which.workload));
    }
    before = &point;
    table.add({"  " + point.which.network, sim::grouped(point.cost.links),
               sim::grouped(point.flit_bits), sim::grouped(point.bisection_bits()),
               fixed_text(point.wire_bit_mm() / 1000.0, 1),
               fixed_text(static_cast<double>(point.buffer_bits()) / 1000.0, 1),
               fixed_text(point.took.ns() / 1000.0, 3)});
    if (!point.limit.empty()) table.add_line("    " + point.limit);
    if (point.wrong != 0) {
      table.add_line("    " +
                     red(fmt::format("{} of {} numbers are wrong", point.wrong, point.elements)));
    }
  }
  print_table(table);
}

}  // namespace

Outcome evaluate_topologies(const EvaluateOptions& options, const Invocation& invocation) {
  return outcome_of_benches({}, [&] {
    const topology::ResolvedTopology resolved = simulated_topology(options.spec, options.set);
    const auto parts = parts_of(options.parts, invocation,
                                options.files.json.empty() ? "evaluate" : options.files.json);
    const TopologyEvaluation evaluation = model::bench::evaluate_networks(
        resolved.graph.spec(), invocation.root + "/configs/models/tiny.yaml", options.quick,
        options.jobs, parts.get());
    const Outcome outcome = evaluation.outcome();
    const plot::ReportKind& kind = model::bench::kTopologyReport;
    if (options.files.any()) {
      common::ReportEnvelope report = topology_envelope(kind.name, outcome, options.spec,
                                                        invocation, topology_settings(options.set));
      report.grade = common::Grade{};  // all networks are simulated
      report.data = common::to_json(evaluation);
      options.files.write(kind, report);
    }
    print(
        "networks of the cubes of one SIP, each as wide as a mesh with links of {} bits allows\n\n",
        evaluation.base_bits);
    print_networks(evaluation);
    std::uint64_t elements = 0;
    for (const TopologyPoint& point : evaluation.points) elements += point.elements;
    print("\n{}  {} points, {} numbers compared\n", outcome == Outcome::Pass ? "PASS" : "FAIL",
          evaluation.points.size(), sim::grouped(elements));
    return outcome;
  });
}

}  // namespace kernbench::cli
