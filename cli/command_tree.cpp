// SPDX-License-Identifier: Apache-2.0
#include "cli/base/command.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "cli/base/console.hpp"
#include "cli/line/parser.hpp"
#include "cli/line/path_kinds.hpp"
#include "common/diagnostics.hpp"

namespace kernbench::cli {
namespace {

constexpr std::string_view kMissing = "not in this build: make build";

/// A command and what adds it; without that, the program may have it as a part.
struct Listed {
  const char* name;
  Parts::AddCommand add = nullptr;
};

/// The commands in the order of the help.
constexpr std::array<Listed, 23> kCommands = {{{"sim", add_sim_command},
                                               {"structure", add_structure_command},
                                               {"replay", add_replay_command},
                                               {"shrink", add_shrink_command},
                                               {"bisect", add_bisect_command},
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
                                               {"compare"},
                                               {"rerun"},
                                               {"job", add_job_command},
                                               {"web"},
                                               {"schema"},
                                               {"doctor", add_doctor_command}}};

/// Adds a command that is not in this build. It takes all words, so that each way to call it ends
/// with the message.
void add_missing_command(Command& program, const std::string& name) {
  Command& command = program.add_command(name, std::string(kMissing));
  command.is_missing = true;
  command.run = [name]() -> common::Outcome { fail_not_in_this_build(name); };
}

/// Adds `--plugin` to the program and to the commands that use what plugins register, so that it is
/// accepted before and after their words.
void add_plugin_options(Command& program, const Invocation& invocation) {
  const auto add = [plugins = &invocation.common->plugins](Command& command) {
    Variable paths = shorthand([plugins](const Words& given) {
      plugins->insert(plugins->end(), given.begin(), given.end());
    });
    paths.is_list = true;
    paths.reset = [plugins] { plugins->clear(); };
    command
        .add("--plugin", std::move(paths),
             "Load a library with further benches, collectives, components, topologies and traffic "
             "(repeatable)")
        .one_each()
        .check(input_file())
        .in_group(kCommonGroup);
  };
  add(program);
  for (const char* const name :
       {"cosim", "evaluate", "kernel", "list", "probe", "run", "serve", "traffic"}) {
    if (!invocation.parts.commands.contains(name)) continue;
    Command& command = *program.find(name);
    add(command);
    for (const auto& below : command.commands()) add(*below);
  }
  if (invocation.parts.commands.contains("topology")) add(*program.find("topology")->find("zoo"));
}

/// Adds `--bench-dir` to the commands that run or list benches.
void add_bench_folders(Command& program, const Invocation& invocation) {
  for (const char* const name : {"cosim", "kernel", "list", "run", "sweep"}) {
    if (!invocation.parts.commands.contains(name)) continue;
    Command& command = *program.find(name);
    const auto add = [folders = &invocation.common->bench_folders](Command& to) {
      Variable paths = shorthand([folders](const Words& given) {
        folders->insert(folders->end(), given.begin(), given.end());
      });
      paths.is_list = true;
      paths.reset = [folders] { folders->clear(); };
      to.add("--bench-dir", std::move(paths),
             "Read the benches of all files in this folder, such as *.py (repeatable; "
             "KERNBENCH_BENCHES names folders too)")
          .one_each()
          .check(input_folder())
          .in_group(kCommonGroup);
    };
    add(command);
    for (const auto& below : command.commands()) add(*below);
  }
}

/// Adds the options of all commands, so that they are accepted before and after the words of a
/// command.
void add_verbosity_options(Command& command, CommonOptions& common) {
  command.add_flag("-q,--quiet", common.quiet, "Print only verdicts and errors")
      .in_group(kCommonGroup);
  command
      .add_flag("-v,--verbose", common.verbose,
                "Also print which files are read and written, which programs are run, and the time")
      .in_group(kCommonGroup);
  for (const auto& below : command.commands()) add_verbosity_options(*below, common);
}

/// Adds `kernbench help COMMAND...`, which prints the same as `kernbench COMMAND... --help`.
void add_help_command(Command& program) {
  Command& help = program.add_command("help", "Show the help of a command");
  const auto words = std::make_shared<Words>();
  help.add_option("command", *words, "Words of the command; none for the list of commands");
  help.footer =
      "Examples:\n"
      "  kernbench help\n"
      "  kernbench help topology route";
  help.run = [&program, words] {
    const Command* command = &program;
    for (const std::string& word : *words) {
      const Command* const found = command->find(word);
      if (found == nullptr) throw common::BadInput(unknown_command_text(*command, word));
      command = found;
    }
    print_output(help_text(*command));
    return common::Outcome::Pass;
  };
}

}  // namespace

void fail_not_in_this_build(std::string_view name) {
  throw common::BadInput(fmt::format("'{}' is {}", name, kMissing));
}

Words Invocation::words() const {
  return command->typed_words(
      [](const Option& option) { return option.decides != Decides::Cluster; });
}

void add_commands(Command& program, const Invocation& invocation) {
  program.needs_command = true;
  program.footer =
      "Examples:\n"
      "  kernbench sim                       verify the MAZE Topo RTL; reports in build/reports/\n"
      "  kernbench help sim                  options of one command\n"
      "  kernbench coverage report build/reports/coverage.json\n"
      "  kernbench topology build            compile configs/topology.yaml and draw its views\n"
      "  kernbench web                       show the topology and the reports in a browser";
  for (const Listed& listed : kCommands) {
    const auto part = invocation.parts.commands.find(listed.name);
    if (listed.add != nullptr) {
      listed.add(program, invocation);
    } else if (part != invocation.parts.commands.end()) {
      part->second(program, invocation);
    } else {
      add_missing_command(program, listed.name);
    }
  }
  add_reference_commands(program);
  add_plugin_options(program, invocation);
  add_bench_folders(program, invocation);
  add_help_command(program);
  add_verbosity_options(program, *invocation.common);
}

}  // namespace kernbench::cli
