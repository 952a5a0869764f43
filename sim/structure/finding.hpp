// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "common/enum_names.hpp"

namespace kernbench::sim::structure {

/// Rules of the structure check.
enum class Rule {
  Connection,  ///< a link's ends, instance, depth or parameters
  Driver,      ///< a signal with two drivers or none
  Modport,     ///< a direction against the contract
  Clock,       ///< another clock, another edge, or a gate in the clock
  Reset,       ///< a register of the control without the asynchronous reset
  Latch,
  Content,  ///< something in TOPO or IRS_N that does not belong there
  Tools,    ///< a macro of a tool that changes the design
  Unknown,  ///< a construct that the check does not understand
};

/// The names of the rules in reports.
inline constexpr std::array<common::EnumName<Rule>, 9> kRuleNames = {
    {{"connection", Rule::Connection},
     {"driver", Rule::Driver},
     {"modport", Rule::Modport},
     {"clock", Rule::Clock},
     {"reset", Rule::Reset},
     {"latch", Rule::Latch},
     {"content", Rule::Content},
     {"tools", Rule::Tools},
     {"unknown", Rule::Unknown}}};
constexpr const auto& name_table(Rule /*any*/) {
  return kRuleNames;
}
[[nodiscard]] std::string_view rule_name(Rule rule);

struct Finding {
  Rule rule = Rule::Connection;
  std::string where;    ///< "rtl/topo.sv:45"
  std::string message;  ///< one line
  friend bool operator==(const Finding&, const Finding&) = default;
};

}  // namespace kernbench::sim::structure
