// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "cli/base/command.hpp"
#include "cli/base/options.hpp"
#include "cli/base/revision.hpp"
#include "cli/reference/completion.hpp"
#include "cli/reference/pages.hpp"
#include "common/atomic_file.hpp"

namespace kernbench::cli {
namespace {

using common::Outcome;

void add_completion(Command& program) {
  Command& command =
      program.add_command("completion", "Print a script that completes commands in a shell");
  const auto shell = std::make_shared<std::string>();
  command.add_option("shell", *shell, "Shell for which the script is")
      .check(one_of({"bash", "zsh", "fish"}))
      .required();
  command.footer =
      "Examples:\n"
      "  source <(kernbench completion bash)      in ~/.bashrc; also for zsh, after compinit\n"
      "  kernbench completion fish | source       in ~/.config/fish/config.fish";
  command.run = [shell, &program] {
    fmt::print("{}", *shell == "bash"  ? bash_completion(program)
                     : *shell == "zsh" ? zsh_completion(program)
                                       : fish_completion(program));
    return Outcome::Pass;
  };
}

void write_man_pages(const Command& program, const std::string& folder) {
  common::ensure_directory(folder);
  for (const ManPage& page : man_pages(program, std::string(version()))) {
    common::write_file_atomically(std::filesystem::path(folder) / page.file, page.text);
  }
}

void add_reference(Command& program) {
  Command& command =
      program.add_command("reference", "Write the reference of all commands and options");
  command.needs_command = true;
  command.footer = "Examples:\n  kernbench reference markdown\n  kernbench reference man -o man1";
  Command& markdown = command.add_command("markdown", "Print the reference as Markdown");
  markdown.footer = "Example:\n  kernbench reference markdown > options.md";
  markdown.run = [&program] {
    fmt::print("{}", markdown_reference(program));
    return Outcome::Pass;
  };
  Command& man =
      command.add_command("man", "Write a man page for each command, and one for the program");
  const auto folder = std::make_shared<std::string>();
  man.add_option("-o,--output", *folder, "Folder for the man pages")
      .required()
      .check(output_folder({"*.1"}));
  man.footer = "Example:\n  kernbench reference man -o man1";
  man.run = [folder, &program] {
    write_man_pages(program, *folder);
    return Outcome::Pass;
  };
}

}  // namespace

void add_reference_commands(Command& program) {
  add_completion(program);
  add_reference(program);
}

}  // namespace kernbench::cli
