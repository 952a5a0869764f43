// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "common/utf8.hpp"
#include "common/yaml_tree.hpp"

namespace kernbench::common {

YamlTree tree_of_json(const nlohmann::json& value, const std::string& file,
                      const std::string& place) {
  YamlTree tree;
  tree.position.file = file;
  tree.label = in_quotes(place);
  if (value.is_object()) {
    tree.kind = YamlTree::Kind::Map;
    if (!place.empty()) tree.path = place + ".";
    for (const auto& [key, member] : value.items()) {
      YamlEntry& entry = tree.entries.emplace_back();
      entry.key = key;
      entry.position.file = file;
      entry.value = tree_of_json(member, file, tree.path + key);
    }
  } else if (value.is_array()) {
    tree.kind = YamlTree::Kind::List;
    for (const nlohmann::json& item : value) {
      tree.items.push_back(
          tree_of_json(item, file, fmt::format("{}[{}]", place, tree.items.size())));
    }
  } else if (value.is_string()) {
    tree.kind = YamlTree::Kind::Quoted;
    tree.text = value.get<std::string>();
  } else if (!value.is_null()) {
    tree.kind = YamlTree::Kind::Plain;
    tree.text = value.dump();
  }
  return tree;
}

}  // namespace kernbench::common
