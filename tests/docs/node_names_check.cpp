// SPDX-License-Identifier: Apache-2.0
#include "node_names_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <regex>
#include <sstream>

namespace kernbench::docs {
namespace {

struct Exception {
  const char* path;
  const char* code;  ///< part of the line; "" for all of the file
};

constexpr std::array kExceptions = {
    Exception{"topology/graph/node_names.cpp", ""},
    // Takes what follows a known block, for a hint.
    Exception{"topology/routing/node_lookup.cpp", "node.substr(0, node.find('.'))"},
    // The spec comes before the graph: names of IO chiplets must not look like cubes.
    Exception{"topology/spec/spec_rules.cpp", "id.starts_with(\"cube\")"},
    // The one place of the viewer, which has names from the server only.
    Exception{"viewer/diagram.js", "rest.lastIndexOf('.')"},
};

/// Returns the form of text that builds a name, whole or in part, or looks for a part of one.
const std::regex& pattern_of(bool script) {
  static const std::string kKinds =
      "(host_cpu|switch|pcie_ep|io_cpu|io_noc|io_ucie|m_cpu|sram|hbm_ctrl|maze|pe_cpu|pe_scheduler|"
      "pe_dma|pe_fetch_store|pe_gemm|pe_math|pe_tcm|pe_mmu|pe_ipcq)";
  static const std::regex kCompiled(
      R"re(["'](sip|cube|pe)\{|["' ][^"'\n]*[.}](cube|pe)\{|["'](sip|cube)\d+(\.[a-z0-9_.]*)?["'])re"
      R"re(|["']fabric\.(switch|host_cpu)\d?["']|noc\.r\{|\.conn\.\{|\.ucie_\{|["']\.hbm_ctrl)re"
      R"re(|starts_with\("(sip|cube|pe)"\)|["']\.)re" +
      kKinds + R"re(["'])re");
  static const std::regex kScript(
      R"re((sip|cube|pe)\$\{|split\('\.'\)|lastIndexOf\('\.'\)|\^?\b(sip|cube|pe)\\d)re");
  return script ? kScript : kCompiled;
}

/// Returns a line without its comment.
std::string code_of(const std::string& line) {
  for (const char* begin : {"//", "/// ", "# "}) {
    const std::size_t at = line.find(begin);
    if (at != std::string::npos && line.find_first_not_of(" \t") == at) return {};
  }
  const std::size_t at = line.find("  //");
  return line.substr(0, at);
}

bool is_allowed(const std::string& path, const std::string& line) {
  return std::any_of(kExceptions.begin(), kExceptions.end(), [&](const Exception& one) {
    return path == one.path && line.find(one.code) != std::string::npos;
  });
}

}  // namespace

std::vector<std::string> check_node_names(const std::vector<SourceFile>& files) {
  std::vector<std::string> found;
  for (const SourceFile& file : files) {
    const std::regex& pattern = pattern_of(file.path.ends_with(".js"));
    std::istringstream lines(file.text);
    std::string line;
    for (std::size_t number = 1; std::getline(lines, line); ++number) {
      const std::string code = code_of(line);
      if (!std::regex_search(code, pattern) || is_allowed(file.path, line)) continue;
      found.push_back(
          fmt::format("{}:{}: {}", file.path, number, code.substr(code.find_first_not_of(" \t"))));
    }
  }
  return found;
}

}  // namespace kernbench::docs
