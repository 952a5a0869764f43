// SPDX-License-Identifier: Apache-2.0
#include "common/description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace kernbench::common {

using Json = nlohmann::ordered_json;
using Kind = ValueForm::Kind;

namespace {

constexpr std::array<ShownUnit, 5> kUnits = {{{"_ps", "us", 1e-6, 3},
                                              {"_ns", "us", 1e-3, 3},
                                              {"_gbs", "GB/s", 1.0, 2},
                                              {"_mm", "mm", 1.0, 3},
                                              {"bytes", "", 1.0, 0}}};

constexpr std::string_view kEnvelope = "../envelope.schema.json";

Json schema_of(const ValueForm& form);

Json object_schema(const ValueForm& form) {
  Json schema = {{"type", "object"}, {"additionalProperties", false}};
  Json required = Json::array();
  Json properties = Json::object();
  for (const ValueForm& member : form.parts) {
    if (member.absent.empty()) required.push_back(member.name);
    Json& property = properties[member.name] = schema_of(member);
    if (member.nullable) property["type"] = Json::array({property.at("type"), "null"});
    std::string text = member.meaning;
    if (!member.absent.empty()) {
      text += fmt::format("{}absent unless {}", text.empty() ? "" : "; ", member.absent);
    }
    if (!text.empty()) property["description"] = text;
  }
  schema["required"] = std::move(required);
  schema["properties"] = std::move(properties);
  return schema;
}

Json schema_of(const ValueForm& form) {
  Json schema;
  const auto bound = [&schema](const char* name, const std::optional<std::int64_t>& value) {
    if (value) schema[name] = *value;
  };
  switch (form.kind) {
    case Kind::Text:
      schema["type"] = "string";
      bound("minLength", form.least);
      break;
    case Kind::Boolean:
      schema["type"] = "boolean";
      break;
    case Kind::Integer:
    case Kind::Number:
      schema["type"] = form.kind == Kind::Integer ? "integer" : "number";
      bound(form.above ? "exclusiveMinimum" : "minimum", form.least);
      bound("maximum", form.most);
      break;
    case Kind::List:
      schema["type"] = "array";
      bound("minItems", form.least);
      bound("maxItems", form.most);
      schema["items"] = schema_of(form.items());
      break;
    case Kind::TextMap:
      schema["type"] = "object";
      schema["additionalProperties"] = {{"type", "string"}};
      break;
    case Kind::Object:
      return object_schema(form);
    case Kind::Defined:
      schema["$ref"] = fmt::format("{}#{}", kEnvelope, form.defined);
      break;
  }
  return schema;
}

}  // namespace

const ValueForm& ValueForm::member(std::string_view member_name) const {
  const auto found = std::find_if(parts.begin(), parts.end(),
                                  [&](const ValueForm& one) { return one.name == member_name; });
  if (found == parts.end()) throw std::out_of_range(fmt::format("no member '{}'", member_name));
  return *found;
}

const ShownUnit* unit_of(std::string_view name) {
  const auto* const found = std::find_if(kUnits.begin(), kUnits.end(), [&](const ShownUnit& unit) {
    return name.ends_with(unit.suffix);
  });
  return found == kUnits.end() ? nullptr : &*found;
}

std::string inner_name(std::string_view outer, std::string_view name) {
  const ShownUnit* const unit = unit_of(outer);
  if (unit == nullptr || !unit->suffix.starts_with('_')) return fmt::format("{}_{}", outer, name);
  outer.remove_suffix(unit->suffix.size());
  return fmt::format("{}_{}{}", outer, name, unit_of(name) == nullptr ? unit->suffix : "");
}

std::string title_of_member(std::string_view name) {
  const ShownUnit* const unit = unit_of(name);
  if (unit != nullptr && unit->suffix.starts_with('_')) name.remove_suffix(unit->suffix.size());
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

std::string heading_of_member(std::string_view name) {
  const ShownUnit* const unit = unit_of(name);
  const std::string_view unit_name = unit == nullptr ? "" : unit->name;
  return fmt::format("{}{}{}", title_of_member(name), unit_name.empty() ? "" : " ", unit_name);
}

std::string text_of_member(std::string_view name, const nlohmann::json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (const ShownUnit* const unit = unit_of(name); unit != nullptr && unit->decimals != 0) {
    return fmt::format("{:.{}f}", value.get<double>() * unit->factor, unit->decimals);
  }
  return value.is_number_float() ? fmt::format("{:.3f}", value.get<double>()) : value.dump();
}

std::string report_schema(std::string_view kind, std::string_view title, const ValueForm& data,
                          bool graded) {
  Json schema = {{"$comment", "SPDX-License-Identifier: Apache-2.0"},
                 {"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", title},
                 {"$ref", kEnvelope},
                 {"unevaluatedProperties", false}};
  if (graded) schema["required"] = {"grade"};
  schema["properties"] = {{"kind", {{"const", kind}}}, {"data", schema_of(data)}};
  return schema.dump(2) + "\n";
}

}  // namespace kernbench::common
