// SPDX-License-Identifier: Apache-2.0
#include "cli/command.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "cli/help.hpp"
#include "cli/options.hpp"
#include "cli/paths.hpp"
#include "common/diagnostics.hpp"

namespace kernbench::cli {
namespace {

constexpr std::string_view kMissing = "not in this build: make build";

/// A command and what adds it; without that, the program may have it as a part.
struct Command {
  const char* name;
  Parts::AddCommand add = nullptr;
};

/// The commands in the order of the help.
constexpr std::array<Command, 18> kCommands = {{{"sim", add_sim_command},
                                                {"soak", add_soak_command},
                                                {"model", add_model_command},
                                                {"coverage", add_coverage_command},
                                                {"topology"},
                                                {"probe"},
                                                {"run"},
                                                {"list"},
                                                {"kernel"},
                                                {"serve"},
                                                {"evaluate"},
                                                {"traffic"},
                                                {"cosim"},
                                                {"sweep"},
                                                {"job", add_job_command},
                                                {"web"},
                                                {"schema"},
                                                {"doctor", add_doctor_command}}};

/// Adds a command that is not in this build. It takes all words, so that each way to call it ends
/// with the message.
void add_missing_command(CLI::App& app, const std::string& name) {
  CLI::App* const command = app.add_subcommand(name, std::string(kMissing));
  command->set_help_flag();
  command->allow_extras();
  command->callback([name] { fail_not_in_this_build(name); });
}

/// Adds `--plugin` to the program and to the commands that use what plugins register, so that it is
/// accepted before and after their words.
void add_plugin_options(CLI::App& app, const Invocation& invocation) {
  add_plugin_option(app, invocation.plugins);
  for (const char* const name :
       {"cosim", "evaluate", "kernel", "list", "probe", "run", "serve", "traffic"}) {
    if (!invocation.parts.commands.contains(name)) continue;
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

void fail_not_in_this_build(std::string_view name) {
  throw common::BadInput(fmt::format("'{}' is {}", name, kMissing));
}

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
  for (const Command& command : kCommands) {
    const auto part = invocation.parts.commands.find(command.name);
    if (command.add != nullptr) {
      command.add(app, invocation, outcome);
    } else if (part != invocation.parts.commands.end()) {
      part->second(app, invocation, outcome);
    } else {
      add_missing_command(app, command.name);
    }
  }
  add_reference_commands(app, outcome);
  add_plugin_options(app, invocation);
  add_help_command(app);
  refuse_empty_values(app);
  add_common_parts(app);
}

}  // namespace kernbench::cli
