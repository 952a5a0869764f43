// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/dump.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace kernbench::sim::structure {

Name Names::intern(std::string_view text) {
  const auto known = numbers_.find(text);
  if (known != numbers_.end()) return known->second;
  strings_.emplace_back(text);
  const auto number = static_cast<Name>(strings_.size() - 1);
  numbers_.emplace(strings_.back(), number);
  return number;
}

Dump read_dump(const std::string& path) {
  return path.ends_with(".json") ? read_json_dump(path) : read_xml_dump(path);
}

std::string Dump::at(const Place& place) const {
  return fmt::format("{}:{}", std::filesystem::path(files[place.file]).lexically_normal().string(),
                     place.line);
}

}  // namespace kernbench::sim::structure
