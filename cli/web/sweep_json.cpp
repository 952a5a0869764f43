// SPDX-License-Identifier: Apache-2.0
#include "cli/web/sweep_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "common/numbers.hpp"
#include "farm/csv.hpp"
#include "farm/summary.hpp"

namespace kernbench::cli::web {
namespace {

using farm::Row;
using farm::Table;
using nlohmann::json;

constexpr std::int64_t kExact = std::int64_t{1} << 53U;  // limit of whole numbers in JavaScript

std::string text_json(const std::string& text) {
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

/// Appends a number. One that a page would not read exactly becomes a text.
template <typename Number>
void append_number(std::string& out, Number value, bool is_exact) {
  if (!is_exact) out += '"';
  fmt::format_to(std::back_inserter(out), "{}", value);
  if (!is_exact) out += '"';
}

void append(std::string& out, std::int64_t value) {
  append_number(out, value, value >= -kExact && value <= kExact);
}

void append(std::string& out, double value) {
  append_number(out, value, std::isfinite(value));
}

/// Appends a number if `text` is the usual text for it, and the text otherwise.
void append_parameter(std::string& out, const std::string& text) {
  if (const auto whole = common::parse_i64(text)) return append(out, *whole);
  const auto number = common::parse_double(text);
  if (number && fmt::format("{}", *number) == text) return append(out, *number);
  out += text_json(text);
}

void append_target(std::string& out, const json& value) {
  if (value.is_number_float()) return append(out, value.get<double>());
  if (value.is_number()) return append(out, value.get<std::int64_t>());
  out += value.is_null() ? "null" : text_json(farm::text_of(value));
}

/// Appends a list with an entry for each row.
template <typename Entry>
void append_list(std::string& out, const Table& table, const Entry& append_entry) {
  out += '[';
  for (const Row& row : table.rows) {
    append_entry(row);
    out += ',';
  }
  if (table.rows.empty()) out += ',';
  out.back() = ']';
}

constexpr const char* kDirections[] = {"min", "max", "none"};

}  // namespace

std::string sweep_json(const Table& table) {
  json messages = json::object();
  json outcomes = json::array();
  std::map<common::Outcome, std::size_t> places;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const Row& row = table.rows[r];
    if (!row.message.empty()) messages[std::to_string(r)] = row.message;
    if (places.emplace(row.outcome, places.size()).second) {
      outcomes.push_back(common::name(row.outcome));
    }
  }
  const json head = {{"command", table.command},
                     {"planned", table.planned},
                     {"former", table.former},
                     {"plan", table.plan},
                     {"outcomes", outcomes},
                     {"messages", messages},
                     {"limits", table.limits},
                     {"answers", farm::answers_of(table)},
                     {"front", farm::pareto_front(table)}};
  std::string out = head.dump(-1, ' ', false, json::error_handler_t::replace);
  out.pop_back();
  out += ",\"keys\":";
  append_list(out, table, [&](const Row& row) { out += text_json(row.key); });
  out += ",\"outcome\":";
  append_list(out, table, [&](const Row& row) { out += std::to_string(places[row.outcome]); });
  out += ",\"grades\":";
  append_list(out, table, [&](const Row& row) { out += text_json(row.grade); });
  out += ",\"parameters\":[";
  for (std::size_t p = 0; p < table.parameters.size(); ++p) {
    out += fmt::format("{}{{\"name\":{},\"values\":", p == 0 ? "" : ",",
                       text_json(table.parameters[p]));
    append_list(out, table, [&](const Row& row) { append_parameter(out, row.parameters[p]); });
    out += '}';
  }
  out += "],\"targets\":[";
  for (std::size_t t = 0; t < table.targets.size(); ++t) {
    const farm::Target& target = table.targets[t];
    out += fmt::format("{}{{\"name\":{},\"direction\":\"{}\",\"values\":", t == 0 ? "" : ",",
                       text_json(target.name),
                       kDirections[static_cast<std::size_t>(target.direction)]);
    append_list(out, table, [&](const Row& row) { append_target(out, row.targets[t]); });
    out += '}';
  }
  return out + "]}";
}

}  // namespace kernbench::cli::web
