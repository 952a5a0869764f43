// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/options.hpp"
#include "cli/base/picture_file.hpp"
#include "cli/base/report_files.hpp"
#include "cli/base/text_table.hpp"
#include "cli/model/bench_choice.hpp"
#include "cli/model/envelope.hpp"
#include "common/atomic_file.hpp"
#include "common/description.hpp"
#include "common/hash.hpp"
#include "common/report_envelope.hpp"
#include "model/bench/grade.hpp"
#include "model/probe/invariants.hpp"
#include "model/probe/probe.hpp"
#include "model/probe/probe_plot.hpp"
#include "model/probe/probe_report.hpp"
#include "model/trace/chrome_timeline.hpp"
#include "topology/spec/spec_reader.hpp"

namespace kernbench::cli {
namespace {

using common::Outcome;
using model::probe::Breakdown;
using model::probe::InvariantReport;
using model::probe::ProbeCase;
using model::probe::ProbeResult;
using model::probe::size_text;
using model::trace::HopTrace;
using Results = std::vector<std::vector<ProbeResult>>;

struct ProbeOptions {
  std::string spec;
  std::vector<std::string> set{};
  std::uint64_t bytes = 65536;
  ReportFiles files;
  std::string plot;
  std::string trace;
  unsigned jobs = all_processors();
};

/// Returns sizes from 256 bytes to 16 MiB in steps of a factor of 4.
std::vector<std::uint64_t> sweep_sizes() {
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t bytes = 256; bytes <= std::uint64_t{16} << 20U; bytes *= 4) {
    sizes.push_back(bytes);
  }
  return sizes;
}

std::string ns(common::SimTime time) {
  return fixed_text(time.ns(), 3);
}

/// Adds a line with the family of a case above the first case of each.
void add_family(TextTable& table, const std::vector<ProbeCase>& cases, std::size_t place) {
  const bool is_first = place == 0 || cases[place].family != cases[place - 1].family;
  if (is_first) table.add_line(std::string(model::probe::name(cases[place].family)));
}

void print_summary(const std::vector<ProbeCase>& cases, const Results& results,
                   std::uint64_t bytes) {
  print("Latency of {} in ns on an idle machine, and its parts\n\n", size_text(bytes));
  // The closed form has a column only where it differs.
  const bool differs = std::any_of(results.begin(), results.end(), [](const auto& sizes) {
    return sizes.front().actual != sizes.front().analytic.latency();
  });
  std::vector<std::string> headings = {"case", "hops", "latency (ns)"};
  if (differs) headings.emplace_back("closed form (ns)");
  for (const char* const part : {"over- head", "travel", "serial- ization", "memory", "pipeline"}) {
    headings.push_back(fmt::format("{} (ns)", part));
  }
  headings.insert(headings.end(), {"rate (GB/s)", "narrow- est (GB/s)", "use (%)"});
  TextTable table(std::move(headings));
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const ProbeResult& result = results[c].front();
    const Breakdown& terms = result.analytic;
    add_family(table, cases, c);
    std::vector<std::string> cells = {
        "  " + cases[c].label, std::to_string(cases[c].route.edges.size()), ns(result.actual)};
    if (differs) cells.push_back(ns(terms.latency()));
    for (const common::SimTime part :
         {terms.overhead, terms.travel, terms.serialization, terms.memory, terms.pipeline}) {
      cells.push_back(ns(part));
    }
    cells.insert(cells.end(), {fixed_text(result.effective_gbs(), 2),
                               fmt::format("{:.6g}", result.bottleneck_gbs),
                               fixed_text(100.0 * result.utilization(), 1)});
    table.add(std::move(cells));
  }
  print_table(table);
}

void print_sweep(const std::vector<ProbeCase>& cases, const Results& results) {
  print("\nUtilization of the narrowest wire or slice by size, in percent\n\n");
  std::vector<std::string> headings = {"case"};
  for (const ProbeResult& result : results.front()) headings.push_back(size_text(result.bytes));
  TextTable table(std::move(headings));
  for (std::size_t c = 0; c < cases.size(); ++c) {
    add_family(table, cases, c);
    std::vector<std::string> cells = {"  " + cases[c].label};
    for (const ProbeResult& result : results[c]) {
      cells.push_back(fixed_text(100.0 * result.utilization(), 1));
    }
    table.add(std::move(cells));
  }
  print_table(table);
}

