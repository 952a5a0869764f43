// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/line/command.hpp"

namespace kernbench::cli {

/// A part of the text below a command's options: paragraphs, examples or exit codes.
struct FooterPart {
  std::string heading;             ///< "Examples", "Exit status" or empty
  std::vector<std::string> lines;  ///< lines that begin with a space are to stay as they are
};

/// Divides the footer of a command at the lines "Examples:" and "Exit code...".
[[nodiscard]] std::vector<FooterPart> parts_of_footer(const std::string& footer);

/// A man page and the name of its file.
struct ManPage {
  std::string file;  ///< "kernbench-sim.1"
  std::string text;
};

/// Returns a man page for the program and one for each of its commands.
[[nodiscard]] std::vector<ManPage> man_pages(const Command& program, const std::string& version);

/// Returns all commands and options as one Markdown page.
[[nodiscard]] std::string markdown_reference(const Command& program);

}  // namespace kernbench::cli
