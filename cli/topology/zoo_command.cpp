// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include "cli/base/chosen_topology.hpp"
#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/options.hpp"
#include "cli/base/picture_file.hpp"
#include "cli/base/revision.hpp"
#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "common/places.hpp"
#include "common/text_file.hpp"
#include "topology/exchange/edge_list_export.hpp"
#include "topology/zoo/zoo.hpp"

namespace kernbench::cli {
namespace {

using common::BadInput;
using common::Outcome;
namespace zoo = topology::zoo;

struct ZooOptions {
  std::string text;
  std::string spec;
  std::string svg;
  std::string output;
  std::string format = "json";
  std::string routes;
  bool no_vcs = false;
};

void list_kinds() {
  for (const zoo::ZooKind& kind : zoo::zoo_kinds()) {
    fmt::print("{:<44} {}\n", fmt::format("{}({})", kind.name, kind.parameters), kind.doc);
  }
  fmt::print("\nRouting relations for `routing` in a --spec file, in place of that of the kind:\n");
  for (const zoo::RoutingKind& kind : zoo::routing_kinds()) {
    fmt::print("{:<16} {}\n", kind.name, kind.doc);
  }
}

/// Writes a file with `write`, a function of a stream.
template <typename Write>
void write_file(const std::string& path, Write write) {
  common::AtomicFile file(path);
  write(file.stream());
  file.commit();
  print("wrote {}\n", path);
}

void export_topology(const ZooOptions& options, const Invocation& invocation,
                     const zoo::RoutingRelation& relation, const ChosenTopology& from,
                     Outcome outcome) {
  if (options.format == "json") {
    common::ReportEnvelope frame;
    frame.outcome = outcome;
    common::ByteHash hash;
    hash.add(options.text);
    for (const std::filesystem::path& file : from.files) hash.add(common::read_text_file(file));
    frame.config_hash = common::hex64(hash.value());
    frame.revision = source_revision();
    frame.command = invocation.command_line();
    write_file(options.output, [&](std::ostream& out) { zoo::to_json(relation, frame, out); });
    return;
  }
  const topology::ImportedGraph graph = zoo::plain_graph(relation.topology());
  if (options.format == "csv" && relation.topology().has_parallel_channels()) {
    throw BadInput("--format csv has no parallel channels; json and graphml have them");
  }
  write_file(options.output, [&](std::ostream& out) {
    options.format == "csv" ? topology::to_csv(graph, out) : topology::to_graphml(graph, out);
  });
}

Outcome run(const ZooOptions& options, const Invocation& invocation) {
  if (options.text.empty() && options.spec.empty()) {
    list_kinds();
    return Outcome::Pass;
  }
  const ChosenTopology from = chosen_base_topology(options.text, options.spec);
  const zoo::TopologyPtr& topology = from.topology;
  if (options.no_vcs && topology->own_routing()) {
    throw BadInput("--no-vcs excludes 'routes' and 'routing' in the --spec file");
  }
  try {
    if (!options.svg.empty()) {
      write_picture(options.svg, zoo::render_zoo_svg(*topology));
      print("wrote {}\n", options.svg);
    }
    const auto relation = options.no_vcs ? std::make_unique<zoo::ShortestPathRouting>(*topology)
                                         : zoo::natural_routing(*topology);
    const zoo::RoutingCheck check = zoo::check_routing(*relation);
    const Outcome outcome = check.outcome();
    if (!options.output.empty()) export_topology(options, invocation, *relation, from, outcome);
    if (!options.routes.empty()) {
      write_file(options.routes, [&](std::ostream& out) { zoo::to_routes_csv(*relation, out); });
    }
    print("{}", zoo::routing_report(*topology, check));
    print("{}\n", zoo::verdict_text(check));
    return outcome;
  } catch (const std::invalid_argument& error) {
    throw BadInput(error.what());  // too many nodes to draw or to route
  }
}

}  // namespace

void add_zoo_command(Command& topology, const Invocation& invocation) {
  Command& command = topology.add_command(
      "zoo", "List the base topologies, or draw or export one and check its routing for deadlocks");
  const auto options = std::make_shared<ZooOptions>();
  add_base_topology_options(command, options->text, options->spec, invocation,
                            "'Mesh2D(4,3)'; omit it to list the kinds");
  command.add_option("--svg", options->svg, "Write a drawing to this file (.svg, .pdf or .png)")
      .check(output_picture());
  command
      .add_option("-o,--output", options->output,
                  "Write the channels, and in JSON the routes, to this file")
      .check(output_file());
  command.add_option("--format", options->format, "Format of --output")
      .check(one_of({"json", "graphml", "csv"}));
  command
      .add_option("--routes", options->routes,
                  "Write the hops of the route of every pair to this file (CSV)")
      .check(output_file());
  command.add_flag("--no-vcs", options->no_vcs,
                   "Route by shortest paths without virtual channels, which may deadlock");
  command.footer =
      "Exit code 1 if the routing can deadlock, or a pair of nodes has no route that the kind does "
      "not leave out by design, or there is no pair.\n"
      "Examples:\n"
      "  kernbench topology zoo\n"
      "  kernbench topology zoo 'UnidirectionalTorus1D(4)' --no-vcs\n"
      "  kernbench topology zoo --spec configs/zoo/hierarchical.yaml --svg hierarchical.svg\n"
      "  kernbench topology zoo 'Mesh2D(4,3)' --format graphml -o mesh.graphml --routes mesh.csv";
  command.run = [options, &invocation] { return run(*options, invocation); };
}

}  // namespace kernbench::cli