/// Writes the hops of every case as a timeline and prints their hash.
void write_trace(const ProbeOptions& options, const topology::TopologyGraph& graph,
                 const std::vector<ProbeCase>& cases, const std::vector<HopTrace>& traces) {
  std::vector<model::trace::Timeline> timelines;
  common::RunHash hash;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    timelines.push_back({fmt::format("{} {}, {}", model::probe::name(cases[c].family),
                                     cases[c].label, size_text(options.bytes)),
                         &graph, &traces[c]});
    hash.add(traces[c].hash());
  }
  std::ostringstream text;
  model::trace::write_chrome_timelines(timelines, text);
  common::write_file_atomically(options.trace, text.str());
  print("wrote {} for Perfetto or chrome://tracing; hash of the trace: {}\n", options.trace,
        common::hex64(hash.value()));
}

Outcome run(const ProbeOptions& options, const Invocation& invocation) {
  const topology::ResolvedTopology resolved = simulated_topology(options.spec, options.set);
  const std::vector<ProbeCase> cases = model::probe::probe_cases(resolved.graph);
  const std::vector<std::uint64_t> sizes = sweep_sizes();
  std::vector<HopTrace> traces(options.trace.empty() ? 0 : cases.size());
  const Results summary = run_probes(resolved.graph, cases, {options.bytes}, options.jobs, traces);
  const Results sweep = run_probes(resolved.graph, cases, sizes, options.jobs);

  InvariantReport held = check_invariants(resolved.graph, cases, summary, 0);
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    held.add(check_invariants(resolved.graph, cases, sweep, s));
  }
  const Outcome outcome = held.outcome();
  if (options.files.any()) {
    const plot::ReportKind& kind = model::probe::kProbeReport;
    common::ReportEnvelope report = topology_envelope(kind.name, outcome, options.spec, invocation,
                                                      topology_settings(options.set));
    report.grade = model::bench::grade_of_system(resolved.graph.spec());
    report.data = common::to_json(report_of(resolved.graph, cases, summary, sweep, held));
    options.files.write(kind, report);
  }
  if (!options.plot.empty()) {
    write_picture(options.plot, model::probe::probe_plot(cases, sweep));
  }
  print_machine(resolved.graph.spec());
  print_summary(cases, summary, options.bytes);
  print_sweep(cases, sweep);
  print("\n");
  if (!options.trace.empty()) write_trace(options, resolved.graph, cases, traces);
  for (const std::string& text : held.broken) print("{}: {}\n", red("BROKEN"), text);
  print("{}\n",
        wrapped_from(outcome == Outcome::Pass ? "PASS  " : "FAIL  ",
                     fmt::format("{} cases at {} sizes, each simulated and compared with its "
                                 "closed form; {} pairs compared with each other",
                                 cases.size(), sizes.size() + 1, held.pairs)));
  return outcome;
}

}  // namespace

void add_probe_command(Command& program, const Invocation& invocation) {
  Command& command = program.add_command(
      "probe", "Measure the latencies of a topology and compare them with their closed form");
  const auto options = std::make_shared<ProbeOptions>();
  add_topology_option(command, options->spec, invocation);
  add_topology_set_option(command, options->set);
  add_fabric_option(command, options->set);
  command.add_option("--bytes", options->bytes, "Bytes per transfer in the summary")
      .check(whole_number(1, std::uint64_t{1} << 30U));
  add_report_files(command, options->files);
  command
      .add_option("--plot", options->plot,
                  "Write a plot of utilization by size to this file (.svg, .pdf or .png)")
      .check(output_picture());
  command
      .add_option("--trace", options->trace,
                  "Write a Perfetto timeline of the summary's transfers to this file")
      .check(output_file());
  add_jobs_option(command, options->jobs);
  command.footer =
      "Exit code 1 if a latency differs from its closed form or another invariant is broken.\n"
      "Example:\n  kernbench probe --topology configs/topology.yaml --json probe.json "
      "--plot probe.svg";
  command.run = [options, &invocation] { return run(*options, invocation); };
}

}  // namespace kernbench::cli
