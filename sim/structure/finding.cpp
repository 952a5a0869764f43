// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/finding.hpp"

namespace kernbench::sim::structure {
std::string_view rule_name(Rule rule) {
  return common::name_of(kRuleNames, rule);
}

}  // namespace kernbench::sim::structure
