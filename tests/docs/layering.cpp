// SPDX-License-Identifier: Apache-2.0
#include "layering.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace kernbench::docs {
namespace {

using Paths = std::vector<std::string>;

/// Returns the folders that files may include, by path prefix; the longest matching prefix decides.
/// Files without a matching prefix (benchmarks) may include everything.
const std::map<std::string, Paths>& allowed_includes() {
  static const std::map<std::string, Paths> table = {
      {"common", {"common"}},
      {"maze", {"maze", "common"}},
      {"noc", {"noc", "common"}},
      {"plot", {"plot", "common"}},
      {"farm", {"farm", "plot", "common"}},
      {"topology", {"topology", "plot", "common"}},
      {"topology/maze_links", {"topology/maze_links", "common"}},
      {"topology/traffic_kind", {"topology/traffic_kind", "topology/grid", "common"}},
      {"model", {"model", "topology", "noc", "maze", "plot", "common"}},
      {"sim",
       {"sim", "topology/maze_links", "topology/traffic_kind", "noc", "maze", "plot", "common"}},
      {"cosim", {"cosim", "sim", "model", "topology", "noc", "maze", "plot", "common"}},
      {"cli",
       {"cli", "farm", "cosim", "sim", "model", "topology", "noc", "maze", "plot", "common"}},
      {"python", {"python", "cosim", "model", "topology", "common"}},
      {"include", {"include", "model", "topology", "common"}},
      // Projects outside the tree, which see the installed headers.
      {"examples", {}},
      {"docs",
       {"docs", "cli", "farm", "cosim", "sim", "model", "topology", "noc", "maze", "plot",
        "common"}},
      {"rtl", {}},
      // The C++ half of the bench describes the ports of its top.
      {"tb", {"tb", "maze", "rtl"}},
      {"formal", {"formal", "maze", "rtl"}},
      {"tests",
       {"tests", "docs", "cli", "python", "farm", "cosim", "sim", "model", "topology", "noc",
        "maze", "plot", "common"}},
  };
  return table;
}

/// Returns true for "sim/check/a.hpp" below "sim" and "topology/maze_links.hpp" below
/// "topology/maze_links".
bool is_below(const std::string& path, const std::string& prefix) {
  return path.starts_with(prefix) && path.size() > prefix.size() &&
         (path[prefix.size()] == '/' || path[prefix.size()] == '.');
}

/// Returns the rule with the longest prefix of `path`, or null.
const Paths* rule_for(const std::string& path) {
  const Paths* found = nullptr;
  std::size_t longest = 0;
  for (const auto& [prefix, allowed] : allowed_includes()) {
    if (is_below(path, prefix) && prefix.size() > longest) {
      found = &allowed;
      longest = prefix.size();
    }
  }
  return found;
}

bool is_ours(const std::string& path) {
  return rule_for(path) != nullptr || path.starts_with("benchmarks/");
}

struct Include {
  std::string file;
  std::string target;
  bool quoted;
};

std::vector<Include> includes_of(const std::vector<SourceFile>& files) {
  const std::regex include(R"(^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">])",
                           std::regex::ECMAScript | std::regex::multiline);
  std::vector<Include> found;
  for (const SourceFile& file : files) {
    for (auto match = std::sregex_iterator(file.text.begin(), file.text.end(), include);
         match != std::sregex_iterator(); ++match) {
      found.push_back({file.path, (*match)[2], (*match)[1] == "\""});
    }
  }
  return found;
}

/// Returns the folder of a file, cut after `depth` parts: "model/fabric" for
/// "model/fabric/seam/a.hpp" and 2.
std::string folder_of(const std::string& file, unsigned depth) {
  std::size_t end = 0;
  for (unsigned part = 0; part < depth; ++part) {
    const std::size_t next = file.find('/', end + (part == 0 ? 0 : 1));
    if (next == std::string::npos) break;
    end = next;
  }
  return file.substr(0, end);
}

/// Finds circles in a graph of folders: a depth-first search that reports the path it is on.
class CircleSearch {
 public:
  void add(const std::string& from, const std::string& to, std::string why) {
    arrows_[from].emplace(to, std::move(why));
  }

