// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "cli/schemas.hpp"
#include "common/diagnostics.hpp"
#include "common/text_distance.hpp"
#include "topology/spec/spec_schema.hpp"

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
  all.emplace(kTopology, topology::topology_json_schema());
  for (const Schema& schema : schemas()) {
    if (schema.name != kEnvelope) all.emplace(schema.name, standalone(schema.text, envelope));
  }
  return all;
}

Outcome print_schema(const std::string& name) {
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
    for (const auto& entry : all) names.push_back(entry.first);
    std::string message = fmt::format("there is no schema '{}'", name);
    if (const auto nearest = common::nearest_name(name, names)) {
      message += fmt::format("; did you mean '{}'?", *nearest);
    } else {
      message += "; `kernbench schema` lists them";
    }
    throw common::BadInput(message);
  }
  fmt::print("{}", found->second);
  return Outcome::Pass;
}

}  // namespace

void add_schema_command(CLI::App& app, const Invocation& /*invocation*/, Outcome& outcome) {
  CLI::App* command =
      app.add_subcommand("schema", "Print the JSON Schema of a report or an input file");
  const auto name = std::make_shared<std::string>();
  command->add_option("name", *name,
                      "Schema to print, such as reports/coverage; without it: all names");
  command->footer(
      "Examples:\n"
      "  kernbench schema\n"
      "  kernbench schema inputs/regression > regression.schema.json");
  command->callback([name, &outcome] { outcome = print_schema(*name); });
}

}  // namespace kernbench::cli
