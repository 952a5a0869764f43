// SPDX-License-Identifier: Apache-2.0
#include "farm/target.hpp"

#include <fmt/format.h>

#include <string_view>

#include "common/numbers.hpp"

namespace kernbench::farm {
namespace {

using Json = nlohmann::json;

/// Returns the item of a list, or null.
const Json* item_of(const Json* list, std::string_view index) {
  const auto number = common::parse_u64(index);
  if (list == nullptr || !list->is_array() || !number || *number >= list->size()) return nullptr;
  return &(*list)[*number];
}

/// Follows one part of a dotted path, such as "regions[0]".
const Json* followed(const Json* from, std::string_view part) {
  const std::size_t bracket = part.find('[');
  const std::string key(part.substr(0, bracket));
  const bool known = from != nullptr && from->is_object() && from->contains(key);
  const Json* found = known ? &(*from)[key] : nullptr;
  while (part.find('[') != std::string_view::npos) {
    part.remove_prefix(part.find('[') + 1);
    const std::size_t end = part.find(']');
    if (end == std::string_view::npos) return nullptr;
    found = item_of(found, part.substr(0, end));
    part.remove_prefix(end + 1);
  }
  return found;
}

const Json* find_field(const Json& report, std::string_view path) {
  if (path.starts_with('/')) {
    try {
      const Json::json_pointer pointer{std::string(path)};
      return report.contains(pointer) ? &report.at(pointer) : nullptr;
    } catch (const Json::exception&) {
      return nullptr;
    }
  }
  const Json* found = &report;
  while (found != nullptr) {
    const std::size_t dot = path.find('.');
    found = followed(found, path.substr(0, dot));
    if (dot == std::string_view::npos) break;
    path.remove_prefix(dot + 1);
  }
  return found;
}

void collect_fields(const Json& value, const std::string& path, std::vector<std::string>& fields) {
  if (value.is_object()) {
    for (const auto& item : value.items()) {
      collect_fields(item.value(), path.empty() ? item.key() : path + "." + item.key(), fields);
    }
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      collect_fields(value[i], fmt::format("{}[{}]", path, i), fields);
    }
  } else if (!value.is_null()) {
    fields.push_back(path);
  }
}

}  // namespace

Json field_of(const Json& report, const std::string& path) {
  const Json* found = find_field(report, path);
  return found == nullptr || found->is_structured() ? Json() : *found;
}

std::vector<std::string> fields_of(const Json& report) {
  std::vector<std::string> fields;
  collect_fields(report, "", fields);
  return fields;
}

}  // namespace kernbench::farm
