// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/options.hpp"
#include "cli/base/report_files.hpp"
#include "cli/base/text_table.hpp"
#include "cli/model/bench_choice.hpp"
#include "cli/model/envelope.hpp"
#include "cli/model/run_end.hpp"
#include "cli/model/run_explain.hpp"
#include "cli/model/run_table.hpp"
#include "cli/model/run_text.hpp"
#include "cli/model/spread.hpp"
#include "cli/model/tornado_text.hpp"
#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/grade.hpp"
#include "common/outcome.hpp"
#include "common/report_envelope.hpp"
#include "model/bench/grade.hpp"
#include "model/bench/launch_figures.hpp"
#include "model/bench/mapping_search.hpp"
#include "model/bench/run_timeline.hpp"
#include "model/bench/runner.hpp"
#include "model/bench/what_if.hpp"
#include "model/ccl/ccl_config.hpp"
#include "model/chakra/export.hpp"
#include "model/data/op_log_json.hpp"
#include "model/report/run_page.hpp"
#include "model/report/run_report.hpp"
#include "model/trace/chrome_timeline.hpp"
#include "sim/report/number_text.hpp"
#include "topology/resolve/resolve_topology.hpp"
#include "topology/spec/spec_change.hpp"
#include "topology/spec/spec_reader.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::cli {
namespace {

using common::Outcome;
using model::bench::Bench;
using model::bench::RunResult;
using model::report::RunReport;

struct RunCommandOptions {
  std::string spec;
  std::string bench;
  std::uint32_t device = 0;
  std::vector<std::string> set;
  std::string ccl;
  bool ccl_given = false;
  bool verify = false;
  std::string data = "after";
  bool upload = false;
  std::string addresses = "virtual";
  bool races = false;
  bool explain = false;
  std::vector<std::string> what_if;
  bool tornado = false;
  std::string trace;
  std::string trace_detail = "operations";
  ReportFiles files;
  std::string oplog;
  bool reuse = false;
  std::string fidelity = "flit";
  std::uint64_t seed = 1;    ///< draws the delays of --spread, and works to simulate in full
  std::uint64_t spread = 0;  ///< runs; 0: none
  std::string export_chakra;
  double time_limit_us = 1e6;  ///< limit of simulated time
  double timeout_s = 3600.0;   ///< limit of host time
};

void print_result(const RunReport& run, const common::Grade& grade) {
  print_what_runs(run.bench, own_parameters(run.bench, run.parameters), run.graph.spec());
  print("\n");
  print_run_table(run);
  print("\n{} us in all ({}), {} operations, {} tile stages, {} flit-hops\n",
        fixed_text(run.result.end.ns() / 1000.0, 3), grade.name(),
        sim::grouped(run.result.operations),
        sim::grouped(run.result.recorder->log().stages().size()),
        sim::grouped(run.result.flit_hops));
  print_reasons(grade);
  print_reuse(run.result.repeats);
  for (const std::string& sentence : model::bench::uneven_kernels(run.result.launches)) {
    print("{}\n", sentence);
  }
  for (const model::runtime::Figure& figure : run.result.figures) {
    print("{}: {:.3f} {}\n", figure.name, figure.value, figure.unit);
  }
  print_checks(run);
  print_choices(run.result);
  if (run.mapping) print_mapping(*run.mapping);
}

void warn_of_uneven_kernels(const RunResult& result, const topology::TopologySpec& spec) {
  const bool modulo = spec.cube.memory_map.hbm_interleave == topology::HbmInterleave::Modulo;
  for (const std::string& sentence : model::bench::uneven_kernels(result.launches)) {
    print_warning(fmt::format(
        "{}; {}", sentence,
        modulo ? "'hbm_interleave: hash' in cube.memory_map loads them evenly at any row stride"
               : "larger tiles, or fewer channels of the same bandwidth together, load them more "
                 "evenly"));
  }
}

/// Says which of the requested checks had nothing to check.
void report_vacuous(const RunReport& run) {
  if (run.verified && run.compared_numbers() == 0) {
    print_error(fmt::format(
        "bench '{}': --verify compared no numbers: {}", run.bench.name,
        run.result.checks.empty()
            ? "the bench expects no results; kb.expect() tells it what to compare"
            : fmt::format("the expected tensors have no elements with {}",
                          model::runtime::text_of(own_parameters(run.bench, run.parameters)))));
  }
  if (run.finds_races && run.result.races.accesses == 0) {
    print_error(
        fmt::format("bench '{}': --races compared no accesses: the kernels access no HBM "
                    "or SRAM",
                    run.bench.name));
  }
}

void write_op_log(const RunCommandOptions& options, const Invocation& invocation,
                  const topology::TopologyGraph& graph, const RunResult& result, Outcome outcome) {
  common::AtomicFile file(options.oplog);
  model::data::write_op_log(
      result.recorder->log(), graph,
      topology_envelope(std::string(model::data::kOpLogReport.name), outcome, options.spec,
                        invocation, topology_settings(options.set)),
      file.stream());
  file.commit();
}

void write_trace(const RunCommandOptions& options, const Bench& bench,
                 const topology::TopologyGraph& graph, const RunResult& result,
                 const model::trace::HopTrace& hops) {
  std::ostringstream text;
  if (options.trace_detail == "hops") {
    const model::trace::Timeline timeline{bench.name, &graph, &hops,
                                          model::bench::region_spans(result)};
    model::trace::write_chrome_timelines({&timeline, 1}, text);
  } else {
    const std::string left_out = write_run_timeline(result, graph, hops, text);
    if (!left_out.empty()) print("timeline: {}--trace-detail hops has all hops\n", left_out);
  }
  common::write_file_atomically(options.trace, text.str());
}

/// Prints what is wrong with changes of --what-if. Returns whether nothing is.
bool are_possible(const std::vector<std::string>& changes, const topology::TopologySpec& spec) {
  bool all = true;
  for (const std::string& change : changes) {
    try {
      (void)changed_spec(spec, topology::parse_spec_changes(change));
    } catch (const std::invalid_argument& error) {
      all = false;
      std::istringstream lines(error.what());
      for (std::string line; std::getline(lines, line);) print_error("--what-if: " + line);
    }
  }
  return all;
}

/// Adds and prints the changes of --what-if and --tornado.
void add_changes(RunReport& report, const RunCommandOptions& options,
                 const model::bench::RunOptions& run_options,
                 const model::bench::SpreadChoice& spread, unsigned jobs) {
  if (options.what_if.empty() && !options.tornado) return;
  const model::bench::WhatIf what_if(report.bench, report.graph, run_options, *report.spread,
                                     spread);
  for (const std::string& changes : options.what_if) {
    report.what_if.push_back(what_if.simulate(changes, jobs));
    for (const std::string& more : model::bench::with_equals_in_series(report.graph, changes)) {
      report.what_if.push_back(what_if.simulate(more, jobs));
    }
  }
  print_what_if(report, options.what_if);
  if (!options.tornado) return;
  report.tornado = run_tornado(what_if, report.graph, jobs);
  print_tornado(report.tornado);
}

Outcome run(const RunCommandOptions& options, const Invocation& invocation) {
  std::optional<BenchChoice> choice =
      choose_bench(options.bench, options.set, options.spec, invocation);
  if (!choice) return Outcome::BadInput;
  const Bench* const bench = choice->bench;
  const topology::ResolvedTopology& resolved = choice->resolved;
  model::bench::RunOptions& run_options = choice->options;
  run_options.device = options.device;
  run_options.verify = options.verify;
  run_options.live = options.data == "live";
  run_options.upload = options.upload;
  for (const auto& [name, addresses] : model::runtime::kAddressModelNames) {
    if (name == options.addresses) run_options.addresses = addresses;
  }
  run_options.races = options.races;
  run_options.explain = options.explain || !options.files.html.empty();
  run_options.reuse = options.reuse;
  run_options.whole_messages = options.fidelity == "message";
  run_options.sample_seed = options.seed;
  if (run_options.whole_messages && (run_options.explain || !options.trace.empty())) {
    print_error(
        "--fidelity message moves messages without the flits that --explain, --html and --trace "
        "follow");
    return Outcome::BadInput;
  }
  run_options.show_progress = true;
  run_options.op_log = !options.oplog.empty();
  run_options.requests = !options.export_chakra.empty();
  run_options.time_limit = common::SimTime::from_ns(options.time_limit_us * 1000.0);
  run_options.host_time_limit = host_time_limit(options.timeout_s);
  if (!are_possible(options.what_if, resolved.graph.spec())) return Outcome::BadInput;
  model::bench::SpreadChoice spread{options.spread, options.seed};
  const bool is_compared = !options.what_if.empty() || options.tornado;
  if (is_compared && spread.runs == 0) spread.runs = model::bench::SpreadChoice::kUsual;
  const std::string prefix = fmt::format("bench '{}': ", bench->name);
  run_options.on_host_timeout = [&prefix](const std::string& what) {
    end_by_host_timeout(prefix + what);
  };
  run_options.ccl.name = options.ccl;
  // A bench without collectives does not read the file, but a wrong path is a mistake anyway.
  if (options.ccl_given) (void)model::ccl::read_ccl_config(options.ccl, resolved.graph.spec());
  model::trace::HopTrace trace;
  if (!options.trace.empty()) {
    run_options.trace = &trace;
    run_options.op_log |= options.trace_detail == "operations";
  }
  return outcome_of_benches(prefix, [&] {
    const unsigned jobs = std::thread::hardware_concurrency();
    const model::bench::MappedRun mapped = run_mapped(*bench, resolved.graph, run_options, jobs);
    const RunResult& result = mapped.result;
    RunReport report = model::report::report_of(*bench, resolved.graph, mapped.options, result);
    report.mapping = mapped.mapping;
    const common::Grade grade = model::bench::grade_of_run(*bench, resolved.graph.spec(),
                                                           run_options, result, !options.ccl_given);
    print_result(report, grade);
    print_races(report);
    if (run_options.explain) {
      report.why = model::report::explain_run(resolved.graph, result, report.figures);
      report.shows_why = options.explain;
    }
    print_explanations(report);
    report.spread = measure_spread(*bench, resolved.graph, mapped.options, result, spread, jobs);
    if (report.spread) print_spread(*report.spread);
    add_changes(report, options, run_options, spread, jobs);
    report_vacuous(report);
    warn_of_uneven_kernels(result, resolved.graph.spec());
    const Outcome outcome = report.outcome();
    common::ReportEnvelope envelope =
        topology_envelope(model::report::kRunReport.name, outcome, options.spec, invocation,
                          with_sources(topology_settings(options.set), report.sources));
    envelope.grade = grade;
    if (!options.files.json.empty() || !options.files.html.empty()) envelope.data = report.data();
    if (!options.files.json.empty()) common::write_report(options.files.json, envelope);
    if (!options.files.html.empty()) {
      common::write_file_atomically(options.files.html, model::report::run_page(envelope, report));
    }
    if (!options.oplog.empty()) {
      write_op_log(options, invocation, resolved.graph, result, outcome);
    }
    if (!options.trace.empty()) write_trace(options, *bench, resolved.graph, result, trace);
    if (!options.export_chakra.empty()) {
      const std::size_t ranks =
          model::chakra::export_traces(result, report.figures, options.export_chakra);
      print("wrote traces of {} rank{}, {}.0.et first\n", ranks, ranks == 1 ? "" : "s",
            options.export_chakra);
    }
    return outcome;
  });
}

void list_parameters(const std::vector<model::bench::Parameter>& parameters) {
  for (const model::bench::Parameter& parameter : parameters) {
    const std::string set = fmt::format("{}={}", parameter.name, parameter.value);
    fmt::print("{}\n", wrapped_from(fmt::format("       {:<22}", set), parameter.description));
  }
}

Outcome list(const std::string& name) {
  const std::vector<Bench>& all = model::bench::benches();
  const Bench* only = nullptr;
  try {
    if (!name.empty()) only = &model::bench::find_bench(name);
  } catch (const std::invalid_argument& error) {
    throw common::BadInput(error.what());
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (only != nullptr && only != &all[i]) continue;
    fmt::print("{}\n",
               wrapped_from(fmt::format("{:>3}  {:<20} ", i, all[i].name), all[i].description));
    list_parameters(all[i].parameters);
  }
  fmt::print("\nEvery bench also has:\n");
  list_parameters(model::bench::common_parameters());
  return Outcome::Pass;
}

}  // namespace

