// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/base/chosen_topology.hpp"
#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/options.hpp"
#include "cli/base/report_files.hpp"
#include "cli/base/revision.hpp"
#include "cli/base/router_options.hpp"
#include "cli/base/text_table.hpp"
#include "cli/model/envelope.hpp"
#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "common/enum_values.hpp"
#include "common/hash.hpp"
#include "common/progress.hpp"
#include "common/report_envelope.hpp"
#include "common/text_distance.hpp"
#include "cosim/run/maze_setup.hpp"
#include "cosim/run/rtl_flits.hpp"
#include "cosim/run/rtl_network.hpp"
#include "model/fabric/clocked/fabric_failure.hpp"
#include "model/fabric/traffic/traffic_study.hpp"
#include "sim/report/number_text.hpp"
#include "topology/spec/sip_spec.hpp"
#include "topology/traffic_kind.hpp"
#include "topology/zoo/zoo.hpp"

namespace kernbench::cli {
namespace {

using common::BadInput;
using common::Outcome;
using model::fabric::FabricKind;
using model::fabric::kFabricKindNames;
using model::fabric::TrafficPattern;
using model::fabric::TrafficResult;
using model::fabric::TrafficStudy;
namespace zoo = topology::zoo;

struct TrafficOptions {
  std::string text;
  std::string spec;
  std::string pattern = "uniform_random";
  std::string loads = "0.05,0.1,0.3,0.5,0.7,0.9";
  std::uint64_t bytes = 1;
  std::uint64_t warmup = 1000;
  std::uint64_t cycles = 10000;
  std::uint64_t seed = 1;
  std::optional<std::uint32_t> hotspot_node;
  std::optional<std::string> hotspot_share;
  std::string fabric;
  model::fabric::BaseFabric network;
  std::string models;
  ReportFiles files;
};

model::fabric::TrafficPatternSpec pattern_spec(const TrafficOptions& options) {
  model::fabric::TrafficPatternSpec spec;
  const topology::TrafficKind* const kind = topology::find_traffic(options.pattern);
  if (kind == nullptr) {
    const auto names = topology::traffic_names();
    throw BadInput(fmt::format("--pattern: '{}' is not one of {}{}", options.pattern,
                               fmt::join(names, ", "),
                               common::did_you_mean(options.pattern, names)));
  }
  spec.kind = kind->name;
  if (!kind->hotspot && (options.hotspot_node || options.hotspot_share)) {
    throw BadInput("--hotspot-node and --hotspot-share require --pattern hotspot");
  }
  if (options.hotspot_node) spec.hotspot_node = *options.hotspot_node;
  if (options.hotspot_share)
    spec.hotspot_share = parse_share("--hotspot-share", *options.hotspot_share);
  return spec;
}

/// Returns the fabric that the options choose. A MAZE is simulated unless they say otherwise.
FabricKind fabric_kind(const TrafficOptions& options) {
  if (!options.fabric.empty()) return common::find_value(kFabricKindNames, options.fabric).value();
  return options.network.maze ? FabricKind::Cycle : FabricKind::Analytic;
}

/// Lets a fabric make instances of its verilated model, which is built or opened now.
void open_rtl(model::fabric::BaseFabric& network, const TrafficOptions& options,
              const zoo::TopologyPtr& topology, const std::string& root) {
  if (network.maze) {
    cosim::MazeSetup setup;
    setup.models = options.models;
    cosim::FabricRunOptions rtl;
    cosim::open_model(setup, root, model::fabric::maze_sip(*topology, network.noc.flit_bits), rtl);
    network.make_maze = [make = rtl.make_network] {
      return std::make_unique<cosim::RtlNetwork>(make(1), std::nullopt, sim::TraceWindow{},
                                                 nullptr);
    };
    return;
  }
  const auto model = cosim::open_noc_model(model::fabric::NocBase(topology, network.noc), "",
                                           options.models, root);
  network.make_flits = [model] { return std::make_unique<cosim::RtlFlits>(model); };
}

TrafficStudy prepared(const TrafficOptions& options, const std::string& root) {
  model::fabric::TrafficStudySettings settings;
  settings.loads = parse_shares("--loads", options.loads);
  settings.pattern = pattern_spec(options);
  settings.bytes = options.bytes;
  settings.warmup = options.warmup;
  settings.cycles = options.cycles;
  settings.seed = options.seed;
  settings.fabric = options.network;
  settings.fabric.kind = fabric_kind(options);
  const zoo::TopologyPtr topology = chosen_base_topology(options.text, options.spec).topology;
  if (settings.fabric.kind == FabricKind::Rtl) {
    (void)TrafficStudy(topology, settings);  // refuses bad input before a model is built
    open_rtl(settings.fabric, options, topology, root);
  }
  return {topology, std::move(settings)};
}

/// Returns how the fabric calls the unit that crosses a link in a cycle.
const char* unit_of(const model::fabric::BaseFabric& fabric) {
  return fabric.maze ? "packet" : "flit";
}

/// Describes the nodes of the network.
std::string text_of_nodes(const model::fabric::BaseFabric& fabric) {
  if (fabric.maze) return "nodes and links of a MAZE";
  const model::fabric::NocSettings& sizes = fabric.noc;
  if (fabric.kind == FabricKind::Analytic) {
    return fmt::format("routers with {} a link", sim::counted(sizes.stages, "register"));
  }
  return model::fabric::text_of(sizes);
}

void print_head(const TrafficOptions& options, const TrafficStudy& study) {
  const zoo::BaseTopology& topology = study.network().topology();
  const TrafficPattern& pattern = study.pattern();
  const std::uint64_t packets = study.packets();
  const model::fabric::BaseFabric& fabric = study.settings().fabric;
  print("{}: {} nodes, {} channels, {}\n", topology.name(), topology.n_nodes(),
        topology.channels().size(), study.network().relation().name());
  print("{} fabric: {}\n", common::name_of(kFabricKindNames, fabric.kind), text_of_nodes(fabric));
  print("{}: {} of {} endpoints send, transfers of {}, {} cycles after {}, seed {}\n",
        options.pattern, pattern.senders().size(), pattern.endpoints(),
        sim::counted(packets, unit_of(fabric)), sim::grouped(options.cycles),
        sim::grouped(options.warmup), options.seed);
  if (pattern.unreachable_pairs() > 0) {
    print("{} pairs of endpoints have no route and are skipped\n", pattern.unreachable_pairs());
  }
  print("\n");
}

TextTable table_of_loads() {
  return TextTable({"load", "offered", "accepted", "mean (cycles)", "95 % (cycles)",
                    "99 % (cycles)", "longest (cycles)", "hops", "transfers", "busiest link",
                    "busy (%)"});
}

void add_row(TextTable& table, const zoo::BaseTopology& topology, const TrafficResult& result) {
  const auto& latencies = result.latencies;
  table.add({fmt::format("{}", result.load), fixed_text(result.offered, 4),
             fixed_text(result.accepted, 4), fixed_text(latencies.mean(), 2),
             sim::grouped(latencies.percentile(95)), sim::grouped(latencies.percentile(99)),
             sim::grouped(latencies.max()), fixed_text(result.mean_hops, 2),
             sim::grouped(result.transfers),
             result.busiest ? zoo::channel_name(topology, *result.busiest) : "none",
             result.busiest ? fixed_text(100 * result.busiest_use, 1) : "-"});
}

/// Returns the hash of all settings that determine the results.
std::string config_hash(const TrafficOptions& options, const TrafficStudy& study) {
  const zoo::BaseTopology& topology = study.network().topology();
  common::ByteHash hash;
  for (const zoo::Channel& channel : topology.channels()) {
    hash.add(zoo::channel_name(channel) + ",");
  }
  const model::fabric::BaseFabric& fabric = study.settings().fabric;
  const model::fabric::NocSettings& sizes = fabric.noc;
  hash.add(fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", topology.name(),
                       study.network().relation().name(), options.pattern,
                       fmt::join(study.settings().loads, ","), options.bytes, sizes.flit_bits,
                       options.warmup, options.cycles, options.hotspot_node.value_or(0),
                       options.hotspot_share.value_or(""), fabric.maze,
                       common::name_of(kFabricKindNames, fabric.kind), sizes.lanes, sizes.slots,
                       sizes.stages, sizes.packet_flits));
  return common::hex64(hash.value());
}

void write_files(const TrafficOptions& options, const Invocation& invocation,
                 const TrafficStudy& study, const std::vector<TrafficResult>& results,
                 Outcome outcome) {
  common::ReportEnvelope report;
  report.kind = model::fabric::kTrafficReport.name;
  report.outcome = outcome;
  report.seed = options.seed;
  report.config_hash = config_hash(options, study);
  report.revision = source_revision();
  report.plugins = reported_plugins();
  report.command = invocation.command_line();
  report.grade = study.grade();
  report.data = common::to_json(study.report(results));
  options.files.write(model::fabric::kTrafficReport, report);
}

Outcome run_loads(const TrafficOptions& options, const Invocation& invocation) {
  const TrafficStudy study = prepared(options, invocation.root);
  print_head(options, study);
  std::vector<TrafficResult> results;
  std::uint64_t transfers = 0;
  bool any_without_latency = study.settings().loads.empty();
  std::string failure;
  TextTable table = table_of_loads();
  {
    common::StepProgress progress("loads", study.settings().loads.size());
    for (const double load : study.settings().loads) {
      try {
        results.push_back(study.run(load));
      } catch (const model::fabric::FabricFailure& error) {
        failure = fmt::format("load {}: {}", load, error.what());
        break;
      }
      add_row(table, study.network().topology(), results.back());
      progress.step();
      transfers += results.back().transfers;
      any_without_latency = any_without_latency || results.back().latencies.count() == 0;
    }
  }
  print_table(table);
  const Outcome outcome = !failure.empty()      ? Outcome::Mismatch
                          : any_without_latency ? Outcome::Vacuous
                                                : Outcome::Pass;
  if (options.files.any()) {
    write_files(options, invocation, study, results, outcome);
  }
  const std::string unit = unit_of(study.settings().fabric);
  print("\n{}\n",
        wrapped(fmt::format("Offered and accepted: {}s per sending node and cycle. Latency "
                            "in cycles, from submission to the last {}.",
                            unit, unit),
                0));
  print("{}\n", wrapped(fmt::format("latencies: {}", study.grade().text()), 2));
  if (!failure.empty()) {
    print("FAIL  {}\n", failure);
  } else if (outcome == Outcome::Vacuous) {
    print("FAIL  vacuous: no transfer was measured at some load\n");
  } else {
    print("PASS  {} transfers, each done exactly once{}\n", sim::grouped(transfers),
          study.settings().fabric.kind == FabricKind::Rtl
              ? "; the RTL equals its reference in every cycle"
              : "");
  }
  return outcome;
}

Outcome run(const TrafficOptions& options, const Invocation& invocation) {
  try {
    return run_loads(options, invocation);
  } catch (const std::invalid_argument& error) {
    throw BadInput(error.what());  // for example a pattern that does not fit the topology
  }
}

}  // namespace

