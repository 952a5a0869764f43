#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "common/diagnostics.hpp"

namespace kernbench::common {

struct YamlEntry;

/// One value of a parsed YAML file, with its place. The reader's inside: see yaml_reader.hpp.
struct YamlTree {
  enum class Kind {
    Null,    ///< nothing, ~ or null
    Plain,   ///< a scalar without quotes
    Quoted,  ///< a scalar in quotes or a block scalar
    List,
    Map,
    Refused,  ///< already reported: reads as a default, without a further error
  };

  Kind kind = Kind::Null;
  SourcePosition position;
  std::string label;  ///< how messages name it: "'cycles'", "item 2 of 'seeds'", "the document"
  std::string text;   ///< of a scalar
  std::vector<YamlTree> items;     ///< of a list
  std::vector<YamlEntry> entries;  ///< of a map, without duplicates, in file order
};

struct YamlEntry {
  std::string key;
  SourcePosition position;
  YamlTree value;
};

/// Parses one document whose root is a map. Duplicate keys, merge keys, aliases, anchors and tags
/// are reported to `diagnostics` and reading goes on; throws BadInput (with all errors) when there
/// is no map, or the text is beyond the limits of yaml_reader.hpp.
[[nodiscard]] YamlTree parse_yaml_tree(std::string_view text, const std::string& file,
                                       Diagnostics& diagnostics);

}  // namespace kernbench::common
