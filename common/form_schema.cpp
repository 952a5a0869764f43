// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/input_kind.hpp"
#include "common/value_form.hpp"

namespace kernbench::common {

using SchemaJson = nlohmann::ordered_json;
using FormKind = ValueForm::Kind;

namespace {

constexpr std::string_view kEnvelope = "../envelope.schema.json";

/// Returns a bound as JSON writes it: 1, not 1.0.
SchemaJson number_json(double bound) {
  constexpr double kLargest = 9.2e18;  // of 63 bits
  if (std::abs(bound) < kLargest && bound == std::floor(bound)) return std::int64_t(bound);
  return bound;
}

/// Returns an expression that matches a text as it stands.
std::string literal(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string description_of_member(const ValueForm& member) {
  if (member.absent.empty()) return member.meaning;
  return fmt::format("{}{}absent unless {}", member.meaning, member.meaning.empty() ? "" : "; ",
                     member.absent);
}

/// Writes the schemas of values. Only of an input can members with a default be missing.
class SchemaWriter {
 public:
  explicit SchemaWriter(bool is_input) : is_input_(is_input) {}

  void add_member(const ValueForm& member, SchemaJson& properties, SchemaJson& required) const {
    const bool can_be_missing = member.optional && (is_input_ || member.fallback.is_null());
    if (!can_be_missing && member.absent.empty()) required.push_back(member.name);
    SchemaJson& property = properties[member.name] = schema_of(member);
    const bool has_value =
        member.fallback.is_structured() ? !member.fallback.empty() : !member.fallback.is_null();
    if (is_input_ && has_value && member.kind != FormKind::Object) {
      property["default"] = member.fallback;
    }
    if (const std::string text = description_of_member(member); !text.empty()) {
      property["description"] = text;
    }
  }

  /// Adds the groups of members with this condition.
  static void add_groups(const ValueForm& form,
                         const std::optional<ValueForm::Condition>& condition, SchemaJson& schema) {
    for (const ValueForm::Group& group : form.groups) {
      if (group.only_if != condition) continue;
      if (!group.one_is_needed) {
        schema["allOf"].push_back({{"not", {{"required", group.names}}}});
        continue;
      }
      SchemaJson one_of = SchemaJson::array();
      for (const std::string& name : group.names) one_of.push_back({{"required", {name}}});
      schema["allOf"].push_back({{"oneOf", std::move(one_of)}});
    }
  }

  /// Returns the schema of the members that objects have on a condition.
  [[nodiscard]] SchemaJson schema_if(const ValueForm& object,
                                     const ValueForm::Condition& condition) const {
    const std::vector<std::string>& values = condition.values;
    SchemaJson rule = {{"if", {{"properties", {{condition.member, {{"enum", values}}}}}}}};
    const nlohmann::json& fallback = object.member(condition.member).fallback;
    const bool by_default =
        fallback.is_string() && std::find(values.begin(), values.end(), fallback) != values.end();
    if (!by_default) rule["if"]["required"] = {condition.member};
    SchemaJson properties = SchemaJson::object();
    SchemaJson required = SchemaJson::array();
    for (const ValueForm& member : object.parts) {
      if (member.only_if == condition) add_member(member, properties, required);
    }
    rule["then"]["properties"] = std::move(properties);
    if (!required.empty()) rule["then"]["required"] = std::move(required);
    add_groups(object, condition, rule["then"]);
    return rule;
  }

  [[nodiscard]] SchemaJson object_schema(const ValueForm& form) const {
    SchemaJson rules = SchemaJson::array();
    std::vector<ValueForm::Condition> conditions;
    SchemaJson required = SchemaJson::array();
    SchemaJson properties = SchemaJson::object();
    for (const ValueForm& member : form.parts) {
      if (!member.only_if) {
        add_member(member, properties, required);
      } else if (std::find(conditions.begin(), conditions.end(), *member.only_if) ==
                 conditions.end()) {
        conditions.push_back(*member.only_if);
        rules.push_back(schema_if(form, conditions.back()));
      }
    }
    // additionalProperties does not see the members of conditions.
    SchemaJson schema = {
        {"type", "object"},
        {conditions.empty() ? "additionalProperties" : "unevaluatedProperties", false}};
    if (!required.empty()) schema["required"] = std::move(required);
    schema["properties"] = std::move(properties);
    if (!rules.empty()) schema["allOf"] = std::move(rules);
    add_groups(form, std::nullopt, schema);
    return schema;
  }

  [[nodiscard]] SchemaJson text_schema(const ValueForm& form) const {
    if (!form.choices.empty()) return {{"enum", form.choices}};
    SchemaJson schema = {{"type", "string"}};
    // The reader of inputs takes no empty text.
    if (form.least || is_input_) schema["minLength"] = number_json(form.least.value_or(1));
    if (form.rule != nullptr) schema["pattern"] = form.rule->pattern;
    for (const std::string& text : form.placeholders) {
      schema["allOf"].push_back({{"pattern", literal(text)}});
    }
    return schema;
  }

  [[nodiscard]] SchemaJson map_schema(const ValueForm& form) const {
    SchemaJson schema = {{"type", "object"}};
    if (form.least) schema["minProperties"] = number_json(*form.least);
    if (form.names != nullptr) schema["propertyNames"] = {{"pattern", form.names->pattern}};
    schema["additionalProperties"] = schema_of(form.items());
    return schema;
  }

  [[nodiscard]] SchemaJson schema_of_value(const ValueForm& form) const {
    SchemaJson schema;
    const auto bound = [&schema](const char* name, const std::optional<double>& value) {
      if (value) schema[name] = number_json(*value);
    };
    switch (form.kind) {
      case FormKind::Text:
        return text_schema(form);
      case FormKind::Boolean:
        return {{"type", "boolean"}};
      case FormKind::Integer:
      case FormKind::Number:
        schema["type"] = form.kind == FormKind::Integer ? "integer" : "number";
        bound(form.above ? "exclusiveMinimum" : "minimum", form.least);
        bound("maximum", form.most);
        if (form.kind == FormKind::Integer && !form.most) schema["maximum"] = form.capacity;
        return schema;
      case FormKind::List:
        schema["type"] = "array";
        bound("minItems", form.least);
        bound("maxItems", form.most);
        if (form.different) schema["uniqueItems"] = true;
        if (form.parts.size() > 1) schema["prefixItems"].push_back(schema_of(form.item(0)));
        schema["items"] = schema_of(form.items());
        return schema;
      case FormKind::Map:
        return map_schema(form);
      case FormKind::Object:
        if (!form.defined.empty()) return {{"$ref", fmt::format("{}#{}", kEnvelope, form.defined)}};
        return object_schema(form);
      case FormKind::Scalar:
        return {{"type", {"string", "number", "boolean"}}, {"minLength", 1}};  // of a string
      case FormKind::Either:
        for (const ValueForm& part : form.parts) schema["anyOf"].push_back(schema_of(part));
        return schema;
      case FormKind::Again:
        return {{"$ref", "#/$defs/" + form.defined}};
      case FormKind::Any:
        return SchemaJson::object();
    }
    return schema;
  }

  [[nodiscard]] SchemaJson schema_of(const ValueForm& form) const {
    SchemaJson schema = schema_of_value(form);
    if (!form.nullable || form.kind == FormKind::Any) return schema;
    if (!form.no_value.empty()) return {{"anyOf", {schema, {{"const", form.no_value}}}}};
    if (schema.contains("type")) {
      schema["type"] = SchemaJson::array({schema.at("type"), "null"});
    } else if (schema.contains("anyOf")) {
      schema["anyOf"].push_back({{"type", "null"}});
    } else {
      schema.at("enum").push_back(nullptr);
    }
    return schema;
  }

 private:
  bool is_input_;
};

/// Adds the definitions of the forms to which a form refers.
void add_definitions(const ValueForm& form, SchemaJson& schema) {
  if (form.kind == FormKind::Again && !schema["$defs"].contains(form.defined)) {
    schema["$defs"][form.defined] = SchemaWriter(true).schema_of(form.again());
    add_definitions(form.again(), schema);
  }
  for (const ValueForm& part : form.parts) add_definitions(part, schema);
}

}  // namespace

std::string schema_of(const InputKind& kind) {
  const ValueForm& form = kind.form();
  if (kind.has_envelope) return report_schema(kind.name, kind.title, form, {.grade = false});
  SchemaJson schema = {{"$comment", "SPDX-License-Identifier: Apache-2.0"},
                       {"$schema", "https://json-schema.org/draft/2020-12/schema"},
                       {"title", kind.title}};
  schema.update(SchemaWriter(!kind.is_report).schema_of(form));
  add_definitions(form, schema);
  return schema.dump(2) + "\n";
}

std::string report_schema(std::string_view kind, std::string_view title, const ValueForm& data,
                          const EnvelopeForm& envelope) {
  SchemaJson schema = {{"$comment", "SPDX-License-Identifier: Apache-2.0"},
                       {"$schema", "https://json-schema.org/draft/2020-12/schema"},
                       {"title", title},
                       {"$ref", kEnvelope},
                       {"unevaluatedProperties", false}};
  if (envelope.grade) schema["required"] = {"grade"};
  schema["properties"]["kind"] = {{"const", kind}};
  if (envelope.seed) {
    schema["properties"]["seed"] = {
        {"type", "integer"}, {"minimum", 0}, {"maximum", ~std::uint64_t{0}}};
  }
  schema["properties"]["data"] = SchemaWriter(false).schema_of(data);
  return schema.dump(2) + "\n";
}

}  // namespace kernbench::common
