// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/paths.hpp"
#include "cli/reference/completion.hpp"
#include "cli/reference/pages.hpp"
#include "cli/revision.hpp"
#include "common/atomic_file.hpp"

namespace kernbench::cli {
namespace {

using common::Outcome;

void add_completion(CLI::App& app, Outcome& outcome) {
  CLI::App* command =
      app.add_subcommand("completion", "Print a script that completes commands in a shell");
  const auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "Shell for which the script is")
      ->check(one_of({"bash", "zsh", "fish"}))
      ->required();
  command->footer(
      "Examples:\n"
      "  source <(kernbench completion bash)      in ~/.bashrc; also for zsh, after compinit\n"
      "  kernbench completion fish | source       in ~/.config/fish/config.fish");
  command->callback([shell, &app, &outcome] {
    const CommandDescription program = describe_commands(app);
    fmt::print("{}", *shell == "bash"  ? bash_completion(program)
                     : *shell == "zsh" ? zsh_completion(program)
                                       : fish_completion(program));
    outcome = Outcome::Pass;
  });
}

void write_man_pages(const CLI::App& app, const std::string& folder) {
  common::ensure_directory(folder);
  for (const ManPage& page : man_pages(describe_commands(app), std::string(version()))) {
    common::write_file_atomically(std::filesystem::path(folder) / page.file, page.text);
  }
}

void add_reference(CLI::App& app, Outcome& outcome) {
  CLI::App* command =
      app.add_subcommand("reference", "Write the reference of all commands and options");
  command->require_subcommand(1);
  command->footer("Examples:\n  kernbench reference markdown\n  kernbench reference man -o man1");
  CLI::App* markdown = command->add_subcommand("markdown", "Print the reference as Markdown");
  markdown->footer("Example:\n  kernbench reference markdown > options.md");
  markdown->callback([&app, &outcome] {
    fmt::print("{}", markdown_reference(describe_commands(app)));
    outcome = Outcome::Pass;
  });
  CLI::App* man =
      command->add_subcommand("man", "Write a man page for each command, and one for the program");
  const auto folder = std::make_shared<std::string>();
  man->add_option("-o,--output", *folder, "Folder for the man pages")
      ->required()
      ->check(output_folder({"*.1"}));
  man->footer("Example:\n  kernbench reference man -o man1");
  man->callback([folder, &app, &outcome] {
    write_man_pages(app, *folder);
    outcome = Outcome::Pass;
  });
}

}  // namespace

void add_reference_commands(CLI::App& app, Outcome& outcome) {
  add_completion(app, outcome);
  add_reference(app, outcome);
}

}  // namespace kernbench::cli
