// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/options.hpp"
#include "cli/base/revision.hpp"
#include "cli/model/envelope.hpp"
#include "cli/topology/topology_text.hpp"
#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "common/numbers.hpp"
#include "common/places.hpp"
#include "common/report_envelope.hpp"
#include "common/text_file.hpp"
#include "topology/diagram/emit_diagrams.hpp"
#include "topology/export/graph_export.hpp"
#include "topology/resolve/resolve_topology.hpp"
#include "topology/routing/address_resolver.hpp"
#include "topology/routing/node_lookup.hpp"
#include "topology/spec/spec_description.hpp"

namespace kernbench::cli {
namespace {

using common::BadInput;
using common::Outcome;
using topology::NodeId;
using topology::Path;
using topology::PathRouter;
using topology::ResolvedTopology;

struct TopologyOptions {
  std::string spec;
  std::string folder = "build/topology";
  bool pe_view = false;
  std::string node;
  std::string from;
  std::string to;
  std::string intent = "pe_dma";
  std::string format = "json";
  std::string output;
  bool strict = false;
};

/// Compiles the topology of --topology. Prints warnings to stderr.
topology::TopologyGraph load(const TopologyOptions& options) {
  ResolvedTopology resolved = topology::resolve_topology(options.spec);
  for (const std::string& warning : resolved.warnings) print_warning(warning);
  return std::move(resolved.graph);
}

Outcome build(const TopologyOptions& options) {
  const topology::TopologyGraph graph = load(options);
  const auto written = topology::emit_diagrams(graph, options.folder, options.pe_view);
  print("{}", describe_graph(graph));
  for (const auto& path : written) print("wrote {}\n", path.string());
  return Outcome::Pass;
}

Outcome show(const TopologyOptions& options, const topology::TopologyGraph& graph) {
  if (options.node.empty()) {
    print_output(describe_graph(graph));
  } else {
    const topology::AddressResolver resolver(graph);
    print_output(describe_node(graph, resolver.node(options.node)));
  }
  return Outcome::Pass;
}

/// Returns a node by name or by physical address ("0x..."). Throws BadInput or RoutingError.
NodeId end_of_route(const topology::AddressResolver& resolver, const std::string& text) {
  if (!text.starts_with("0x")) return resolver.node(text);
  const auto bits = common::parse_u64(text);
  if (!bits) {
    throw BadInput(
        fmt::format("'{}' is not an address: expected 0x and up to 16 hexadecimal digits", text));
  }
  return resolver.resolve(topology::decode_phys_addr(*bits));
}

Outcome route(const TopologyOptions& options, const topology::TopologyGraph& graph) {
  const topology::AddressResolver resolver(graph);
  const PathRouter router(graph);
  const std::string to(graph.name(end_of_route(resolver, options.to)));
  Path found;
  if (options.intent == "pe_dma") {
    found = router.find_path(options.from, to);
  } else if (options.intent == "mcpu_dma") {
    found = router.find_mcpu_dma_path(options.from, to);
  } else if (options.intent == "memory") {
    found = router.find_memory_path(options.from, to);
  } else {
    found = router.find_node_path(options.from, to);
  }
  print_output(describe_route(graph, router, found));
  return Outcome::Pass;
}

Outcome check(const TopologyOptions& options) {
  const topology::TopologyGraph graph = load(options);
  const topology::StructureReport report = topology::check_structure(graph);
  const Outcome outcome = report.outcome(options.strict);
  print("{}", describe_check(graph, report, outcome));
  return outcome;
}

void write_graph(const TopologyOptions& options, const Invocation& invocation,
                 const topology::TopologyGraph& graph, std::ostream& out) {
  if (options.format == "dot") {
    topology::to_dot(graph, out);
  } else if (options.format == "graphml") {
    topology::to_graphml(graph, out);
  } else {
    common::ReportEnvelope frame;
    frame.config_hash = common::hex64(
        common::hash_bytes(common::read_text_file(common::expand_home(options.spec))));
    frame.revision = source_revision();
    frame.command = invocation.command_line();
    topology::to_json(graph, frame, out);
  }
}

Outcome export_graph(const TopologyOptions& options, const Invocation& invocation) {
  const topology::TopologyGraph graph = load(options);
  if (options.output.empty()) {
    write_graph(options, invocation, graph, std::cout);
    std::cout.flush();  // main() checks it
    return Outcome::Pass;
  }
  common::AtomicFile file(options.output);
  write_graph(options, invocation, graph, file.stream());
  file.commit();
  print("wrote {}\n", options.output);
  return Outcome::Pass;
}

/// Runs `command` on the topology. Turns a RoutingError, which the user's arguments cause, into
/// BadInput with the nearest names of nodes.
template <typename Command>
Outcome answered(const TopologyOptions& options, Command command) {
  const topology::TopologyGraph graph = load(options);
  try {
    return command(options, graph);
  } catch (const topology::RoutingError& error) {
    std::vector<std::string> meant;
    for (const std::string& name : {options.node, options.from, options.to}) {
      if (name.empty() || name.starts_with("0x")) continue;
      if (const auto nearest = topology::nearest_node(graph, name)) {
        meant.push_back(*nearest);
      }
    }
    throw BadInput(meant.empty() ? error.what()
                                 : fmt::format("{}; did you mean '{}'?", error.what(),
                                               fmt::join(meant, "' and '")));
  }
}

void add_spec_option(Command& command, const Invocation& invocation, TopologyOptions& options) {
  add_topology_option(command, options.spec, invocation);
}

void add_build(Command& topology, const Invocation& invocation,
               const std::shared_ptr<TopologyOptions>& options) {
  Command& command = topology.add_command("build", "Compile a topology and draw its views");
  add_spec_option(command, invocation, *options);
  command.add_option("-o,--output", options->folder, "Folder for the drawings (SVG)")
      .check(output_folder({"*.svg"}));
  command.add_flag("--pe-view", options->pe_view, "Also draw the inside of a PE");
  command.footer = "Example:\n  kernbench topology build --topology configs/topology.yaml";
  command.run = [options] { return build(*options); };
}

void add_show(Command& topology, const Invocation& invocation,
              const std::shared_ptr<TopologyOptions>& options) {
  Command& command = topology.add_command("show", "Count nodes and edges, or show one node");
  add_spec_option(command, invocation, *options);
  command.add_option("--node", options->node, "Node to show, such as sip0.cube0.m_cpu");
  command.footer = "Example:\n  kernbench topology show --node sip0.cube0.noc.r0c0";
  command.run = [options] { return answered(*options, show); };
}

void add_export(Command& topology, const Invocation& invocation,
                const std::shared_ptr<TopologyOptions>& options) {
  Command& command = topology.add_command("export", "Write the graph for other tools");
  add_spec_option(command, invocation, *options);
  command.add_option("--format", options->format, "Output format")
      .check(one_of({"dot", "graphml", "json"}));
  command
      .add("--json", shorthand([options](const Words&) { options->format = "json"; }, ""),
           "Same as --format json, the default")
      .excludes("--format");
  command.add_option("-o,--output", options->output, "Output file; standard output by default")
      .check(output_file());
  command.footer =
      "JSON contains every parameter that affects latency; GraphML and DOT contain names, "
      "positions "
      "and edges.\n"
      "Examples:\n"
      "  kernbench topology export --json -o topology.json\n"
      "  kernbench topology export --format graphml -o topology.graphml";
  command.run = [options, &invocation] { return export_graph(*options, invocation); };
}

void add_route(Command& topology, const Invocation& invocation,
               const std::shared_ptr<TopologyOptions>& options) {
  Command& command =
      topology.add_command("route", "Print the route from a node to a node or an address");
  add_spec_option(command, invocation, *options);
  command.add_option("--from", options->from, "Source node; a PE for pe_dma (sip0.cube0.pe0)")
      .required();
  command.add_option("--to", options->to, "Destination: a node or a physical address (0x...)")
      .required();
  command
      .add_option("--intent", options->intent, "Kind of access, which determines the usable edges")
      .check(one_of({"pe_dma", "mcpu_dma", "memory", "node"}));
  command.footer =
      "Intents: pe_dma (DMA of a PE), mcpu_dma (DMA of an M_CPU), memory (host reads and writes),\n"
      "node (any edge, including the control plane).\n"
      "Examples:\n"
      "  kernbench topology route --from sip0.cube0.pe0 --to 0x0000050180000000\n"
      "  kernbench topology route --from sip0.io0.io_cpu --to sip0.cube5.m_cpu --intent node";
  command.run = [options] { return answered(*options, route); };
}

void add_check(Command& topology, const Invocation& invocation,
               const std::shared_ptr<TopologyOptions>& options) {
  Command& command = topology.add_command(
      "check", "Check for unreachable nodes, one-way edges, dead links and deadlocks");
  add_spec_option(command, invocation, *options);
  command.add_flag("--strict", options->strict, "Treat a possible deadlock as an error");
  command.footer = "Example:\n  kernbench topology check --topology configs/topology.yaml";
  command.run = [options] { return check(*options); };
}

}  // namespace

void add_topology_command(Command& program, const Invocation& invocation) {
  Command& command = program.add_command("topology", "Compile, show, export and check topologies");
  command.needs_command = true;
  command.footer =
      "Examples:\n"
      "  kernbench topology build\n"
      "  kernbench topology route --from sip0.cube0.pe0 --to sip0.cube5.hbm_ctrl.pe7\n"
      "  kernbench topology zoo 'TerminalRouter(Mesh2D(4,3))' --svg mesh.svg";
  const auto options = std::make_shared<TopologyOptions>();
  add_build(command, invocation, options);
  add_show(command, invocation, options);
  add_export(command, invocation, options);
  add_route(command, invocation, options);
  add_check(command, invocation, options);
  add_zoo_command(command, invocation);
  add_topology_rtl_command(command, invocation);
  add_topology_prove_command(command, invocation);
}

}  // namespace kernbench::cli
