// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "common/diagnostics.hpp"

namespace kernbench::common {

struct YamlEntry;

/// A value of a parsed YAML file with its position. Internal to the reader (yaml_reader.hpp).
struct YamlTree {
  enum class Kind {
    Null,    ///< an empty value, ~ or null
    Plain,   ///< a scalar without quotes
    Quoted,  ///< a scalar in quotes or a block scalar
    List,
    Map,
    Refused,  ///< an invalid value, already reported; reads as its fallback
  };

  Kind kind = Kind::Null;
  SourcePosition position;
  std::string label;  ///< name in messages: "'cycles'", "item 2 of 'seeds'", "the document"
  std::string path;   ///< text before the keys of a map in JSON: "data.points[0]."
  std::string text;   ///< text of a scalar
  std::vector<YamlTree> items;     ///< items of a list
  std::vector<YamlEntry> entries;  ///< entries of a map in file order, without duplicates
};

struct YamlEntry {
  std::string key;
  SourcePosition position;
  YamlTree value;
};

/// Parses one document whose root is a map. Duplicate keys, merge keys, aliases, anchors and tags
/// are reported to `diagnostics`, and parsing continues. Throws BadInput with all errors when the
/// root is not a map or the text exceeds the limits of yaml_reader.hpp.
[[nodiscard]] YamlTree parse_yaml_tree(std::string_view text, const std::string& file,
                                       Diagnostics& diagnostics);

/// Returns the tree of a JSON value, whose places in messages are paths that begin with `place`,
/// unless that is empty.
[[nodiscard]] YamlTree tree_of_json(const nlohmann::json& value, const std::string& file,
                                    const std::string& place);

}  // namespace kernbench::common
