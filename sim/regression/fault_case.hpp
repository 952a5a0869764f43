// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/described.hpp"
#include "sim/fault/fault_spec.hpp"
#include "sim/regression/given_link.hpp"

namespace kernbench::sim {

/// Checkers that a suite attaches. The drain limit of the harness always applies.
struct Checks {
  bool lockstep = true;
  bool scoreboard = true;
  bool watchdog = true;
  bool assertions = true;
  bool delivery = false;  ///< every link that the pattern uses must deliver a packet
};

/// The names of the checkers in files and reports.
inline constexpr std::array<std::pair<std::string_view, bool Checks::*>, 5> kCheckers = {{
    {"lockstep", &Checks::lockstep},
    {"scoreboard", &Checks::scoreboard},
    {"watchdog", &Checks::watchdog},
    {"assertions", &Checks::assertions},
    {"delivery", &Checks::delivery},
}};

/// Returns the names of all checkers.
[[nodiscard]] std::vector<std::string> checker_names();
/// Returns the names of those that a suite attaches.
[[nodiscard]] std::vector<std::string> names_of(const Checks& checks);
/// Attaches these and no others.
void set_checks(Checks& checks, const std::vector<std::string>& names);

/// A fault that a suite injects, in a separate case for every seed.
struct FaultCase {
  FaultSpec fault;
  std::optional<GivenLink> link;       ///< that of `fault`
  std::vector<std::string> caught_by;  ///< checkers that must notice it; empty: any one
  std::vector<std::string> missed_by;  ///< checkers that must not notice it
};

}  // namespace kernbench::sim

template <>
const kernbench::common::Description<kernbench::sim::FaultCase>&
kernbench::common::description_of();
