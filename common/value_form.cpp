// SPDX-License-Identifier: Apache-2.0
#include "common/value_form.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <utility>

#include "common/diagnostics.hpp"

namespace kernbench::common {

using Json = nlohmann::ordered_json;
using FormKind = ValueForm::Kind;

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
    std::string text = member.meaning;
    if (!member.absent.empty()) {
      text += fmt::format("{}absent unless {}", text.empty() ? "" : "; ", member.absent);
    }
    if (!text.empty()) property["description"] = text;
  }
  schema["required"] = std::move(required);
  schema["properties"] = std::move(properties);
  for (const std::vector<std::string>& group : form.either) {
    Json one_of = Json::array();
    for (const std::string& name : group) one_of.push_back({{"required", {name}}});
    schema["allOf"].push_back({{"oneOf", std::move(one_of)}});
  }
  return schema;
}

Json schema_of_value(const ValueForm& form) {
  Json schema;
  const auto bound = [&schema](const char* name, const std::optional<std::int64_t>& value) {
    if (value) schema[name] = *value;
  };
  switch (form.kind) {
    case FormKind::Text:
      if (!form.choices.empty()) {
        schema["enum"] = form.choices;
        break;
      }
      schema["type"] = "string";
      bound("minLength", form.least);
      if (form.hash) schema["pattern"] = "^[0-9a-f]{16}$";
      break;
    case FormKind::Boolean:
      schema["type"] = "boolean";
      break;
    case FormKind::Integer:
    case FormKind::Number:
      schema["type"] = form.kind == FormKind::Integer ? "integer" : "number";
      bound(form.above ? "exclusiveMinimum" : "minimum", form.least);
      bound("maximum", form.most);
      if (form.kind == FormKind::Integer && !form.most) schema["maximum"] = form.capacity;
      break;
    case FormKind::List:
      schema["type"] = "array";
      bound("minItems", form.least);
      bound("maxItems", form.most);
      schema["items"] = schema_of(form.items());
      break;
    case FormKind::Map:
      schema["type"] = "object";
      schema["additionalProperties"] = schema_of(form.items());
      break;
    case FormKind::Object:
      return object_schema(form);
    case FormKind::Defined:
      schema["$ref"] = fmt::format("{}#{}", kEnvelope, form.defined);
      break;
  }
  return schema;
}

Json schema_of(const ValueForm& form) {
  Json schema = schema_of_value(form);
  if (!form.nullable) return schema;
  if (schema.contains("type")) {
    schema["type"] = Json::array({schema.at("type"), "null"});
  } else {
    schema.at("enum").push_back(nullptr);
  }
  return schema;
}

