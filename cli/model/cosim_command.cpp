// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/options.hpp"
#include "cli/base/revision.hpp"
#include "cli/base/text_table.hpp"
#include "cli/model/bench_choice.hpp"
#include "cli/model/cosim_fault.hpp"
#include "cli/model/cosim_options.hpp"
#include "cli/model/envelope.hpp"
#include "cli/model/run_end.hpp"
#include "cli/rtl/sim_options.hpp"
#include "common/activity.hpp"
#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/duration_text.hpp"
#include "common/enum_names.hpp"
#include "common/report_envelope.hpp"
#include "common/shell_quote.hpp"
#include "common/terminal.hpp"
#include "cosim/calibrate/parameters_file.hpp"
#include "cosim/report/html.hpp"
#include "cosim/report/json.hpp"
#include "cosim/report/text.hpp"
#include "cosim/report/timeline.hpp"
#include "cosim/run/cosim.hpp"
#include "cosim/run/maze_setup.hpp"
#include "cosim/workload/reproduction.hpp"
#include "cosim/workload/workloads.hpp"
#include "model/ccl/ccl_config.hpp"
#include "sim/report/number_text.hpp"
#include "topology/resolve/resolve_topology.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::cli {
namespace {

using common::BadInput;
using common::Outcome;
using cosim::FabricKind;
using cosim::Workload;
using model::fabric::MazeNodeKind;

/// Parses "BEGIN:END" in ns; either may be empty. Throws BadInput.
model::fabric::TimeWindow parse_window(const std::string& text) {
  model::fabric::TimeWindow window;
  if (text.empty()) return window;
  const std::size_t colon = text.find(':');
  const auto time = [&](std::string_view part, common::SimTime otherwise) {
    if (part.empty()) return otherwise;
    std::int64_t ns = -1;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), ns);
    if (error == std::errc() && end == part.data() + part.size() && ns >= 0 &&
        ns <= common::SimTime::max().ps() / 1000) {
      return common::SimTime::from_ps(1000 * ns);
    }
    throw BadInput(fmt::format(
        "--trace-window: '{}' is not a whole number of ns; expected BEGIN:END, either may be empty",
        part));
  };
  if (colon == std::string::npos) {
    throw BadInput(fmt::format("--trace-window: '{}' is not of the form BEGIN:END in ns", text));
  }
  const std::string_view all = text;
  window.begin = time(all.substr(0, colon), window.begin);
  window.end = time(all.substr(colon + 1), window.end);
  if (window.end < window.begin) {
    throw BadInput(fmt::format("--trace-window: '{}' ends before it begins", text));
  }
  return window;
}

/// Returns the path of the JSON report relative to the page, or "" without one.
std::string json_beside_page(const CosimCommandOptions& options) {
  if (options.files.json.empty()) return "";
  namespace fs = std::filesystem;
  return fs::proximate(fs::absolute(options.files.json),
                       fs::absolute(options.files.html).parent_path())
      .generic_string();
}

/// The output files. They are opened before the run, so that an unwritable path fails at once.
class Artefacts {
 public:
  explicit Artefacts(const CosimCommandOptions& options)
      : window_(parse_window(options.trace_window)) {
    if (!options.files.json.empty()) json_.emplace(options.files.json);
    if (!options.files.html.empty()) html_.emplace(options.files.html);
    if (!options.trace.empty()) trace_.emplace(options.trace);
  }
  void write(const CosimCommandOptions& options, const std::vector<cosim::WorkloadResult>& results,
             std::size_t not_run, const topology::TopologyGraph& graph,
             const topology::SipSpec& sip, common::ReportEnvelope report) {
    if (html_) {
      html_->stream() << cosim::html_report(results, sip, options.topology, report,
                                            json_beside_page(options));
    }
    if (json_) {
      report.data = cosim::json_data(results, sip, not_run);
      json_->stream() << common::render_report(report);
    }
    if (trace_) cosim::write_timeline(results.front(), graph, window_, trace_->stream());
    if (html_) html_->commit();
    if (json_) json_->commit();
    if (trace_) trace_->commit();
  }

 private:
  std::optional<common::AtomicFile> json_;
  std::optional<common::AtomicFile> html_;
  std::optional<common::AtomicFile> trace_;
  model::fabric::TimeWindow window_;
};

