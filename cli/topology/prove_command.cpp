// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/base/chosen_topology.hpp"
#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/options.hpp"
#include "topology/rtl/noc_plan.hpp"
#include "topology/rtl/noc_proof.hpp"
#include "topology/zoo/routing/natural_routing.hpp"

namespace kernbench::cli {
namespace {

struct ProveOptions {
  std::string text;
  std::string spec;
  std::string folder;
  std::uint32_t lanes = 1;
};

common::Outcome run(const ProveOptions& options, const Invocation& invocation) {
  const auto graph = chosen_base_topology(options.text, options.spec).topology;
  const auto relation = topology::zoo::natural_routing(*graph);
  (void)topology::plan_noc(*relation,
                           {.lanes = options.lanes});  // reports what the RTL does not take
  const bool is_file = !options.spec.empty();
  const topology::NocProof proof =
      topology::prove_noc({.root = invocation.root,
                           .work = options.folder,
                           .network = is_file ? options.spec : options.text,
                           .is_file = is_file,
                           .lanes = options.lanes});
  print("{}", proof.text);
  return proof.outcome;
}

}  // namespace

void add_topology_prove_command(Command& topology, const Invocation& invocation) {
  Command& command = topology.add_command(
      "prove", "Prove the RTL of a network: its routers, links, tables and wires");
  const auto options = std::make_shared<ProveOptions>();
  add_base_topology_options(command, options->text, options->spec, invocation,
                            "'Mesh2D(4,3)'; see `topology zoo`");
  command
      .add_option("-o,--output", options->folder,
                  "Folder of circuits, counterexamples and reports; proven results are kept there")
      .required()
      .check(models_folder());
  command.add_option("--lanes", options->lanes, "Virtual channels of each class of the routes")
      .check(whole_number(1, topology::kMaxNocInputVcs));
  command.footer =
      "Each kind of router is proven with two slots for a virtual channel. Needs a checkout, Yosys "
      "and berkeley-abc.\n"
      "Exit code 1 if something is refuted or undecided.\n"
      "Example:\n"
      "  kernbench topology prove 'BidirectionalTorus1D(6)' -o build/proof";
  command.require_one({"topology", "--spec"},
                      "give either a topology, such as 'Mesh2D(4,3)', or a --spec file");
  command.run = [options, &invocation] { return run(*options, invocation); };
}

}  // namespace kernbench::cli
