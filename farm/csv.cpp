// SPDX-License-Identifier: Apache-2.0
#include "farm/csv.hpp"

#include <fmt/format.h>

namespace kernbench::farm {
namespace {

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
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

std::string csv_of(const Table& table) {
  std::string text = "key";
  for (const std::string& name : table.parameters) text += fmt::format(",{}", cell(name));
  text += ",outcome,grade";
  for (const Target& target : table.targets) text += fmt::format(",{}", cell(target.path));
  text += "\n";
  for (const Row& row : table.rows) {
    text += row.key;
    for (const std::string& value : row.parameters) text += fmt::format(",{}", cell(value));
    text += fmt::format(",{},{}", common::name(row.outcome), cell(row.grade));
    for (const nlohmann::json& value : row.targets)
      text += fmt::format(",{}", cell(text_of(value)));
    text += "\n";
  }
  return text;
}

}  // namespace kernbench::farm