bool is_hash(std::string_view text) {
  return text.size() == 16 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

/// Checks one report and collects all errors.
class FormCheck {
 public:
  FormCheck(std::string file, Diagnostics& diagnostics)
      : file_(std::move(file)), diagnostics_(diagnostics) {}

  void check(const ValueForm& form, const nlohmann::json& value, const std::string& place) {
    switch (form.kind) {
      case FormKind::Text:
        return text(form, value, place);
      case FormKind::Boolean:
        if (!value.is_boolean()) must_be(place, "true or false", value);
        return;
      case FormKind::Integer:
        return whole(form, value, place);
      case FormKind::Number:
        return number(form, value, place);
      case FormKind::List:
        return list(form, value, place);
      case FormKind::Map:
        if (!value.is_object()) return must_be(place, "an object");
        for (const auto& [name, one] : value.items())
          item(form, one, fmt::format("{}.{}", place, name));
        return;
      case FormKind::Object:
        return object(form, value, place);
      case FormKind::Defined:
        if (!value.is_object()) must_be(place, "an object");
        return;
    }
  }

 private:
  void error(std::string message) { diagnostics_.error({file_}, std::move(message)); }
  void must_be(const std::string& place, const std::string& what) {
    error(fmt::format("'{}' must be {}", place, what));
  }
  void must_be(const std::string& place, const std::string& what, const nlohmann::json& value) {
    const std::string shown =
        value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace).substr(0, 60);
    must_be(place, fmt::format("{}, not {}", what, shown));
  }

  void item(const ValueForm& form, const nlohmann::json& value, const std::string& place) {
    if (!value.is_null() || !form.items().nullable) check(form.items(), value, place);
  }

  void text(const ValueForm& form, const nlohmann::json& value, const std::string& place) {
    if (!form.choices.empty()) {
      std::string known;
      for (const std::string& name : form.choices) {
        if (value == name) return;
        known += fmt::format("{}\"{}\"", known.empty() ? "" : " or ", name);
      }
      return must_be(place, known, value);
    }
    if (!value.is_string()) return must_be(place, "a text", value);
    if (form.hash && !is_hash(value.get_ref<const std::string&>())) {
      must_be(place, "16 hexadecimal digits", value);
    }
    if (value.get_ref<const std::string&>().size() <
        static_cast<std::size_t>(form.least.value_or(0)))
      must_be(place, "a text that is not empty");
  }

  void whole(const ValueForm& form, const nlohmann::json& value, const std::string& place) {
    const std::int64_t least =
        form.least.value_or(std::numeric_limits<std::int64_t>::min()) + (form.above ? 1 : 0);
    const std::uint64_t most = form.most ? static_cast<std::uint64_t>(*form.most) : form.capacity;
    if (value.is_number_integer()) {
      const bool below = value < 0;
      if (below
              ? value.get<std::int64_t>() >= least
              : value.get<std::uint64_t>() <= most &&
                    (least <= 0 || value.get<std::uint64_t>() >= static_cast<std::uint64_t>(least)))
        return;
    }
    must_be(place, fmt::format("a whole number from {} to {}", least, most), value);
  }

  void number(const ValueForm& form, const nlohmann::json& value, const std::string& place) {
    const double number = value.is_number() ? value.get<double>() : 0.0;
    const double least = form.least ? static_cast<double>(*form.least) : number;
    const double most = form.most ? static_cast<double>(*form.most) : number;
    if (value.is_number() && number <= most && (form.above ? number > least : number >= least)) {
      return;
    }
    std::string what = "a number";
    if (form.least)
      what += fmt::format("{} {}", form.above ? " above" : " of at least", *form.least);
    if (form.most) what += fmt::format("{} at most {}", form.least ? " and" : " of", *form.most);
    must_be(place, what, value);
  }

  void list(const ValueForm& form, const nlohmann::json& value, const std::string& place) {
    const std::string what = form.least && form.least == form.most
                                 ? fmt::format("a list of {}", *form.least)
                             : form.least ? fmt::format("a list of at least {}", *form.least)
                                          : std::string("a list");
    if (!value.is_array()) return must_be(place, what);
    const auto size = static_cast<std::int64_t>(value.size());
    if (size < form.least.value_or(0) || size > form.most.value_or(size)) {
      must_be(place, fmt::format("{}, not of {}", what, size));
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
      item(form, value[i], fmt::format("{}[{}]", place, i));
    }
  }

  void object(const ValueForm& form, const nlohmann::json& value, const std::string& place) {
    if (!value.is_object()) return must_be(place, "an object");
    for (const ValueForm& member : form.parts) {
      const auto found = value.find(member.name);
      if (found == value.end()) {
        if (member.absent.empty() && !member.computed) {
          error(fmt::format("'{}' lacks '{}'", place, member.name));
        }
      } else if (!found->is_null() || !member.nullable) {
        check(member, *found, fmt::format("{}.{}", place, member.name));
      }
    }
    for (const auto& [name, one] : value.items()) {
      const bool known =
          std::any_of(form.parts.begin(), form.parts.end(),
                      [&, &key = name](const auto& part) { return part.name == key; });
      if (!known) error(fmt::format("'{}' has an unknown key '{}'", place, name));
    }
    for (std::size_t i = 1; i < form.ascending.size(); ++i) {
      const auto before = value.find(form.ascending[i - 1]);
      const auto after = value.find(form.ascending[i]);
      if (before == value.end() || after == value.end()) continue;
      if (!before->is_number() || !after->is_number() || *before <= *after) continue;
      error(fmt::format("'{}' must have '{}' in ascending order", place,
                        fmt::join(form.ascending, "', '")));
      break;
    }
    for (const std::vector<std::string>& group : form.either) {
      const auto there = std::count_if(group.begin(), group.end(),
                                       [&](const auto& name) { return value.contains(name); });
      if (there != 1) {
        error(fmt::format("'{}' must have one of '{}', not {}", place, fmt::join(group, "' and '"),
                          there));
      }
    }
  }

  std::string file_;
  Diagnostics& diagnostics_;
};

}  // namespace

void require_form(const ValueForm& form, const nlohmann::json& value, const std::string& file,
                  const std::string& place) {
  Diagnostics diagnostics;
  FormCheck(file, diagnostics).check(form, value, place);
  diagnostics.throw_if_any();
}

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
                          const EnvelopeForm& envelope) {
  Json schema = {{"$comment", "SPDX-License-Identifier: Apache-2.0"},
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
  schema["properties"]["data"] = schema_of(data);
  return schema.dump(2) + "\n";
}

}  // namespace kernbench::common
