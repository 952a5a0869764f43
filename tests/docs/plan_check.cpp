// SPDX-License-Identifier: Apache-2.0
#include "plan_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <regex>
#include <sstream>

#include "repository_text.hpp"
#include "topo_statements.hpp"

namespace kernbench::docs {
namespace {

constexpr std::size_t kShortestNote = 40;  // letters: less is not a sentence

struct PlanRow {
  std::string id, requirement, evidence, explanation;
};

std::vector<PlanRow> rows(const std::string& plan) {
  const std::regex id("[A-Z]{2}-[0-9]+\\.[0-9]+");
  std::vector<PlanRow> result;
  std::istringstream in(plan);
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> row = row_cells(line);
    if (row.size() < 2 || !std::regex_match(row[1], id)) continue;
    row.resize(std::max<std::size_t>(row.size(), 5));
    result.push_back({row[1], row[2], row[3], row[4]});
  }
  return result;
}

/// Returns true for "run" and "topology route --from", if both are there.
bool has_command(const std::string& text, const KnownEvidence& known) {
  const std::size_t options = text.find(" --");
  const auto command = known.commands.find(text.substr(0, options));
  if (command == known.commands.end()) return false;
  if (options == std::string::npos) return true;
  std::istringstream rest(text.substr(options));
  for (std::string option; rest >> option;) {
    if (command->second.count(option) == 0) return false;
  }
  return true;
}

std::optional<std::string> problem(const std::string& evidence, const PlanRow& row,
                                   const KnownEvidence& known) {
  if (evidence == "n/a") {
    if (row.explanation.size() >= kShortestNote) return std::nullopt;
    return "n/a without a reason";
  }
  const auto colon = evidence.find(':');
  const std::string kind = evidence.substr(0, colon);
  const std::string name = colon == std::string::npos ? "" : evidence.substr(colon + 1);
  bool exists = false;
  if (kind == "suite") {
    const auto slash = name.find('/');
    const auto regression = known.suites.find(name.substr(0, slash));
    exists = slash != std::string::npos && regression != known.suites.end() &&
             regression->second.count(name.substr(slash + 1)) != 0;
  } else if (kind == "cover") {
    exists = name.ends_with('*')
                 ? std::any_of(known.coverage_groups.begin(), known.coverage_groups.end(),
                               [&](const std::string& group) {
                                 return group.starts_with(name.substr(0, name.size() - 1));
                               })
                 : known.coverage_groups.count(name) != 0;
  } else if (kind == "test") {
    exists = known.tests.count(name) != 0;
  } else if (kind == "check") {
    // Without the settings of a make target, such as KIND=deep.
    static const std::regex settings(" [A-Z]+=\\S+");
    exists = known.checks.count(std::regex_replace(name, settings, "")) != 0;
  } else if (kind == "proof") {
    exists = known.proofs.count(name) != 0;
  } else if (kind == "file") {
    exists = known.files.count(name) != 0;
  } else if (kind == "command") {
    exists = has_command(name, known);
  } else if (kind == "bench") {
    exists = known.benchmarks.find('"' + name + '"') != std::string::npos;
  } else {
    return fmt::format("'{}' is not a kind of evidence", evidence);
  }
  if (exists) return std::nullopt;
  return fmt::format("there is no {}", evidence);
}

}  // namespace

std::vector<std::string> other_words(const std::string& plan,
                                     const std::vector<Heading>& statements) {
  std::map<std::string, std::string> stated;
  for (const Heading& heading : statements) {
    for (std::size_t i = 0; i < heading.statements.size(); ++i) {
      stated[fmt::format("{}.{}", heading.id, i + 1)] = heading.statements[i];
    }
  }
  const std::regex link(R"(\[([^\]]*)\]\([^)]*\))");
  std::vector<std::string> problems;
  for (const PlanRow& row : rows(plan)) {
    const std::string words = std::regex_replace(row.requirement, link, "$1");
    const auto found = stated.find(row.id);
    if (found == stated.end() || found->second == words) continue;
    problems.push_back(fmt::format("{}: '{}' is not '{}'", row.id, words, found->second));
  }
  return problems;
}

std::vector<std::string> check_plan(const std::string& plan,
                                    const std::vector<std::string>& required,
                                    const KnownEvidence& known) {
  std::vector<std::string> problems;
  std::map<std::string, unsigned> seen;
  for (const PlanRow& row : rows(plan)) {
    ++seen[row.id];
    if (row.requirement.empty()) problems.push_back(row.id + ": no requirement");
    const std::regex quoted("`([^`]+)`");
    auto item = std::sregex_iterator(row.evidence.begin(), row.evidence.end(), quoted);
    if (item == std::sregex_iterator()) problems.push_back(row.id + ": no evidence");
    for (; item != std::sregex_iterator(); ++item) {
      if (const auto wrong = problem((*item)[1], row, known)) {
        problems.push_back(fmt::format("{}: {}", row.id, *wrong));
      }
    }
  }
  for (const std::string& id : required) {
    if (seen[id] == 0) problems.push_back(id + ": no row");
    if (seen[id] > 1) problems.push_back(id + ": more than one row");
    seen.erase(id);
  }
  for (const auto& [id, count] : seen) problems.push_back(id + ": nothing requires it");
  return problems;
}

}  // namespace kernbench::docs
