// SPDX-License-Identifier: Apache-2.0
#include "cli/command.hpp"
#include "cli/help.hpp"

namespace kernbench::cli {

void add_commands(CLI::App& app, const Invocation& invocation, common::Outcome& outcome) {
  app.name("kernbench");
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  kernbench sim                       verify the MAZE Topo RTL; reports in build/reports/\n"
      "  kernbench help sim                  options of one command\n"
      "  kernbench coverage report build/reports/coverage.json\n"
      "  kernbench topology build            compile configs/topology.yaml and draw its views\n"
      "  kernbench web                       show the topology and the reports in a browser");
  add_sim_command(app, invocation, outcome);
  add_soak_command(app, invocation, outcome);
  add_coverage_command(app, invocation, outcome);
  add_topology_command(app, invocation, outcome);
  add_probe_command(app, invocation, outcome);
  add_run_command(app, invocation, outcome);
  add_evaluate_command(app, invocation, outcome);
  add_traffic_command(app, invocation, outcome);
  add_cosim_command(app, invocation, outcome);
  add_web_command(app, invocation, outcome);
  add_schema_command(app, outcome);
  add_doctor_command(app, invocation, outcome);
  add_reference_commands(app, outcome);
  add_help_command(app);
  add_common_parts(app);
}

}  // namespace kernbench::cli
