// SPDX-License-Identifier: Apache-2.0
#include "common/value_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <utility>

namespace kernbench::common {
namespace {

constexpr std::array<ShownUnit, 5> kUnits = {{{"_ps", "us", 1e-6, 3},
                                              {"_ns", "us", 1e-3, 3},
                                              {"_gbs", "GB/s", 1.0, 2},
                                              {"_mm", "mm", 1.0, 3},
                                              {"bytes", "", 1.0, 0}}};

bool is_hash(std::string_view text) {
  return text.size() == 16 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

}  // namespace

const TextRule kHashRule = {"^[0-9a-f]{16}$", "16 hexadecimal digits", is_hash};

ValueForm& ValueForm::member(std::string_view member_name) {
  const auto found = std::find_if(parts.begin(), parts.end(),
                                  [&](const ValueForm& form) { return form.name == member_name; });
  if (found == parts.end()) throw std::out_of_range(fmt::format("no member '{}'", member_name));
  return *found;
}

const ValueForm& ValueForm::member(std::string_view member_name) const {
  return const_cast<ValueForm*>(this)->member(member_name);
}

void ValueForm::make_optional(nlohmann::json value) {
  const bool is_too_short = value.is_array() && value.empty() && least.value_or(0) > 0;
  if (value == "" || is_too_short) value = nullptr;
  if (value.is_null() && !no_value.empty()) value = no_value;
  optional = true;
  fallback = std::move(value);
}

void ValueForm::take_defaults(const nlohmann::json& object, bool whole) {
  if (kind != Kind::Object || !object.is_object()) return;
  for (ValueForm& part : parts) {
    const auto found = object.find(part.name);
    const bool has_default = part.optional && !part.fallback.is_null();
    if (!whole && (!has_default || found == object.end())) continue;
    part.make_optional(found == object.end() ? nlohmann::json() : *found);
    if (!part.converted) part.take_defaults(part.fallback, whole);
  }
}

bool ValueForm::has_type(const nlohmann::json& value) const {
  switch (kind) {
    case Kind::Text:
      return value.is_string();
    case Kind::Boolean:
      return value.is_boolean();
    case Kind::Integer:
    case Kind::Number:
      return value.is_number();
    case Kind::List:
      return value.is_array();
    case Kind::Map:
    case Kind::Object:
      return value.is_object();
    case Kind::Scalar:
      return value.is_primitive() && !value.is_null();
    case Kind::Again:
      return again().has_type(value);
    case Kind::Either:
    case Kind::Any:
      return true;
  }
  return false;
}

std::int64_t ValueForm::least_whole() const {
  if (!least) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(*least) + (above ? 1 : 0);
}

std::uint64_t ValueForm::most_whole() const {
  return most ? static_cast<std::uint64_t>(*most) : capacity;
}

std::optional<bool> holds(const std::optional<ValueForm::Condition>& condition,
                          const ValueForm& object, const TextOfMember& text_of) {
  if (!condition) return true;
  std::string text = text_of(condition->member);
  const nlohmann::json& fallback = object.member(condition->member).fallback;
  if (text.empty() && fallback.is_string()) text = fallback.get<std::string>();
  if (text.empty()) return std::nullopt;
  return std::find(condition->values.begin(), condition->values.end(), text) !=
         condition->values.end();
}

void for_each_value(const ValueForm& form, nlohmann::json& object, const VisitValue& visit,
                    const std::string& place) {
  for (const ValueForm& member : form.parts) {
    const auto found = object.find(member.name);
    if (found == object.end()) continue;
    const std::string name = place.empty() ? member.name : fmt::format("{}.{}", place, member.name);
    if (member.kind == ValueForm::Kind::Object) {
      for_each_value(member, *found, visit, name);
      continue;
    }
    visit(name, member, *found);
    const bool has_objects =
        member.kind == ValueForm::Kind::List && member.items().kind == ValueForm::Kind::Object;
    for (std::size_t i = 0; has_objects && i < found->size(); ++i) {
      for_each_value(member.items(), (*found)[i], visit, fmt::format("{}[{}]", name, i));
    }
  }
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

}  // namespace kernbench::common