void add_run_command(Command& program, const Invocation& invocation) {
  Command& command = program.add_command("run", "Run a bench on a topology");
  const auto options = std::make_shared<RunCommandOptions>();
  add_topology_option(command, options->spec, invocation);
  add_ccl_option(command, options->ccl, invocation);
  command.add_option("bench", options->bench, "Name or index of a bench of `kernbench list`")
      .check(input_bench())
      .required();
  command.add_option("--device", options->device, "Index of the SIP to run on")
      .check(whole_number(0, std::numeric_limits<std::uint32_t>::max()));
  add_set_option(command, options->set, invocation);
  add_fabric_option(command, options->set);
  command.add_flag("--verify", options->verify,
                   "Compute the data and compare it with the bench's expected results");
  command
      .add_option("--data", options->data,
                  "When to compute numbers: after the simulation, with --verify, or live, for "
                  "kernels that read them")
      .check(one_of({"after", "live"}));
  command.add_flag("--upload", options->upload,
                   "Transfer the bench's initial tensors in simulated time; by default they are "
                   "in memory at the start");
  const auto address_models = common::names_of(model::runtime::kAddressModelNames);
  command
      .add_option("--addresses", options->addresses,
                  "How kernels address tensors: virtual, physical (no maps; shard by shard), or "
                  "logical (tensor and offset)")
      .check(one_of({address_models.begin(), address_models.end()}));
  command.add_flag("--races", options->races,
                   "Report PEs that access the same bytes without an order between them");
  command.add_flag("--explain", options->explain,
                   "Print the critical path of each measured region: where its time went");
  command.add_option("--what-if", options->what_if,
                     "Also simulate a system with changed numbers, such as pe.clock_ghz*2 or "
                     "cube.hbm_ctrl.attrs.overhead_ns/2,pe.clock_ghz*2, and compare the medians of "
                     "--spread");
  command.add_flag("--tornado", options->tornado,
                   "Also simulate half and twice each bandwidth, time, clock, length and capacity "
                   "of the topology, and compare the medians of --spread");
  add_timeline_options(command, options->trace, options->trace_detail);
  add_report_files(command, options->files);
  command.add_option("--oplog", options->oplog, "Write a log of all operations to this file (JSON)")
      .check(output_file());
  command
      .add_option("--fidelity", options->fidelity,
                  "flit: messages move flit by flit; message: as wholes, faster and not exact")
      .check(one_of({"flit", "message"}));
  command
      .add_option("--seed", options->seed,
                  "Seed of the draws of --spread, and of works that are simulated in full beside "
                  "--reuse and --fidelity message")
      .check(whole_number(0, std::numeric_limits<std::uint64_t>::max()));
  command
      .add_option("--export-chakra", options->export_chakra,
                  "Write what the bench did as execution traces PREFIX.RANK.et (Chakra), which "
                  "`kernbench replay` reads")
      .check(output_prefix());
  command
      .add_flag(
          "--reuse", options->reuse,
          "Simulate equal work of a bench once, such as the layers of a model, and repeat its time")
      .excludes({"--verify", "--data", "--races", "--explain", "--trace", "--html", "--oplog",
                 "--export-chakra"});
  command
      .add_option("--time-limit-us", options->time_limit_us,
                  "Limit of simulated time in us; exit code 3 when exceeded")
      .check(real_number(1e-3, 1e9));
  add_spread_option(command, options->spread);
  add_host_timeout_option(command, options->timeout_s);
  command.footer = "Example:\n  kernbench run vector-add --verify";
  command.run = [&command, options, &invocation] {
    options->ccl_given = command.given("--ccl");
    return run(*options, invocation);
  };
}

void add_list_command(Command& program, const Invocation& /*invocation*/) {
  Command& listing = program.add_command("list", "List the benches and their parameters");
  const auto name = std::make_shared<std::string>();
  listing.add_option("bench", *name, "Name or index of a bench; without it: all")
      .check(input_bench());
  listing.footer = "Examples:\n  kernbench list\n  kernbench list gemm";
  listing.run = [name] { return list(*name); };
}

}  // namespace kernbench::cli