  std::vector<std::string> circles() {
    for (const auto& [folder, targets] : arrows_) visit(folder);
    return std::move(found_);
  }

 private:
  void visit(const std::string& folder) {
    if (!seen_.insert(folder).second) return;
    path_.push_back(folder);
    for (const auto& [target, why] : arrows_[folder]) {
      const auto begin = std::find(path_.begin(), path_.end(), target);
      if (begin == path_.end()) {
        visit(target);
        continue;
      }
      Paths reasons;
      for (auto at = begin; at != path_.end(); ++at) {
        reasons.push_back(arrows_[*at].at(at + 1 == path_.end() ? *begin : *(at + 1)));
      }
      found_.push_back(fmt::format("folders in a circle: {} -> {} ({})",
                                   fmt::join(begin, path_.end(), " -> "), target,
                                   fmt::join(reasons, "; ")));
    }
    path_.pop_back();
  }

  std::map<std::string, std::map<std::string, std::string>> arrows_;
  std::set<std::string> seen_;
  Paths path_;
  Paths found_;
};

std::vector<std::string> find_circles(const std::vector<Include>& includes) {
  std::set<std::string> problems;
  for (unsigned depth = 1; depth <= 4; ++depth) {
    CircleSearch search;
    for (const auto& [file, target, quoted] : includes) {
      if (!is_ours(target)) continue;
      const std::string from = folder_of(file, depth);
      const std::string to = folder_of(target, depth);
      if (from != to) search.add(from, to, fmt::format("{} includes {}", file, target));
    }
    for (std::string& circle : search.circles()) problems.insert(std::move(circle));
  }
  return {problems.begin(), problems.end()};
}

}  // namespace

std::vector<std::string> check_layering(const std::vector<SourceFile>& files) {
  std::vector<std::string> problems;
  std::map<std::string, std::set<std::string>> verilated;  // header -> sources that include it
  const std::regex verilated_top(R"(V\w+\.h)");
  const std::vector<Include> includes = includes_of(files);
  for (const auto& [file, target, quoted] : includes) {
    if (std::regex_match(target, verilated_top)) {
      if (file.ends_with(".cpp")) verilated[target].insert(file);
      continue;
    }
    const Paths* allowed = rule_for(file);
    if (allowed == nullptr) continue;
    if (!is_ours(target)) {
      const bool is_local = file.starts_with("tests/") || file.starts_with("docs/");
      // The builder of models chooses or writes these.
      const bool is_chosen =
          target == "port_format.hpp" || target == "kb_build.hpp" || target == "kb_members.hpp";
      if (quoted && !is_local && !is_chosen) {
        problems.push_back(
            fmt::format("{} includes {}, which is not rooted at the repository", file, target));
      }
      continue;
    }
    const auto permits = [&target = target](const std::string& prefix) {
      return is_below(target, prefix);
    };
    if (std::none_of(allowed->begin(), allowed->end(), permits)) {
      problems.push_back(fmt::format("{} may not include {}", file, target));
    }
  }
  for (const auto& [header, sources] : verilated) {
    if (sources.size() > 1) {
      problems.push_back(fmt::format("{} is included by {} sources", header, sources.size()));
    }
  }
  for (std::string& circle : find_circles(includes)) problems.push_back(std::move(circle));
  return problems;
}

std::vector<std::string> wrong_layer_rows(const std::string& page) {
  static const std::regex row(R"re(\| `([a-z]+)/` \| .* \|(?: (.*))? \|)re");
  std::vector<std::string> wrong;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (!std::regex_match(line, found, row)) continue;
    const auto rule = allowed_includes().find(found[1]);
    if (rule == allowed_includes().end()) continue;
    std::string expected;
    for (const std::string& allowed : rule->second) {
      if (allowed == rule->first) continue;
      const bool is_folder = allowed.find('/') == std::string::npos;
      expected +=
          fmt::format("{}`{}{}`", expected.empty() ? "" : ", ", allowed, is_folder ? "/" : "");
    }
    if (found[2] != expected) {
      wrong.push_back(fmt::format("{}/ may include {}", rule->first, expected));
    }
  }
  return wrong;
}

}  // namespace kernbench::docs
