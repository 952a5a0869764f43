// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

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

/// Returns the name of a rule in reports, such as "connection".
[[nodiscard]] std::string_view rule_name(Rule rule);
[[nodiscard]] std::optional<Rule> rule_from_name(std::string_view name);

struct Finding {
  Rule rule = Rule::Connection;
  std::string where;    ///< "rtl/topo.sv:45"
  std::string message;  ///< one line
  friend bool operator==(const Finding&, const Finding&) = default;
};

}  // namespace kernbench::sim::structure
