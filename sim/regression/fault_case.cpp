// SPDX-License-Identifier: Apache-2.0
#include "sim/regression/fault_case.hpp"

#include "common/description.hpp"
#include "sim/regression/checker_table.hpp"

namespace kernbench::sim {
namespace {

constexpr double kMaxCycles = 1e9;

}  // namespace

std::vector<std::string> checker_names() {
  return names_in(kCheckers);
}

std::vector<std::string> names_of(const Checks& checks) {
  return set_names_in(kCheckers, checks);
}

void set_checks(Checks& checks, const std::vector<std::string>& names) {
  set_by_names(kCheckers, checks, names);
}

}  // namespace kernbench::sim

namespace kernbench::common {

using sim::FaultCase;

template <>
const Description<FaultCase>& description_of() {
  static const auto kAll =
      Description<FaultCase>()
          .add(
              "kind", [](auto& one) -> auto& { return one.fault.kind; })
          .add(
              "cycle", [](auto& one) -> auto& { return one.fault.cycle; },
              "first cycle in which the fault may act")
          .at_most(sim::kMaxCycles)
          .add(
              "duration", [](auto& one) -> auto& { return one.fault.duration; },
              "cycles of receiver_sleeps")
          .within(1, sim::kMaxCycles)
          .add("link", &FaultCase::link)
          .defaults_to("drawn from the seed")
          .add("caught_by", &FaultCase::caught_by, "checkers that must notice it")
          .one_of(sim::checker_names())
          .defaults_to("any one")
          .add("missed_by", &FaultCase::missed_by, "checkers that must not notice it")
          .one_of(sim::checker_names())
          .optional_from("cycle");
  return kAll;
}

}  // namespace kernbench::common