/// Writes a reproduction file for each workload that failed on the RTL or on which the RTL differs
/// from the cycle reference.
void write_reproductions(const CosimCommandOptions& options, const Invocation& invocation,
                         const topology::SipSpec& sip,
                         const std::vector<cosim::WorkloadResult>& results,
                         const cosim::FabricRunOptions& run_options) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto reproduction = cosim::reproduction_of(sip, results[i], run_options);
    if (!reproduction) continue;
    const std::string path = fmt::format("{}/cosim-{}.json", options.report, i + 1);
    common::ensure_directory(options.report);
    common::ReportEnvelope envelope;
    envelope.outcome = results[i].outcome;
    envelope.seed = options.settings.seed;
    envelope.revision = source_revision();
    envelope.plugins = reported_plugins();
    envelope.command = invocation.command_line();
    cosim::write_reproduction(path, *reproduction, envelope);
    SimOptions replay;
    replay.invocation = &invocation;
    replay.replay = path;
    // --model is of the network in a SIP.
    const cosim::FabricRun* of_rtl = results[i].run(FabricKind::Rtl);
    if (!of_rtl->failed_between_sips) replay.model = options.model;
    replay.models = options.models;
    replay.report = options.report;
    replay.plusargs = options.plusargs;
    replay.no_checkers = options.no_checkers;
    print("\n{}: reproduce the failure with waves: {}\n", results[i].workload.name,
          replay_command(replay));
  }
}

/// Describes a network of routers.
std::string text_of_network(const topology::SipSpec& sip) {
  return fmt::format("{}, {}, {} bits of data in a flit, {} ns a cycle", cosim::network_title(sip),
                     cosim::text_of_routers(sip.noc), cosim::packet_bits_of(sip),
                     cosim::fabric_spec(sip).clock_ns);
}

/// Describes the fabric of all workloads.
std::string fabric_line(const topology::SipSpec& sip, MazeNodeKind nodes, std::uint64_t seed) {
  if (sip.inter_cube == topology::InterCube::Noc) {
    return fmt::format("fabric: {}; seed {}", text_of_network(sip), seed);
  }
  const std::string bits =
      fmt::format("{} bits of data in a packet, {} ns a cycle", cosim::packet_bits_of(sip),
                  cosim::fabric_spec(sip).clock_ns);
  return fmt::format(
      "fabric: {}x{} {}{}, {}, {} first; seed {}", sip.cube_mesh_w, sip.cube_mesh_h,
      nodes == MazeNodeKind::Maze ? "MAZE nodes" : "ideal nodes",
      sip.maze.failed_node ? fmt::format(", node {} failed", *sip.maze.failed_node) : "", bits,
      sip.maze.order == topology::DimensionOrder::XY ? "x" : "y", seed);
}

