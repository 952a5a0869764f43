// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/finding.hpp"

#include <array>

#include "common/enum_names.hpp"

namespace kernbench::sim::structure {
namespace {

constexpr std::array<common::EnumName<Rule>, 9> kRules = {{{"connection", Rule::Connection},
                                                           {"driver", Rule::Driver},
                                                           {"modport", Rule::Modport},
                                                           {"clock", Rule::Clock},
                                                           {"reset", Rule::Reset},
                                                           {"latch", Rule::Latch},
                                                           {"content", Rule::Content},
                                                           {"tools", Rule::Tools},
                                                           {"unknown", Rule::Unknown}}};

}  // namespace

std::string_view rule_name(Rule rule) {
  return common::name_of(kRules, rule);
}

std::optional<Rule> rule_from_name(std::string_view name) {
  for (const auto& [known, rule] : kRules) {
    if (known == name) return rule;
  }
  return std::nullopt;
}

}  // namespace kernbench::sim::structure
