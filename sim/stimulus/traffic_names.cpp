// SPDX-License-Identifier: Apache-2.0
#include "sim/stimulus/traffic_names.hpp"

namespace kernbench::sim {

std::vector<std::string_view> pattern_names() {
  const auto links = common::names_of(kLinkPatternNames);
  std::vector<std::string_view> names(links.begin(), links.end());
  const std::vector<std::string_view> kinds = topology::traffic_names();
  names.insert(names.end(), kinds.begin(), kinds.end());
  return names;
}

std::string_view pattern_name(const TrafficSpec& spec) {
  if (spec.pattern == Pattern::Destinations) return spec.kind->name;
  return common::name_of(kLinkPatternNames, spec.pattern);
}

void set_pattern(TrafficSpec& spec, std::string_view name) {
  for (const auto& [known, pattern] : kLinkPatternNames) {
    if (name != known) continue;
    spec.pattern = pattern;
    spec.kind = nullptr;
  }
  if (const topology::TrafficKind* const kind = topology::find_traffic(name)) {
    spec.pattern = Pattern::Destinations;
    spec.kind = kind;
  }
}

}  // namespace kernbench::sim
