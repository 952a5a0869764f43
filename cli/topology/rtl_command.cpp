// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/base/chosen_topology.hpp"
#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/options.hpp"
#include "cli/base/router_options.hpp"
#include "topology/rtl/noc_sources.hpp"
#include "topology/zoo/routing/natural_routing.hpp"
#include "topology/zoo/zoo_svg.hpp"

namespace kernbench::cli {
namespace {

using common::Outcome;

struct RtlOptions {
  std::string text;
  std::string spec;
  std::string folder;
  topology::NocOptions network;
  bool check = false;
};

Outcome run(const RtlOptions& options, const Invocation& invocation) {
  const auto graph = chosen_base_topology(options.text, options.spec).topology;
  const auto relation = topology::zoo::natural_routing(*graph);
  const topology::NocPlan plan = topology::plan_noc(*relation, options.network);
  const std::vector<topology::GeneratedFile> files = topology::noc_files(
      plan, topology::noc_rtl(invocation.root + "/rtl"), topology::zoo::render_zoo_svg(*graph));
  if (!options.check) {
    topology::write_generated_folder(options.folder, files);
    print("{}", topology::noc_summary(plan));
    print("wrote {}\n", options.folder);
    return Outcome::Pass;
  }
  const std::vector<std::string> differences =
      std::filesystem::exists(options.folder)
          ? topology::differences_of_folder(options.folder, files)
          : std::vector<std::string>{options.folder + ": does not exist"};
  for (const std::string& difference : differences) print("{}\n", difference);
  print("{}  {} is {}\n", differences.empty() ? "PASS" : "FAIL", options.folder,
        differences.empty() ? "up to date" : "not up to date");
  return differences.empty() ? Outcome::Pass : Outcome::Mismatch;
}

}  // namespace

void add_topology_rtl_command(Command& topology, const Invocation& invocation) {
  using topology::NocOptions;
  Command& command = topology.add_command(
      "rtl", "Write the RTL of a network: a router at each node of a base topology");
  const auto options = std::make_shared<RtlOptions>();
  NocOptions& network = options->network;
  add_base_topology_options(command, options->text, options->spec, invocation,
                            "'Mesh2D(4,3)'; see `topology zoo`");
  command
      .add_option("-o,--output", options->folder,
                  "Folder of the RTL; the command replaces its own files there, and no others")
      .required()
      .check(output_folder({"*.sv", "*.f", "*.yml", "*.core", "*.xml", "*.md", "*.svg"}));
  add_router_options(command, network.lanes, network.slots, network.stages);
  add_link_options(command, network.flit_bits, network.wire);
  command.add_option("--module", network.module, "Name of the top module").check(not_empty("name"));
  command.add_flag("--check", options->check,
                   "Write nothing; tell whether the folder is what would be written");
  command.footer =
      "Exit code of --check: 0 up to date, 1 a file differs, is missing or was not generated.\n"
      "Examples:\n"
      "  kernbench topology rtl 'BidirectionalTorus2D(8,8)' -o build/torus\n"
      "  kernbench topology rtl 'BidirectionalTorus2D(8,8)' -o build/torus --check\n"
      "  kernbench topology rtl --spec configs/zoo/hierarchical.yaml --slots 4 -o build/network";
  command.require_one({"topology", "--spec"},
                      "give either a topology, such as 'Mesh2D(4,3)', or a --spec file");
  command.run = [options, &invocation] { return run(*options, invocation); };
}

}  // namespace kernbench::cli
