// SPDX-License-Identifier: Apache-2.0
#include "cli/command.hpp"
#include "cli/help.hpp"
#include "cli/options.hpp"
#include "cli/paths.hpp"

namespace kernbench::cli {
namespace {

/// Adds `--plugin` to the program and to the commands that use what plugins register, so that it is
/// accepted before and after their words.
void add_plugin_options(CLI::App& app, const Invocation& invocation) {
  add_plugin_option(app, invocation.plugins);
  for (const char* const name :
       {"cosim", "evaluate", "kernel", "list", "probe", "run", "serve", "traffic"}) {
    CLI::App* const command = app.get_subcommand(name);
    add_plugin_option(*command, invocation.plugins);
    for (CLI::App* const sub : command->get_subcommands([](const CLI::App*) { return true; })) {
      if (!sub->get_name().empty()) add_plugin_option(*sub, invocation.plugins);
    }
  }
}

/// Makes every option refuse an empty value, which most would take for none.
void refuse_empty_values(CLI::App& command) {
  for (CLI::Option* const option : command.get_options()) {
    if (option->get_expected_max() > 0 && option->get_type_size_max() > 0) {
      option->check(not_empty("value"));
    }
  }
  for (CLI::App* const sub : command.get_subcommands([](const CLI::App*) { return true; })) {
    refuse_empty_values(*sub);
  }
}

}  // namespace

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
  add_model_command(app, invocation, outcome);
  add_coverage_command(app, invocation, outcome);
  add_topology_command(app, invocation, outcome);
  add_probe_command(app, invocation, outcome);
  add_run_command(app, invocation, outcome);
  add_kernel_command(app, invocation, outcome);
  add_serve_command(app, invocation, outcome);
  add_evaluate_command(app, invocation, outcome);
  add_traffic_command(app, invocation, outcome);
  add_cosim_command(app, invocation, outcome);
  add_sweep_command(app, invocation, outcome);
  add_job_command(app, invocation, outcome);
  add_web_command(app, invocation, outcome);
  add_schema_command(app, outcome);
  add_doctor_command(app, invocation, outcome);
  add_reference_commands(app, outcome);
  add_plugin_options(app, invocation);
  add_help_command(app);
  refuse_empty_values(app);
  add_common_parts(app);
}

}  // namespace kernbench::cli
