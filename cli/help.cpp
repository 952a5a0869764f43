// SPDX-License-Identifier: Apache-2.0
#include "cli/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "cli/console.hpp"
#include "cli/usage_error.hpp"
#include "common/diagnostics.hpp"

namespace kernbench::cli {
namespace {

std::vector<CLI::App*> subcommands_of(CLI::App& command) {
  return command.get_subcommands([](CLI::App* sub) { return !sub->get_name().empty(); });
}

/// Adds `flag` to all levels, so that it is accepted before and after the words of a command.
void add_verbosity_flags(CLI::App& command,
                         const std::shared_ptr<std::optional<Verbosity>>& chosen) {
  const auto choose = [chosen](Verbosity wanted) {
    if (*chosen && **chosen != wanted) {
      throw common::BadInput("--quiet and --verbose cannot be combined");
    }
    *chosen = wanted;
    set_verbosity(wanted);
  };
  command
      .add_flag_callback(
          "-q,--quiet", [choose] { choose(Verbosity::Quiet); }, "Print only verdicts and errors")
      ->group("Common options");
  command
      .add_flag_callback(
          "-v,--verbose", [choose] { choose(Verbosity::Verbose); },
          "Also print which files are read and written, which programs are run, and the time")
      ->group("Common options");
  for (CLI::Option* option : command.get_options()) {
    if (option->get_expected_max() == 0 || option->get_type_size_max() == 0) {
      option->disable_flag_override();  // else --flag=0 is accepted
    }
  }
  for (CLI::App* sub : subcommands_of(command)) add_verbosity_flags(*sub, chosen);
}

void add_exit_codes(CLI::App& command) {
  const std::string own = command.get_footer();
  command.footer(own + (own.empty() ? "" : "\n") + exit_code_text());
  for (CLI::App* sub : subcommands_of(command)) add_exit_codes(*sub);
}

}  // namespace

std::string exit_code_text() {
  return "Exit code: 0 pass, 1 mismatch or nothing checked, 2 bad input, 3 timeout, 4 deadlock,\n"
         "5 internal error, 130 interrupted.";
}

void add_common_parts(CLI::App& app) {
  add_verbosity_flags(app, std::make_shared<std::optional<Verbosity>>());
  add_exit_codes(app);
}

void add_help_command(CLI::App& app) {
  CLI::App* help = app.add_subcommand("help", "Show the help of a command");
  const auto words = std::make_shared<std::vector<std::string>>();
  help->add_option("command", *words, "Words of the command; none for the list of commands");
  help->footer(
      "Examples:\n"
      "  kernbench help\n"
      "  kernbench help topology route");
  help->callback([&app, words] {
    CLI::App* command = &app;
    for (const std::string& word : *words) {
      const auto found = command->get_subcommands(
          [&word](const CLI::App* sub) { return sub->get_name() == word; });
      if (found.empty()) throw common::BadInput(unknown_command_text(*command, word));
      command = found.front();
    }
    app.clear();  // else the help is that of this command
    fmt::print("{}", command->help(command == &app ? "" : full_name(*command->get_parent())));
  });
}

std::string full_name(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  if (parent == nullptr) return "kernbench";
  return full_name(*parent) + " " + command.get_name();
}

std::string command_list(const CLI::App& command) {
  std::size_t width = 0;
  const auto subs =
      command.get_subcommands([](const CLI::App* sub) { return !sub->get_name().empty(); });
  for (const CLI::App* sub : subs) width = std::max(width, sub->get_name().size());
  std::string text;
  for (const CLI::App* sub : subs) {
    text += fmt::format("  {:<{}}  {}\n", sub->get_name(), width, sub->get_description());
  }
  return text;
}

}  // namespace kernbench::cli
