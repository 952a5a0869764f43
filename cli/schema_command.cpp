// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/schemas.hpp"
#include "common/diagnostics.hpp"
#include "common/text_distance.hpp"
#include "topology/spec/spec_description.hpp"

namespace kernbench::cli {

using common::Outcome;
using Json = nlohmann::ordered_json;

namespace {

constexpr std::string_view kEnvelope = "envelope";
constexpr std::string_view kTopology =
    "inputs/topology";  // generated from the reader's description

/// Makes references to the envelope's file, or to a part of it, references to its definition.
void refer_to_definition(Json& value) {
  constexpr std::string_view kFile = "../envelope.schema.json";
  for (const auto& item : value.items()) {
    if (item.value().is_structured()) refer_to_definition(item.value());
    if (item.key() != "$ref" || !item.value().is_string()) continue;
    auto& reference = item.value().get_ref<std::string&>();
    if (!reference.starts_with(kFile)) continue;
    const std::size_t part = kFile.size() + (reference.size() > kFile.size() ? 1 : 0);  // after '#'
    reference.replace(0, part, "#/$defs/envelope");
  }
}

/// Returns a schema that needs no other file: the envelope, if it refers to it, is a definition.
std::string standalone(std::string_view text, std::string_view envelope) {
  Json schema = Json::parse(text);
  if (schema.value("$ref", "") != "../envelope.schema.json") return std::string(text);
  refer_to_definition(schema);
  Json inner = Json::parse(envelope);
  for (const char* key : {"$comment", "$schema"}) inner.erase(key);
  schema["$defs"]["envelope"] = std::move(inner);
  return schema.dump(2) + "\n";
}

/// Returns all schemas by name.
std::map<std::string, std::string, std::less<>> all_schemas() {
  std::string_view envelope;
  for (const Schema& schema : schemas()) {
    if (schema.name == kEnvelope) envelope = schema.text;
  }
  std::map<std::string, std::string, std::less<>> all;
  all.emplace(kTopology, common::schema_of(topology::kTopologyFile));
  for (const Schema& schema : schemas()) {
    if (schema.name != kEnvelope) all.emplace(schema.name, standalone(schema.text, envelope));
  }
  return all;
}

/// Returns the range of a number, such as ", 2 to 16" or ", above 0".
std::string range_of(const Json& schema) {
  const bool from = schema.contains("minimum");
  const bool above = schema.contains("exclusiveMinimum");
  constexpr double kLimitOfType = 1e18;  // near the largest integer: says nothing
  const bool to = schema.contains("maximum") && schema["maximum"].get<double>() < kLimitOfType;
  if (from && to)
    return fmt::format(", {} to {}", schema["minimum"].dump(), schema["maximum"].dump());
  std::string range;
  if (from && schema["minimum"] != 0) range += ", at least " + schema["minimum"].dump();
  if (above) range += ", above " + schema["exclusiveMinimum"].dump();
  if (to) range += ", at most " + schema["maximum"].dump();
  return range;
}

/// Returns the type of a value: "text", "whole number, 2 to 16", "list of object".
std::string type_name(const Json& schema) {
  if (schema.contains("enum") || schema.contains("const")) {
    const Json values = schema.contains("enum") ? schema["enum"] : Json::array({schema["const"]});
    std::vector<std::string> names;
    names.reserve(values.size());
    for (const Json& value : values) names.push_back(fmt::format("`{}`", value.dump()));
    return fmt::format("{}", fmt::join(names, ", "));
  }
  if (schema.contains("anyOf")) {
    std::vector<std::string> names;
    for (const Json& json : schema["anyOf"]) names.push_back(type_name(json));
    return fmt::format("{}", fmt::join(names, " or "));
  }
  if (!schema.contains("type")) return "";
  static const std::map<std::string, std::string, std::less<>> kNames = {
      {"string", "text"},   {"integer", "whole number"}, {"boolean", "true or false"},
      {"number", "number"}, {"object", "object"},        {"null", "null"}};
  std::vector<std::string> names;
  for (const Json& type :
       schema["type"].is_array() ? schema["type"] : Json::array({schema["type"]})) {
    if (type != "array") {
      names.push_back(kNames.at(type.get<std::string>()) + range_of(schema));
      continue;
    }
    const std::string items = schema.contains("items") ? type_name(schema["items"]) : "";
    names.push_back(items.empty() ? "list" : "list of " + items);
  }
  return fmt::format("{}", fmt::join(names, " or "));
}

/// Returns whether a reader can rely on a member of a report, or what an input has without it.
std::string presence(bool is_input, bool is_required, const Json& member) {
  if (!is_input) return is_required ? "yes" : "";
  if (is_required) return "required";
  return member.contains("default") ? fmt::format("`{}`", member["default"].dump()) : "";
}

/// Prints a row for each member below `prefix`. `open` has the definitions that are being printed,
/// which are not printed again inside themselves.
void print_members(const Json& whole, Json schema, const std::string& prefix, bool is_input,
                   std::set<std::string> open = {}) {
  const auto resolve = [&whole](Json& part, std::set<std::string>& within) {
    if (!part.contains("$ref")) return;
    if (!within.insert(part["$ref"].get<std::string>()).second) return;
    const Json::json_pointer place(part["$ref"].get<std::string>().substr(1));
    if (!whole.contains(place)) return;
    Json meant = whole[place];
    if (part.contains("description")) meant["description"] = part["description"];
    part = std::move(meant);
  };
  resolve(schema, open);
  for (const Json& rule : schema.value("allOf", Json::array())) {
    // Members that exist on a condition are not always there.
    if (!rule.contains("then")) continue;
    schema["properties"].update(rule["then"]["properties"]);
  }
  for (const Json& json : schema.value("anyOf", Json::array()))
    print_members(whole, json, prefix, is_input, open);
  if (schema.contains("additionalProperties") && schema["additionalProperties"].is_object()) {
    print_members(whole, schema["additionalProperties"], prefix + "NAME.", is_input, open);
  }
  if (!schema.contains("properties")) return;
  const Json required = schema.value("required", Json::array());
  for (auto [name, member] : schema["properties"].items()) {
    std::set<std::string> within = open;
    resolve(member, within);
    const bool is_required = std::find(required.begin(), required.end(), name) != required.end();
    fmt::print("| `{}{}` | {} | {} | {} |\n", prefix, name, type_name(member),
               presence(is_input, is_required, member), member.value("description", ""));
    std::string path = prefix + name;
    Json inner = member;
    while (inner.contains("items")) {
      path += "[]";
      inner = Json(inner["items"]);
      resolve(inner, within);
    }
    print_members(whole, inner, path + ".", is_input, within);
  }
}

Outcome print_keys(const std::string& name, const std::string& text) {
  const Json schema = Json::parse(text);
  const bool is_input = name.starts_with("inputs/");
  fmt::print("# {}\n\n| {} | type | {} | meaning |\n|---|---|---|---|\n",
             schema.at("title").get<std::string>(), is_input ? "key" : "member",
             is_input ? "default" : "always there");
  // A report has its members in `data`; the envelope has a table of its own.
  const Json::json_pointer data("/properties/data");
  Json members = schema.contains(data) ? schema[data] : schema;
  while (members.contains("items")) members = Json(members["items"]);  // a list of objects
  print_members(schema, std::move(members), "", is_input);
  return Outcome::Pass;
}

Outcome print_schema(const std::string& name, bool table) {
  const auto all = all_schemas();
  if (name.empty()) {
    for (const auto& [known, text] : all) {
      fmt::print("{:<30} {}\n", known, Json::parse(text).at("title").get<std::string>());
    }
    return Outcome::Pass;
  }
  const auto found = all.find(name);
  if (found == all.end()) {
    std::vector<std::string_view> names;
    names.reserve(all.size());
    for (const auto& entry : all) names.push_back(entry.first);
    std::string message = fmt::format("there is no schema '{}'", name);
    if (const auto nearest = common::nearest_name(name, names)) {
      message += fmt::format("; did you mean '{}'?", *nearest);
    } else {
      message += "; `kernbench schema` lists them";
    }
    throw common::BadInput(message);
  }
  if (table) return print_keys(found->first, found->second);
  fmt::print("{}", found->second);
  return Outcome::Pass;
}

}  // namespace

void add_schema_command(Command& program, const Invocation& /*invocation*/) {
  Command& command =
      program.add_command("schema", "Print the JSON Schema of a report or an input file");
  struct Options {
    std::string name;
    bool table = false;
  };
  const auto options = std::make_shared<Options>();
  command.add_option("name", options->name,
                     "Schema to print, such as reports/coverage; without it: all names");
  command
      .add_flag("--table", options->table,
                "Print its members with their meanings as a table (Markdown)")
      .needs("name");
  command.footer =
      "Examples:\n"
      "  kernbench schema\n"
      "  kernbench schema reports/run --table\n"
      "  kernbench schema inputs/regression > regression.schema.json";
  command.run = [options] { return print_schema(options->name, options->table); };
}

}  // namespace kernbench::cli
