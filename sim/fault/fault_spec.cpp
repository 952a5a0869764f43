// SPDX-License-Identifier: Apache-2.0
#include "sim/fault/fault_spec.hpp"

#include <algorithm>

namespace kernbench::sim {
const std::vector<FaultKind>& all_fault_kinds() {
  static const std::vector<FaultKind> kinds = [] {
    std::vector<FaultKind> list;
    list.reserve(kFaultNames.size());
    for (const auto& [name, kind] : kFaultNames) list.push_back(kind);
    return list;
  }();
  return kinds;
}

std::string_view fault_name(FaultKind kind) {
  return common::name_of(kFaultNames, kind);
}

std::optional<FaultKind> fault_from_name(std::string_view name) {
  const auto* found = std::find_if(kFaultNames.begin(), kFaultNames.end(),
                                   [&](auto& e) { return e.first == name; });
  if (found == kFaultNames.end()) return std::nullopt;
  return found->second;
}

}  // namespace kernbench::sim