Outcome cosimulate(const CosimCommandOptions& options, const Invocation& invocation) {
  cosim::Options run;
  if (!options.parameters.empty()) run.run.analytic = cosim::read_parameters(options.parameters);
  run.fabrics = cosim::parse_fabrics(options.fabric);
  run.jobs = options.jobs;
  const auto runs_on = [&run](FabricKind kind) {
    return std::find(run.fabrics.begin(), run.fabrics.end(), kind) != run.fabrics.end();
  };
  run.trace_first = !options.trace.empty();
  if (!run.trace_first && !options.trace_window.empty()) {
    throw BadInput("--trace-window requires --trace");
  }
  if (run.trace_first && !runs_on(FabricKind::Cycle)) {
    throw BadInput("--trace requires --fabric cycle or all: it traces the cycle reference");
  }
  if (runs_on(FabricKind::Analytic) && runs_on(FabricKind::Cycle)) {
    run.run.trace = model::fabric::PacketTrace::Detail::LastPackets;
  }
  const topology::ResolvedTopology resolved =
      topology::resolve_topology(options.topology, topology_settings(options.set));
  (void)model::ccl::read_ccl_config(options.settings.ccl_yaml, resolved.graph.spec());
  run.run.nodes = cosim::nodes_of(options);
  const bool clocked = runs_on(FabricKind::Cycle) || runs_on(FabricKind::Rtl);
  const topology::SipSpec sip = cosim::sip_of(options, resolved.graph, clocked);
  run.run.between_sips = cosim::between_sips_of(resolved.graph.spec());
  if (sip.inter_cube == topology::InterCube::Noc) {
    cosim::refuse_maze_option(!options.parameters.empty(), "--parameters");
    run.run.trace.reset();
  }
  set_fault(options.fault, sip, run);

  cosim::WorkloadSettings settings = options.settings;
  settings.loads = parse_shares("--loads", options.loads);
  try {
    settings.parameters = parse_parameters(options.set);
  } catch (const std::invalid_argument& error) {
    throw BadInput(error.what());
  }
  settings.host_time_limit = host_time_limit(options.timeout_s);
  settings.on_host_timeout = end_by_host_timeout;
  report_kernel_crashes();
  cosim::require_used_parameters(options.workloads, settings);
  std::vector<Workload> workloads;
  for (const std::string& name : options.workloads) {
    for (Workload& workload : cosim::make_workloads(name, resolved.graph, settings)) {
      cosim::avoid_failed_node(workload, sip);
      cosim::require_carried(workload, sip);
      workloads.push_back(std::move(workload));
    }
    cosim::require_fitting(workloads, sip, false);  // before more of them take memory
  }
  cosim::require_fitting(workloads, sip, run.trace_first);
  run.run.rtl.seed = settings.seed;
  Artefacts artefacts(options);  // before the model is built, which may take minutes
  check_engine(options.parts, invocation, options.job_output());
  TaskValues values;
  if (runs_on(FabricKind::Rtl)) {
    const std::string model = cosim::open_model(options, invocation.root, sip, run.run);
    if (options.model.empty()) values.emplace("--model", model);
  }
  const auto parts = parts_of(options.parts, invocation, options.job_output(), values);
  run.parts = parts.get();
  run.fail_fast = options.fail_fast;
  run.run_done = [](const Workload& workload, const cosim::FabricRun& done) {
    if (!common::activity_is_shown()) return;
    common::report_activity(fmt::format("ran {} on {} in {}", workload.name,
                                        common::name_of(cosim::kFabricKindNames, done.fabric),
                                        common::duration_text(done.seconds)));
  };
  const std::vector<cosim::WorkloadResult> results = cosim::run_cosim(sip, workloads, run);
  print_machine(resolved.graph.spec());
  print("{}\n", wrapped(fabric_line(sip, run.run.nodes, settings.seed), 2));
  if (const auto& between = run.run.between_sips) {
    print("{}\n", wrapped("between SIPs: " + text_of_network(*between), 2));
  }
  print("\n");
  print("{}", cosim::text_report(results, sip, common::colour_for(STDOUT_FILENO)));
  const std::size_t not_run = workloads.size() - results.size();
  if (not_run != 0) {
    print("FAIL  {} not run after the first failure\n", sim::counted(not_run, "workload"));
  }
  const Outcome outcome = cosim::outcome_of(results);
  artefacts.write(options, results, not_run, resolved.graph, sip,
                  {.kind = std::string(cosim::kCosimReport.name),
                   .outcome = outcome,
                   .grade = cosim::grade_of(results),
                   .seed = settings.seed,
                   .config_hash = cosim::config_hash(sip, workloads, run),
                   .revision = source_revision(),
                   .plugins = reported_plugins(),
                   .command = invocation.command_line(),
                   .data = {}});
  write_reproductions(options, invocation, sip, results, run.run);
  return outcome;
}

}  // namespace

