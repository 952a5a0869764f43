// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/console.hpp"
#include "cli/envelope.hpp"
#include "cli/options.hpp"
#include "cli/paths.hpp"
#include "cli/revision.hpp"
#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "common/progress.hpp"
#include "common/report_envelope.hpp"
#include "common/text_distance.hpp"
#include "model/fabric/analytic/maze_fabric.hpp"
#include "model/fabric/traffic/synthetic_traffic.hpp"
#include "model/fabric/traffic/traffic_kind.hpp"
#include "topology/zoo/zoo.hpp"

namespace kernbench::cli {
namespace {

using common::BadInput;
using common::Outcome;
using model::fabric::TrafficPattern;
using model::fabric::TrafficResult;
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
  std::string json;
};

/// A topology with its traffic, ready to run at any load.
struct Experiment {
  zoo::TopologyPtr topology;
  std::shared_ptr<const zoo::RoutingRelation> relation;
  model::fabric::AnalyticSettings settings;
  std::vector<double> loads;
};

model::fabric::TrafficPatternSpec pattern_spec(const TrafficOptions& options) {
  model::fabric::TrafficPatternSpec spec;
  const model::fabric::TrafficKind* const kind = model::fabric::find_traffic(options.pattern);
  if (kind == nullptr) {
    const auto names = model::fabric::traffic_names();
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

zoo::TopologyPtr chosen_topology(const TrafficOptions& options) {
  if (options.text.empty() == options.spec.empty()) {
    throw BadInput("give either a topology, such as 'Mesh2D(4,4)', or a --spec file");
  }
  return options.spec.empty() ? zoo::parse_zoo_text(options.text)
                              : zoo::load_zoo_spec(options.spec);
}

Experiment prepared(const TrafficOptions& options) {
  Experiment experiment;
  experiment.loads = parse_shares("--loads", options.loads);
  experiment.topology = chosen_topology(options);
  experiment.relation = zoo::natural_routing(*experiment.topology);
  // Only cycles are reported, so the period is arbitrary.
  experiment.settings.period = common::SimTime::from_ps(1000);
  experiment.settings.packet_bits = options.packet_bits;
  if (options.maze) {
    const auto* grid = dynamic_cast<const zoo::FlattenedButterfly*>(experiment.topology.get());
    if (grid == nullptr) {
      throw BadInput(fmt::format("--maze requires a FlattenedButterfly topology, not {}",
                                 experiment.topology->name()));
    }
    experiment.settings.link_stages = model::fabric::maze_link_stages(*grid);
  }
  return experiment;
}

void print_head(const TrafficOptions& options, const Experiment& experiment,
                const TrafficPattern& pattern, std::uint64_t packets) {
  print("{}: {} nodes, {} channels, {}{}\n", experiment.topology->name(),
        experiment.topology->n_nodes(), experiment.topology->channels().size(),
        experiment.relation->name(), options.maze ? ", IRS stages of a MAZE" : "");
  print("{}: {} of {} endpoints send, transfers of {} packet{}, {} cycles after {}, seed {}\n",
        options.pattern, pattern.senders().size(), pattern.endpoints(), packets,
        packets == 1 ? "" : "s", options.cycles, options.warmup, options.seed);
  if (pattern.unreachable_pairs() > 0) {
    print("{} pairs of endpoints have no route and are skipped\n", pattern.unreachable_pairs());
  }
  print("\n");
  print_heading(fmt::format("{:>6} {:>8} {:>8} {:>9} {:>7} {:>7} {:>6} {:>10}  {}", "load",
                            "offered", "accepted", "mean", "p95", "max", "hops", "transfers",
                            "busiest link"));
}

void print_row(const TrafficResult& result) {
  const std::string busiest =
      result.busiest
          ? fmt::format("{} {:.1f}%", zoo::channel_name(*result.busiest), 100 * result.busiest_use)
          : "none";
  print("{:>6} {:>8.4f} {:>8.4f} {:>9.2f} {:>7} {:>7} {:>6.2f} {:>10}  {}\n", result.load,
        result.offered, result.accepted, result.latencies.mean(), result.latencies.percentile(95),
        result.latencies.max(), result.mean_hops, result.transfers, busiest);
}

nlohmann::json to_json(const TrafficResult& result) {
  nlohmann::json json = {{"load", result.load},
                         {"offered", result.offered},
                         {"accepted", result.accepted},
                         {"latency_mean_cycles", result.latencies.mean()},
                         {"latency_p95_cycles", result.latencies.percentile(95)},
                         {"latency_max_cycles", result.latencies.max()},
                         {"measured_transfers", result.latencies.count()},
                         {"transfers", result.transfers},
                         {"mean_hops", result.mean_hops},
                         {"busiest_link", nullptr},
                         {"busiest_link_use", result.busiest_use}};
  if (result.busiest) json["busiest_link"] = zoo::channel_name(*result.busiest);
  return json;
}

/// Returns the hash of all settings that determine the results.
std::string config_hash(const TrafficOptions& options, const Experiment& experiment) {
  common::ByteHash hash;
  for (const zoo::Channel& channel : experiment.topology->channels()) {
    hash.add(zoo::channel_name(channel) + ",");
  }
  hash.add(fmt::format("{} {} {} {} {} {} {} {} {} {}", experiment.topology->name(),
                       options.pattern, fmt::join(experiment.loads, ","), options.bytes,
                       options.packet_bits, options.warmup, options.cycles,
                       options.hotspot_node.value_or(0), options.hotspot_share.value_or(""),
                       options.maze));
  return common::hex64(hash.value());
}

void write_json(const TrafficOptions& options, const Invocation& invocation,
                const Experiment& experiment, const TrafficPattern& pattern,
                const std::vector<TrafficResult>& results, Outcome outcome) {
  common::ReportEnvelope report;
  report.kind = "traffic";
  report.outcome = outcome;
  report.seed = options.seed;
  report.config_hash = config_hash(options, experiment);
  report.revision = source_revision();
  report.plugins = reported_plugins();
  report.command = invocation.command_line;
  report.data = {{"topology", experiment.topology->name()},
                 {"routing", experiment.relation->name()},
                 {"maze", options.maze},
                 {"pattern", options.pattern},
                 {"senders", pattern.senders().size()},
                 {"endpoints", pattern.endpoints()},
                 {"unreachable_pairs", pattern.unreachable_pairs()},
                 {"bytes", options.bytes},
                 {"packet_bits", options.packet_bits},
                 {"warmup_cycles", options.warmup},
                 {"cycles", options.cycles},
                 {"loads", nlohmann::json::array()}};
  for (const TrafficResult& result : results) report.data["loads"].push_back(to_json(result));
  common::write_report(options.json, report);
}

Outcome run_loads(const TrafficOptions& options, const Invocation& invocation) {
  const Experiment experiment = prepared(options);
  const TrafficPattern pattern(*experiment.relation, pattern_spec(options));
  print_head(options, experiment, pattern,
             (options.bytes * 8 + options.packet_bits - 1) / options.packet_bits);
  std::vector<TrafficResult> results;
  std::uint64_t transfers = 0;
  bool any_without_latency = false;
  common::StepProgress progress("loads", experiment.loads.size());
  for (const double load : experiment.loads) {
    results.push_back(model::fabric::run_analytic_traffic(experiment.topology, experiment.relation,
                                                          experiment.settings, pattern,
                                                          {.load = load,
                                                           .bytes = options.bytes,
                                                           .warmup = options.warmup,
                                                           .cycles = options.cycles,
                                                           .seed = options.seed}));
    print_row(results.back());
    progress.step();
    transfers += results.back().transfers;
    any_without_latency = any_without_latency || results.back().latencies.count() == 0;
  }
  const Outcome outcome = any_without_latency ? Outcome::Vacuous : Outcome::Pass;
  if (!options.json.empty()) {
    write_json(options, invocation, experiment, pattern, results, outcome);
  }
  print(
      "\nOffered and accepted: packets per sending node and cycle. Latency in cycles, from "
      "submission to the last packet.\n");
  if (outcome == Outcome::Pass) {
    print("PASS  {} transfers, each done exactly once\n", transfers);
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

void add_traffic_command(CLI::App& app, const Invocation& invocation, Outcome& outcome) {
  CLI::App* command = app.add_subcommand(
      "traffic", "Measure latency over load of synthetic traffic on a base topology");
  const auto options = std::make_shared<TrafficOptions>();
  command
      ->add_option("topology", options->text,
                   "Base topology, such as 'Mesh2D(4,4)'; see `topology zoo`")
      ->check(not_empty("topology"));
  command->add_option("--spec", options->spec, "Base topology file (YAML); see configs/zoo/")
      ->check(input_file())
      ->transform(found_in_data(invocation));
  command
      ->add_option(
          "--pattern", options->pattern,
          fmt::format("Traffic pattern: {}", fmt::join(model::fabric::traffic_names(), ", ")))
      ->capture_default_str();
  command
      ->add_option("--loads", options->loads,
                   "Loads in packets per sending node and cycle (0 to 1), separated by commas")
      ->capture_default_str();
  command->add_option("--bytes", options->bytes, "Bytes per transfer")
      ->check(whole_number(1, model::fabric::kMaxTransferBytes))
      ->capture_default_str();
  command->add_option("--packet-bits", options->packet_bits, "Data bits per packet")
      ->check(whole_number(1, 65536))
      ->capture_default_str();
  command->add_option("--warmup", options->warmup, "Cycles before the measurement")
      ->check(whole_number(0, 10'000'000))
      ->capture_default_str();
  command->add_option("--cycles", options->cycles, "Measured cycles")
      ->check(whole_number(1, 10'000'000))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of all random streams")
      ->check(whole_number(0))
      ->capture_default_str();
  command
      ->add_option("--hotspot-node", options->hotspot_node,
                   "Destination node of pattern hotspot; default 0")
      ->check(whole_number(0, zoo::kMaxNodes));
  command->add_option("--hotspot-share", options->hotspot_share,
                      "Share of the packets that go to the hotspot node (0 to 1); default 0.5");
  command->add_flag("--maze", options->maze,
                    "Add the IRS stages of a MAZE Topo to the channels of a FlattenedButterfly");
  command->add_option("--json", options->json, "Write all results to this file (JSON)")
      ->check(output_file());
  command->footer(
      "Exit code 1 if no transfer was measured at some load.\n"
      "Examples:\n"
      "  kernbench traffic 'Mesh2D(4,4)' --loads 0.05,0.1,0.3\n"
      "  kernbench traffic 'FlattenedButterfly(8,8)' --maze --pattern transpose --bytes 64\n"
      "  kernbench traffic --spec configs/zoo/butterfly.yaml --json traffic.json");
  command->callback([options, &invocation, &outcome] { outcome = run(*options, invocation); });
}

}  // namespace kernbench::cli
