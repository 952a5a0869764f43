// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/source_lines.hpp"

#include <fstream>
#include <regex>

namespace kernbench::sim {
Lines read_lines(const std::string& file) {
  std::ifstream in(file);
  Lines lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::set<std::string> names_in(const std::string& line) {
  static const std::regex kName(R"([A-Za-z_]\w*)");
  std::set<std::string> names;
  for (auto at = std::sregex_iterator(line.begin(), line.end(), kName);
       at != std::sregex_iterator(); ++at) {
    names.insert(at->str());
  }
  return names;
}

std::string target_of(const std::string& line) {
  static const std::regex kAssignment(R"(([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*<=[^=])");
  std::smatch found;
  return std::regex_search(line, found, kAssignment) ? found[1].str() : "";
}

}  // namespace kernbench::sim