void add_cosim_command(Command& program, const Invocation& invocation) {
  auto options = std::make_shared<CosimCommandOptions>();
  Command& cosim = program.add_command(
      "cosim", "Run the same transfers on the model, the cycle reference and the RTL, and compare");
  add_input_option(cosim, "--topology", options->topology, invocation,
                   "configs/topology-maze-8x8.yaml",
                   "Topology file (YAML) with inter_cube: maze or {noc: TOPOLOGY}");
  cosim
      .add_option("--workload", options->workloads,
                  fmt::format("Workload (repeatable): {}, {}, bench:NAME for a bench of "
                              "`kernbench list`, or a transfer-trace file",
                              fmt::join(cosim::workload_names(), ", "),
                              fmt::join(cosim::machine_workload_names(), ", ")))
      .check(input_workload())
      .found_in(invocation.root);
  add_set_option(cosim, options->set, invocation,
                 "Bench parameter as NAME=VALUE, for all benches that have it");
  add_input_option(cosim, "--ccl", options->settings.ccl_yaml, invocation, "configs/ccl.yaml",
                   "Process-group file (YAML) of the benches");
  cosim.add_option("--fabric", options->fabric, "Fabric to run: analytic, cycle, rtl or all");
  cosim.add_option("--nodes", options->nodes,
                   "Nodes of the MAZE: maze (MAZE_NODE, as it is built) or ideal (for comparison)");
  cosim
      .add_option("--failed-node", options->failed_node,
                  "Node that has failed, instead of sip.maze.failed_node of the topology")
      .check(whole_number(0, 255));
  cosim.add_option("--loads", options->loads,
                   "Loads of synthetic traffic in packets per node and cycle, separated by commas");
  cosim.add_option("--bytes", options->settings.bytes, "Bytes per transfer")
      .check(whole_number(1, model::fabric::kMaxTransferBytes));
  cosim
      .add_option("--count", options->settings.count,
                  "Number of transfers of the workloads concurrent and multicasts")
      .check(whole_number(1, cosim::kMaxTransfers));
  cosim
      .add_option("--warmup", options->settings.warmup,
                  "Cycles of synthetic traffic before the measurement")
      .check(whole_number(0, 1'000'000'000));
  cosim.add_option("--cycles", options->settings.cycles, "Measured cycles of synthetic traffic")
      .check(whole_number(1, 1'000'000'000));
  cosim.add_option("--seed", options->settings.seed, "Seed of all random streams")
      .check(whole_number(0));
  cosim.add_option(
      "--fault", options->fault,
      "Fault to inject into the RTL: into routers (kinds: "
      "configs/regressions/noc-faults.yaml; between_sips:KIND into those between SIPs), "
      "or at the pins of TOPO, with --nodes ideal (kinds: "
      "configs/regressions/faults.yaml; receiver_sleeps:40 sleeps for 40 cycles)");
  add_host_timeout_option(cosim, options->timeout_s);
  add_jobs_option(cosim, options->jobs);
  add_models_option(cosim, options->models, invocation);
  cosim.add_option("--report", options->report, "Folder for files that reproduce a failure")
      .check(output_folder({"cosim-*.json"}));
  cosim.add_option("--model", options->model, "Prebuilt model to use instead of building one")
      .check(input_file());
  add_plusarg_option(cosim, options->plusargs);
  cosim.add_flag("--no-checkers", options->no_checkers,
                 "Build the model without the bound SystemVerilog checkers");
  cosim.add_flag("--fail-fast", options->fail_fast,
                 "Start no workload after the first that does not pass");
  add_report_files(cosim, options->files);
  cosim
      .add_option(
          "--trace", options->trace,
          "Write a Perfetto timeline of the first workload on the cycle reference to this file")
      .check(output_file());
  cosim.add_option("--trace-window", options->trace_window,
                   "Time window of --trace as BEGIN:END in ns; either may be empty");
  cosim
      .add_option("--parameters", options->parameters,
                  "Parameter file of the analytic fabric, written by --calibrate")
      .check(input_file());
  cosim
      .add_option("--calibrate", options->calibrate,
                  "Fit the analytic fabric to the cycle reference and write its parameters to "
                  "this file")
      .check(output_file());
  add_part_options(cosim, options->parts);
  cosim.exclude({"--fail-fast", "--trace"}, {"--engine"});
  cosim.footer =
      "Examples:\n"
      "  kernbench cosim                                   uniform random traffic at six loads\n"
      "  kernbench cosim --workload all_to_all --bytes 64  every cube sends to every other cube\n"
      "  kernbench cosim --workload bench:all-reduce --set bytes=512  a collective on every "
      "fabric\n"
      "  kernbench cosim --fabric cycle --loads 0.9        the cycle reference only\n"
      "  kernbench cosim --json cosim.json --html cosim.html  results as files";
  cosim.run = [options, &cosim, &invocation] {
    if (options->parts.is_task()) {  // its command writes the reports
      options->files.json.clear();
      options->files.html.clear();
    }
    if (options->calibrate.empty()) return cosimulate(*options, invocation);
    return calibrate_fabric(
        *options, cosim.given("--workload") ? options->workloads : std::vector<std::string>(),
        invocation);
  };
}

}  // namespace kernbench::cli
