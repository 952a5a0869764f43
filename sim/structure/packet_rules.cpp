// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

#include "sim/structure/rules.hpp"

namespace kernbench::sim::structure {
namespace {

/// Values of the field "type" of a packet, by the end of the names that enumerations give them.
constexpr std::array<std::pair<std::string_view, unsigned>, 4> kTypes = {
    {{"unicast", 0}, {"xmulticast", 1}, {"ymulticast", 2}, {"broadcast", 3}}};

std::string plain(std::string name) {
  name.erase(std::remove(name.begin(), name.end(), '_'), name.end());
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

void check_item(const Design& design, const Node& item, std::vector<Finding>& findings) {
  const std::string name = plain(design.text(item.name));
  for (const auto& [ending, value] : kTypes) {
    if (!name.ends_with(ending) || item.children.empty()) continue;
    const auto actual = constant_value(design.text(item.children.front().name));
    if (!actual || *actual == value) continue;
    findings.push_back(
        {Rule::Content, design.at(item.place),
         fmt::format("{} is {}, expected {}: a packet's type is 0 for unicast, 1 for "
                     "X-multicast, 2 for Y-multicast and 3 for broadcast",
                     design.text(item.name), *actual, value)});
  }
}

}  // namespace

void check_packet_types(const Design& design, std::vector<Finding>& findings) {
  for (const Node& table : design.dump().root.children) {
    if (design.text(table.type) != "TYPETABLE") continue;
    for (const Node& type : table.children) {
      if (design.text(type.type) != "ENUMDTYPE") continue;
      for (const Node& item : type.children) check_item(design, item, findings);
    }
  }
}

}  // namespace kernbench::sim::structure
