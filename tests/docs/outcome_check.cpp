// SPDX-License-Identifier: Apache-2.0
#include "outcome_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>

namespace kernbench::docs {
namespace {

constexpr std::size_t kShortestReason = 30;  // letters: less is not a sentence
constexpr std::string_view kNoVerdict = "no verdict:";

std::string without_comparisons(const std::string& text) {
  static const std::regex compared(R"([=!]=\s*(?:\w+::)*Outcome::Pass\b)");
  return std::regex_replace(text, compared, "");
}

bool ends_with_any(const std::string& path, std::initializer_list<const char*> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](const char* ending) { return path.ends_with(ending); });
}

struct Row {
  std::string place, decides, nothing, test;
};

/// Returns the rows of the table whose header begins with "place".
std::vector<Row> rows_of(const std::string& plan) {
  std::vector<Row> rows;
  bool in_table = false;
  std::istringstream in(plan);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("| place |")) {
      in_table = true;
      continue;
    }
    if (!line.starts_with("|")) in_table = false;
    if (!in_table || line.starts_with("|--")) continue;
    std::vector<std::string> cells = row_cells(line);
    cells.resize(std::max<std::size_t>(cells.size(), 5));
    std::string place = cells[1];
    std::erase(place, '`');
    rows.push_back({place, cells[2], cells[3], cells[4]});
  }
  return rows;
}

}  // namespace

bool decides(const SourceFile& file) {
  if (ends_with_any(file.path, {".cpp", ".hpp"})) {
    static const std::regex sets(R"(\bOutcome::Pass\b|"PASS)");
    return std::regex_search(without_comparisons(file.text), sets);
  }
  static const std::regex ends(R"(sys\.exit\(|\bexit [0-9$]|\bPASS\b)");
  return ends_with_any(file.path, {".py", ".sh"}) && std::regex_search(file.text, ends);
}

std::vector<std::string> check_outcomes(const std::string& plan,
                                        const std::vector<SourceFile>& sources,
                                        const std::set<std::string>& tests) {
  std::vector<std::string> problems;
  std::map<std::string, bool> places;  // that decide; true once a row was seen
  for (const SourceFile& file : sources) {
    if (decides(file)) places.emplace(file.path, false);
  }
  for (const Row& row : rows_of(plan)) {
    const auto place = places.find(row.place);
    if (place == places.end()) {
      problems.push_back(row.place + ": no source of this name decides an outcome");
      continue;
    }
    if (place->second) problems.push_back(row.place + ": a second row");
    place->second = true;
    if (row.decides.empty() || row.nothing.empty()) problems.push_back(row.place + ": no text");
    if (row.nothing.starts_with(kNoVerdict)) {
      if (row.nothing.size() < kNoVerdict.size() + kShortestReason) {
        problems.push_back(row.place + ": no verdict, without a reason");
      }
      continue;
    }
    static const std::regex quoted("`test:([^`]+)`");
    auto item = std::sregex_iterator(row.test.begin(), row.test.end(), quoted);
    if (item == std::sregex_iterator()) problems.push_back(row.place + ": no test");
    for (; item != std::sregex_iterator(); ++item) {
      const std::string name = (*item)[1];
      if (!tests.contains(name)) {
        problems.push_back(fmt::format("{}: there is no test {}", row.place, name));
      }
    }
  }
  for (const auto& [path, has_row] : places) {
    if (!has_row) problems.push_back(path + ": decides an outcome and has no row");
  }
  return problems;
}

}  // namespace kernbench::docs
