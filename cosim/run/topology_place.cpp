// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/topology_place.hpp"

#include <algorithm>
#include <utility>

#include "common/diagnostics.hpp"
#include "common/places.hpp"
#include "common/text_file.hpp"
#include "common/yaml_tree.hpp"

namespace kernbench::cosim {

void reject_topology(const std::string& file, std::span<const std::string_view> keys,
                     const std::string& message, const std::string& hint) {
  common::Diagnostics diagnostics;
  const common::YamlTree root =
      common::parse_yaml_tree(common::read_text_file(common::expand_home(file)), file, diagnostics);
  common::SourcePosition place{file, 1, 1};
  const common::YamlTree* section = &root;
  for (const std::string_view key : keys) {
    const auto found = std::find_if(section->entries.begin(), section->entries.end(),
                                    [&](const auto& entry) { return entry.key == key; });
    if (found == section->entries.end()) break;
    place = found->position;
    section = &found->value;
  }
  diagnostics.error(place, message, hint);
  throw common::BadInput(std::move(diagnostics));
}

}  // namespace kernbench::cosim