void add_traffic_command(Command& program, const Invocation& invocation) {
  Command& command = program.add_command(
      "traffic", "Measure latency over load of synthetic traffic on a base topology");
  const auto options = std::make_shared<TrafficOptions>();
  add_base_topology_options(command, options->text, options->spec, invocation,
                            "'Mesh2D(4,4)'; see `topology zoo`");
  command.add_option(
      "--pattern", options->pattern,
      fmt::format("Traffic pattern: {}", fmt::join(topology::traffic_names(), ", ")));
  command.add_option("--loads", options->loads,
                     "Loads in flits, or packets of a MAZE, per sending node and cycle (0 to 1), "
                     "separated by commas");
  command.add_option("--bytes", options->bytes, "Bytes per transfer")
      .check(whole_number(1, model::fabric::kMaxTransferBytes));
  command
      .add_option("--packet-bits", options->network.noc.flit_bits,
                  "Data bits of a flit, or of a packet of a MAZE")
      .check(whole_number(1, 65536));
  command.add_option("--warmup", options->warmup, "Cycles before the measurement")
      .check(whole_number(0, 10'000'000));
  command.add_option("--cycles", options->cycles, "Measured cycles")
      .check(whole_number(1, 10'000'000));
  command.add_option("--seed", options->seed, "Seed of all random streams").check(whole_number(0));
  command
      .add_option("--hotspot-node", options->hotspot_node,
                  "Destination node of pattern hotspot; default 0")
      .check(whole_number(0, zoo::kMaxNodes));
  command.add_option("--hotspot-share", options->hotspot_share,
                     "Share of the packets that go to the hotspot node (0 to 1); default 0.5");
  command.add_flag("--maze", options->network.maze,
                   "The FlattenedButterfly is a MAZE with its nodes, simulated cycle by cycle");
  constexpr auto kFabrics = common::names_of(kFabricKindNames);
  command
      .add_option(
          "--fabric", options->fabric,
          "analytic: an estimate; cycle: the reference of the routers, or of the MAZE, cycle "
          "by cycle; rtl: their RTL. By default analytic, with --maze cycle")
      .check(one_of({kFabrics.begin(), kFabrics.end()}));
  model::fabric::NocSettings& sizes = options->network.noc;
  add_router_options(command, sizes.lanes, sizes.slots, sizes.stages);
  command
      .add_option("--packet-flits", options->network.noc.packet_flits,
                  "Most flits of a packet; a longer transfer is cut")
      .check(whole_number(1, 65536));
  add_models_option(command, options->models, invocation);
  add_report_files(command, options->files);
  command.footer =
      "Exit code 1 if no transfer was measured at some load, or if a fabric failed.\n"
      "Examples:\n"
      "  kernbench traffic 'Mesh2D(4,4)' --loads 0.05,0.1,0.3\n"
      "  kernbench traffic 'BidirectionalTorus2D(8,8)' --fabric cycle --bytes 4 --loads 0.1,0.3\n"
      "  kernbench traffic 'FlattenedButterfly(8,8)' --maze --pattern transpose --bytes 64\n"
      "  kernbench traffic --spec configs/zoo/butterfly.yaml --json traffic.json";
  command.require_one({"topology", "--spec"},
                      "give either a topology, such as 'Mesh2D(4,4)', or a --spec file");
  command.run = [options, &invocation] { return run(*options, invocation); };
}

}  // namespace kernbench::cli
