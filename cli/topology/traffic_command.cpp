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
#include "cli/base/text_table.hpp"
#include "cli/model/envelope.hpp"
#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "common/progress.hpp"
#include "common/report_envelope.hpp"
#include "common/text_distance.hpp"
#include "model/fabric/traffic/traffic_study.hpp"
#include "sim/report/number_text.hpp"
#include "topology/traffic_kind.hpp"
#include "topology/zoo/zoo.hpp"

namespace kernbench::cli {
namespace {

using common::BadInput;
using common::Outcome;
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
  std::uint32_t packet_bits = 8;
  std::uint64_t warmup = 1000;
  std::uint64_t cycles = 10000;
  std::uint64_t seed = 1;
  std::optional<std::uint32_t> hotspot_node;
  std::optional<std::string> hotspot_share;
  bool maze = false;
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

TrafficStudy prepared(const TrafficOptions& options) {
  std::vector<double> loads = parse_shares("--loads", options.loads);
  return {chosen_base_topology(options.text, options.spec).topology,
          {.pattern = pattern_spec(options),
           .loads = std::move(loads),
           .bytes = options.bytes,
           .packet_bits = options.packet_bits,
           .warmup = options.warmup,
           .cycles = options.cycles,
           .seed = options.seed,
           .maze = options.maze}};
}

void print_head(const TrafficOptions& options, const TrafficStudy& study) {
  const zoo::BaseTopology& topology = *study.network().topology;
  const TrafficPattern& pattern = study.pattern();
  const std::uint64_t packets = study.packets();
  print("{}: {} nodes, {} channels, {}{}\n", topology.name(), topology.n_nodes(),
        topology.channels().size(), study.network().relation->name(),
        options.maze ? ", nodes and links of a MAZE" : "");
  print("{}: {} of {} endpoints send, transfers of {}, {} cycles after {}, seed {}\n",
        options.pattern, pattern.senders().size(), pattern.endpoints(),
        sim::counted(packets, "packet"), sim::grouped(options.cycles), sim::grouped(options.warmup),
        options.seed);
  if (pattern.unreachable_pairs() > 0) {
    print("{} pairs of endpoints have no route and are skipped\n", pattern.unreachable_pairs());
  }
  print("\n");
}

TextTable table_of_loads() {
  return TextTable({"load", "offered", "accepted", "mean (cycles)", "95 % (cycles)",
                    "longest (cycles)", "hops", "transfers", "busiest link", "busy (%)"});
}

void add_row(TextTable& table, const zoo::BaseTopology& topology, const TrafficResult& result) {
  const auto& latencies = result.latencies;
  table.add({fmt::format("{}", result.load), fixed_text(result.offered, 4),
             fixed_text(result.accepted, 4), fixed_text(latencies.mean(), 2),
             sim::grouped(latencies.percentile(95)), sim::grouped(latencies.max()),
             fixed_text(result.mean_hops, 2), sim::grouped(result.transfers),
             result.busiest ? zoo::channel_name(topology, *result.busiest) : "none",
             result.busiest ? fixed_text(100 * result.busiest_use, 1) : "-"});
}

/// Returns the hash of all settings that determine the results.
std::string config_hash(const TrafficOptions& options, const TrafficStudy& study) {
  const zoo::BaseTopology& topology = *study.network().topology;
  common::ByteHash hash;
  for (const zoo::Channel& channel : topology.channels()) {
    hash.add(zoo::channel_name(channel) + ",");
  }
  hash.add(fmt::format("{} {} {} {} {} {} {} {} {} {} {}", topology.name(),
                       study.network().relation->name(), options.pattern,
                       fmt::join(study.settings().loads, ","), options.bytes, options.packet_bits,
                       options.warmup, options.cycles, options.hotspot_node.value_or(0),
                       options.hotspot_share.value_or(""), options.maze));
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
  const TrafficStudy study = prepared(options);
  print_head(options, study);
  std::vector<TrafficResult> results;
  std::uint64_t transfers = 0;
  bool any_without_latency = study.settings().loads.empty();
  TextTable table = table_of_loads();
  {
    common::StepProgress progress("loads", study.settings().loads.size());
    for (const double load : study.settings().loads) {
      results.push_back(study.run(load));
      add_row(table, *study.network().topology, results.back());
      progress.step();
      transfers += results.back().transfers;
      any_without_latency = any_without_latency || results.back().latencies.count() == 0;
    }
  }
  print_table(table);
  const Outcome outcome = any_without_latency ? Outcome::Vacuous : Outcome::Pass;
  if (options.files.any()) {
    write_files(options, invocation, study, results, outcome);
  }
  print("\n{}\n", wrapped("Offered and accepted: packets per sending node and cycle. Latency in "
                          "cycles, from submission to the last packet.",
                          0));
  print("{}\n", wrapped(fmt::format("latencies: {}", study.grade().text()), 2));
  if (outcome == Outcome::Pass) {
    print("PASS  {} transfers, each done exactly once\n", sim::grouped(transfers));
  } else {
    print("FAIL  vacuous: no transfer was measured at some load\n");
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
                     "Loads in packets per sending node and cycle (0 to 1), separated by commas");
  command.add_option("--bytes", options->bytes, "Bytes per transfer")
      .check(whole_number(1, model::fabric::kMaxTransferBytes));
  command.add_option("--packet-bits", options->packet_bits, "Data bits per packet")
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
  command.add_flag("--maze", options->maze,
                   "The FlattenedButterfly is a MAZE with its nodes, simulated cycle by cycle");
  add_report_files(command, options->files);
  command.footer =
      "Exit code 1 if no transfer was measured at some load.\n"
      "Examples:\n"
      "  kernbench traffic 'Mesh2D(4,4)' --loads 0.05,0.1,0.3\n"
      "  kernbench traffic 'FlattenedButterfly(8,8)' --maze --pattern transpose --bytes 64\n"
      "  kernbench traffic --spec configs/zoo/butterfly.yaml --json traffic.json";
  command.require_one({"topology", "--spec"},
                      "give either a topology, such as 'Mesh2D(4,4)', or a --spec file");
  command.run = [options, &invocation] { return run(*options, invocation); };
}

}  // namespace kernbench::cli
