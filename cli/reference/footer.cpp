// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "cli/reference/pages.hpp"

namespace kernbench::cli {

std::vector<FooterPart> parts_of_footer(const std::string& footer) {
  std::vector<FooterPart> parts;
  std::istringstream lines(footer);
  for (std::string line; std::getline(lines, line);) {
    const bool examples = line.starts_with("Example");
    if (examples || line.starts_with("Exit code")) {
      parts.push_back({examples ? "Examples" : "Exit status", {}});
      if (examples) continue;
    } else if (parts.empty() ||
               (parts.back().heading == "Examples" && !line.empty() && line.front() != ' ')) {
      parts.emplace_back();  // text outside of the examples
    }
    parts.back().lines.push_back(line);
  }
  return parts;
}

}  // namespace kernbench::cli
