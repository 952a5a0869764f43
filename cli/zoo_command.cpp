// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "cli/command.hpp"
#include "cli/paths.hpp"
#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
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
  bool no_vcs = false;
};

void list_kinds() {
  for (const zoo::ZooKind& kind : zoo::zoo_kinds()) {
    fmt::print("{:<44} {}\n", fmt::format("{}({})", kind.name, kind.parameters), kind.doc);
  }
}

zoo::TopologyPtr chosen(const ZooOptions& options) {
  if (!options.text.empty() && !options.spec.empty()) {
    throw BadInput("give a topology or a --spec file, not both");
  }
  return options.spec.empty() ? zoo::parse_zoo_text(options.text)
                              : zoo::load_zoo_spec(options.spec);
}

Outcome run(const ZooOptions& options) {
  if (options.text.empty() && options.spec.empty()) {
    list_kinds();
    return Outcome::Pass;
  }
  const zoo::TopologyPtr topology = chosen(options);
  try {
    if (!options.svg.empty()) {
      common::write_file_atomically(options.svg, zoo::render_zoo_svg(*topology));
      fmt::print("wrote {}\n", options.svg);
    }
    const auto relation = options.no_vcs ? std::make_unique<zoo::ShortestPathRouting>(*topology)
                                         : zoo::natural_routing(*topology);
    const zoo::RoutingCheck check = zoo::check_routing(*relation);
    fmt::print("{}", zoo::routing_report(*topology, check));
    return check.passed() ? Outcome::Pass : Outcome::Mismatch;
  } catch (const std::invalid_argument& error) {
    throw BadInput(error.what());  // too many nodes to draw or to route
  }
}

}  // namespace

void add_zoo_command(CLI::App& topology, Outcome& outcome) {
  CLI::App* command = topology.add_subcommand(
      "zoo", "List the base topologies, or draw one and check its routing for deadlocks");
  const auto options = std::make_shared<ZooOptions>();
  command
      ->add_option("topology", options->text,
                   "Base topology, such as 'Mesh2D(4,3)'; omit it to list the kinds")
      ->check(not_empty("topology"));
  command->add_option("--spec", options->spec, "Base topology file (YAML); see configs/zoo/")
      ->check(input_file());
  command->add_option("--svg", options->svg, "Write a drawing to this file (SVG)")
      ->check(output_file());
  command->add_flag("--no-vcs", options->no_vcs,
                    "Route by shortest paths without virtual channels, which may deadlock");
  command->footer(
      "Exit code 1 if the routing can deadlock or a pair of nodes has no route.\n"
      "Examples:\n"
      "  kernbench topology zoo\n"
      "  kernbench topology zoo 'UnidirectionalTorus1D(4)' --no-vcs\n"
      "  kernbench topology zoo --spec configs/zoo/hierarchical.yaml --svg hierarchical.svg");
  command->callback([options, &outcome] { outcome = run(*options); });
}

}  // namespace kernbench::cli
