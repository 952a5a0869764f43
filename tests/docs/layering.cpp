#include "layering.hpp"

#include <fmt/format.h>

#include <map>
#include <regex>
#include <set>

namespace kernbench::docs {
namespace {

using Layers = std::set<std::string>;

const std::map<std::string, Layers>& layers_known_to() {
  static const std::map<std::string, Layers> table = {
      {"common", {"common"}},
      {"topology", {"topology", "common"}},
      {"model", {"model", "topology", "common"}},
      {"sim", {"sim", "model", "topology", "common"}},
      {"cli", {"cli", "sim", "model", "topology", "common"}},
      {"rtl", {}},
      // The C++ half of the bench describes the ports of its top.
      {"tb", {"tb", "model", "rtl"}},
  };
  return table;
}

std::string first_folder(const std::string& path) {
  return path.substr(0, path.find('/'));
}

}  // namespace

std::vector<std::string> check_layering(const std::vector<SourceFile>& files) {
  std::vector<std::string> problems;
  std::map<std::string, std::set<std::string>> verilated;  // header -> sources that include it
  const std::regex include(R"(^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">])",
                           std::regex::ECMAScript | std::regex::multiline);
  const std::regex verilated_top(R"(V\w+\.h)");
  for (const SourceFile& file : files) {
    const std::string layer = first_folder(file.path);
    const auto rule = layers_known_to().find(layer);
    for (auto match = std::sregex_iterator(file.text.begin(), file.text.end(), include);
         match != std::sregex_iterator(); ++match) {
      const std::string name = (*match)[1];
      if (std::regex_match(name, verilated_top)) {
        if (file.path.ends_with(".cpp")) verilated[name].insert(file.path);
        continue;
      }
      if (rule == layers_known_to().end()) continue;  // tests and benchmarks see everything
      const std::string target = first_folder(name);
      if (layers_known_to().count(target) == 0) {
        const bool ours_without_root = match->str().ends_with('"') && name != "port_format.hpp";
        if (ours_without_root) {
          problems.push_back(fmt::format("{} includes {}, which is not rooted at the repository",
                                         file.path, name));
        }
        continue;
      }
      const bool second_oracle = file.path.starts_with("model/maze/") && target == "topology";
      if (rule->second.count(target) == 0 || second_oracle) {
        problems.push_back(fmt::format("{} may not include {}", file.path, name));
      }
    }
  }
  for (const auto& [header, sources] : verilated) {
    if (sources.size() > 1) {
      problems.push_back(fmt::format("{} is included by {} sources", header, sources.size()));
    }
  }
  return problems;
}

}  // namespace kernbench::docs
