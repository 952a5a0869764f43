// SPDX-License-Identifier: Apache-2.0
#include "sim/check/assertions.hpp"

#include <fmt/format.h>

namespace kernbench::sim {

void Assertions::on_cycle(const CycleView& /*view*/) {
  collect();
  if (dut_.info().checkers) ++cycles_;
}

void Assertions::after(const RunEnd& /*end*/) {
  collect();
}

void Assertions::collect() {
  for (const Violation& v : dut_.take_violations()) {
    if (rules_ == CheckedRules::Links && v.rule.starts_with("input_")) continue;
    const std::string level = v.level.empty() ? "" : fmt::format(" ({})", v.level);
    fail({"assertions", v.rule, v.cycle, v.link,
          fmt::format("{}{}: rule '{}' violated", ports_.name(v.link), level, v.rule)});
  }
}

}  // namespace kernbench::sim
