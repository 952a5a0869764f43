// SPDX-License-Identifier: Apache-2.0
#include "farm/csv.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kernbench::farm {
namespace {

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// `cells` has one at least.
std::string line_of(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& text : cells) line += cell(text) + ",";
  line.back() = '\n';
  return line;
}

}  // namespace

std::string text_of(const nlohmann::json& value) {
  if (value.is_null()) return {};
  if (value.is_string()) return value;
  return value.is_number_float() ? fmt::format("{}", value.get<double>()) : value.dump();
}

std::string text_of_point(const std::vector<std::string>& names,
                          const std::vector<std::string>& values) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += fmt::format("{}{}={}", i == 0 ? "" : ", ", names[i], values[i]);
  }
  return text;
}

std::vector<std::string> short_names(const std::vector<std::string>& names) {
  // Returns the last `parts` parts of a name.
  const auto ending = [](const std::string& name, std::size_t parts) {
    std::size_t at = name.size();
    for (; parts > 0 && at != std::string::npos && at > 0; --parts) at = name.rfind('.', at - 1);
    return at == std::string::npos || at == 0 ? name : name.substr(at + 1);
  };
  std::vector<std::string> shorter;
  for (const std::string& name : names) {
    std::size_t parts = name.starts_with("topology.") || name.starts_with("bench.") ? 1 : 99;
    const auto is_shared = [&](const std::string& other) {
      return other != name && ending(other, parts) == ending(name, parts);
    };
    while (std::any_of(names.begin(), names.end(), is_shared) && ending(name, parts) != name) {
      ++parts;
    }
    shorter.push_back(ending(name, parts));
  }
  return shorter;
}

std::vector<std::string> heading_of(const Table& table) {
  std::vector<std::string> cells = {"key"};
  cells.insert(cells.end(), table.parameters.begin(), table.parameters.end());
  cells.insert(cells.end(), {"outcome", "grade"});
  for (const Target& target : table.targets) cells.push_back(target.name);
  return cells;
}

std::vector<std::string> cells_of(const Row& row) {
  std::vector<std::string> cells = {row.key};
  cells.insert(cells.end(), row.parameters.begin(), row.parameters.end());
  cells.emplace_back(common::name(row.outcome));
  cells.push_back(row.grade);
  for (const nlohmann::json& value : row.targets) cells.push_back(text_of(value));
  return cells;
}

std::string csv_of(const Table& table) {
  std::string text = line_of(heading_of(table));
  for (const Row& row : table.rows) text += line_of(cells_of(row));
  return text;
}

}  // namespace kernbench::farm
